package org.firebirdcdc.camel;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.camel.util.ObjectHelper;
import org.firebirdcdc.capture.CaptureSettings;
import org.firebirdcdc.capture.EventSettings;
import org.firebirdcdc.capture.JournalCapture;
import org.firebirdcdc.capture.Metadata;
import org.firebirdcdc.capture.Processed;
import org.firebirdcdc.capture.StartFrom;
import org.firebirdcdc.checkpoint.CheckpointStore;
import org.firebirdcdc.checkpoint.FileCheckpointStore;
import org.firebirdcdc.envelope.EnvelopeOptions;
import org.firebirdcdc.envelope.JsonEventEncoder;
import org.firebirdcdc.journal.DatabaseGuid;
import org.firebirdcdc.record.Charsets;
import org.firebirdcdc.record.RecordDecoding;
import org.firebirdcdc.record.ReplacementCounter;
import org.firebirdcdc.schema.Catalog;
import org.firebirdcdc.schema.CatalogFile;
import org.firebirdcdc.schema.DatabaseAddress;
import org.firebirdcdc.schema.MetadataSource;
import org.firebirdcdc.schema.TransactionOutcomeSource;
import org.firebirdcdc.transaction.EventSelection;
import org.firebirdcdc.transaction.OnDecodeError;
import org.firebirdcdc.transaction.Operation;
import org.firebirdcdc.transaction.StatementReader;
import org.firebirdcdc.transaction.TableFilter;

/**
 * The options of an endpoint, checked and put into the terms of the rooms below. Making one touches neither files nor the
 * database: what is wrong here is wrong for good, what is wrong when capture is opened may be right later.
 */
final class CapturePlan {

    private final CaptureSettings settings;
    private final EventSelection selection;
    private final RecordDecoding decoding;
    private final OnDecodeError onDecodeError;
    private final EnvelopeOptions form;
    private final List<Path> catalogFiles;
    private final Optional<MetadataSource> database;
    private final Supplier<CheckpointStore> store;
    private final int maxInFlight;

    /**
     * @param replacements told of values with malformed text
     * @throws IllegalArgumentException on an option that has no meaning, or none together with another
     * @throws org.firebirdcdc.schema.MetadataException on a database that is not an address
     */
    CapturePlan(Path directory, FirebirdCdcConfiguration options, ReplacementCounter replacements) {
        this.settings = settings(directory, options);
        this.selection = new EventSelection(
                TableFilter.parse(text(options.getIncludeTables()), text(options.getExcludeTables())),
                Operation.parse(options.getOperations()),
                options.isIncludeDdl(),
                options.isIncludeSequences());
        this.form = EnvelopeOptions.of(options.form());
        this.decoding = RecordDecoding.DEFAULT
                .withNoneCharset(Charsets.javaCharset(options.getNoneCharset()))
                .withMalformedText(options.getMalformedText(), replacements)
                .withCheckedBlobs(form.longestContent());
        this.onDecodeError = options.getOnDecodeError();
        this.catalogFiles = text(options.getCatalogFiles()).stream()
                .flatMap(files -> Stream.of(files.split(",")))
                .map(file -> Path.of(file.trim()))
                .toList();
        this.database = database(options);
        this.store = store(directory, options);
        this.maxInFlight = options.getMaxInFlight();
        check(maxInFlight > 0, "maxInFlight=" + maxInFlight + ": give a number from 1 on");
        check(
                database.isPresent() || !catalogFiles.isEmpty(),
                "no metadata source: the journal holds no column names and"
                        + " types. Set database (with username and password), or catalogFiles");
    }

    private static CaptureSettings settings(Path directory, FirebirdCdcConfiguration options) {
        check(
                options.getMoveTo() == null || options.getProcessed() == Processed.MOVE,
                "moveTo has a meaning with processed=move only");
        Path moveTo = directory.resolve(text(options.getMoveTo()).orElse("done"));
        check(
                options.getProcessed() != Processed.MOVE
                        || !moveTo.toAbsolutePath()
                                .normalize()
                                .equals(directory.toAbsolutePath().normalize()),
                "moveTo=" + options.getMoveTo() + " is the directory of the segments itself: give another");
        check(options.getCheckpointInterval() >= 0, "checkpointInterval is negative");
        check(options.getAbandonAfter() >= 0, "abandonAfter is negative");
        return new CaptureSettings(
                directory,
                text(options.getDatabaseGuid()).map(CapturePlan::guid),
                StartFrom.parse(options.getStartFrom()),
                Duration.ofMillis(options.getCheckpointInterval()),
                options.getProcessed(),
                moveTo,
                options.getOnGap(),
                options.getUnknownTransaction(),
                Optional.of(options.getAbandonAfter())
                        .filter(millis -> millis > 0)
                        .map(Duration::ofMillis),
                Clock.systemUTC());
    }

    private static DatabaseGuid guid(String text) {
        try {
            return DatabaseGuid.parse(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("databaseGuid: " + e.getMessage(), e);
        }
    }

    private static Optional<MetadataSource> database(FirebirdCdcConfiguration options) {
        Optional<String> address = text(options.getDatabase());
        Optional<MetadataSource> dataSource =
                Optional.ofNullable(options.getDataSource()).map(MetadataSource::of);
        Optional<String> username = text(options.getUsername());
        Optional<String> password = text(options.getPassword());
        check(address.isEmpty() || dataSource.isEmpty(), "database and dataSource are both set: give one of them");
        check(
                address.isPresent() || username.isEmpty() && password.isEmpty(),
                "username and password have a meaning with database only");
        return address.map(text -> MetadataSource.of(DatabaseAddress.parse(text, username, password)))
                .or(() -> dataSource);
    }

    private static Supplier<CheckpointStore> store(Path directory, FirebirdCdcConfiguration options) {
        Optional<CheckpointStore> bean = Optional.ofNullable(options.getCheckpointStore());
        Optional<Path> place = text(options.getCheckpointDirectory()).map(Path::of);
        check(
                bean.isEmpty() || place.isEmpty(),
                "checkpointStore and checkpointDirectory are both set: give one of them");
        return () -> bean.orElseGet(() -> new FileCheckpointStore(place.orElse(directory)));
    }

    /** How many exchanges may be on their way at once. */
    int maxInFlight() {
        return maxInFlight;
    }

    /** Reads the metadata that capture begins with, and opens it. */
    JournalCapture open() {
        List<Catalog> files = new ArrayList<>();
        catalogFiles.forEach(file -> files.addAll(CatalogFile.read(file)));
        Metadata metadata = Metadata.of(files, database.map(source -> source::readCatalog));
        EventSettings events = new EventSettings(
                selection,
                decoding.withTimeZones(metadata.timeZones()),
                new StatementReader(Charsets::java),
                new JsonEventEncoder(form, metadata.databaseName(), Clock.systemUTC(), version(), metadata.history()),
                onDecodeError);
        return new JournalCapture(
                settings, events, metadata.history(), store.get(), database.map(TransactionOutcomeSource.class::cast));
    }

    /** From the manifest of the jar; {@code development} where classes do not come from a jar. */
    private static String version() {
        return Optional.ofNullable(CapturePlan.class.getPackage().getImplementationVersion())
                .orElse("development");
    }

    private static Optional<String> text(String option) {
        return Optional.ofNullable(option).filter(ObjectHelper::isNotEmpty);
    }

    private static void check(boolean right, String problem) {
        if (!right) {
            throw new IllegalArgumentException(problem);
        }
    }
}
