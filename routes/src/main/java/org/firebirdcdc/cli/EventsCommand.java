package org.firebirdcdc.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.LongAdder;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.config.Configurator;
import org.firebirdcdc.capture.CaptureSettings;
import org.firebirdcdc.capture.CaptureStatus;
import org.firebirdcdc.capture.Delivery;
import org.firebirdcdc.capture.EventSettings;
import org.firebirdcdc.capture.JournalCapture;
import org.firebirdcdc.capture.Metadata;
import org.firebirdcdc.envelope.EnvelopeOptions;
import org.firebirdcdc.envelope.JsonEventEncoder;
import org.firebirdcdc.record.Charsets;
import org.firebirdcdc.record.RecordDecoding;
import org.firebirdcdc.schema.Catalog;
import org.firebirdcdc.schema.MetadataSource;
import org.firebirdcdc.transaction.EventEncoder;
import org.firebirdcdc.transaction.EventSelection;
import org.firebirdcdc.transaction.OnDecodeError;
import org.firebirdcdc.transaction.StatementReader;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints what a directory of segments holds, in delivery order. Leaves no checkpoint and removes nothing. */
@Command(
        name = "events",
        description = "Prints the row changes of committed transactions, one JSON object per line.",
        footer = {
            "",
            "Metadata comes from catalog files, from the database, or from both.",
            "Exit codes: 0 end of what is there; 1 wrong usage or no metadata; 2 damaged or",
            "undecodable; 3 missing or incomplete segment with later ones behind it."
        })
final class EventsCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "DIR", description = "archive directory: journal_archive_directory of replication.conf")
    private Path directory;

    @Option(
            names = "--catalog",
            paramLabel = "FILE",
            description = "catalog file, see the command catalog; several are given oldest first")
    private List<Path> catalogs = new ArrayList<>();

    @Mixin
    private DatabaseOptions database;

    @Option(names = "--profile", paramLabel = "PROFILE", description = "form of the events: debezium or fb-streaming")
    private Optional<String> profile = Optional.empty();

    @Option(names = "--set", paramLabel = "option=value", description = "any option of the event form or of reading")
    private Map<String, String> set = new LinkedHashMap<>();

    @Option(names = "--include", paramLabel = "REGEX", description = "tables that are wanted; default: all")
    private Optional<String> include = Optional.empty();

    @Option(names = "--exclude", paramLabel = "REGEX", description = "tables that are not wanted")
    private Optional<String> exclude = Optional.empty();

    @Option(names = "--blobs", description = "with the contents of blobs and arrays")
    private boolean blobs;

    @Option(names = "--ddl", description = "with DDL statements")
    private boolean ddl;

    @Option(names = "--sequences", description = "with values of sequences")
    private boolean sequences;

    @Override
    public Integer call() {
        // what capture tells of its progress is for operators; who reads events wants to know what is wrong
        if (System.getProperty("firebird-cdc.log.level") == null) {
            Configurator.setLevel("org.firebirdcdc", Level.WARN);
        }
        LongAdder replaced = new LongAdder();
        Plan plan = plan(replaced);
        Metadata metadata = metadata(plan);
        EventEncoder encoder = new JsonEventEncoder(
                plan.form(), metadata.databaseName(), Clock.systemUTC(), Version.text(), metadata.history());
        EventSettings events = new EventSettings(
                plan.selection(),
                plan.decoding().withTimeZones(metadata.timeZones()),
                new StatementReader(Charsets::java),
                encoder,
                plan.onDecodeError());
        EventLines lines = new EventLines(encoder, spec.commandLine().getOut(), EventLines.KEPT);
        try (JournalCapture capture =
                new JournalCapture(plan.capture(), events, metadata.history(), new NoCheckpointStore())) {
            if (!printAll(capture, lines)) {
                return Failures.USAGE;
            }
            spec.commandLine().getOut().flush();
            return report(capture.status(), replaced.sum());
        }
    }

    /** All options, understood; what is wrong with them is known before anything is opened. */
    private record Plan(
            EnvelopeOptions form,
            CaptureSettings capture,
            EventSelection selection,
            RecordDecoding decoding,
            OnDecodeError onDecodeError,
            EventOptions options) {}

    private Plan plan(LongAdder replaced) {
        Map<String, String> own = new EventOptions.Own()
                .database(database, spec.commandLine().getErr())
                .profile(profile)
                .tables(include, exclude)
                .contents(blobs, ddl, sequences)
                .texts();
        try {
            EventOptions options = EventOptions.of(set, own);
            return new Plan(
                    options.envelope(),
                    options.capture(directory),
                    options.selection(),
                    options.decoding(replaced::increment),
                    options.onDecodeError(),
                    options);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private Metadata metadata(Plan plan) {
        List<Catalog> files = plan.options().catalogs(catalogs);
        Optional<MetadataSource> source = plan.options().database();
        if (files.isEmpty() && source.isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "no metadata: the journal holds no names and types of columns. Say with --database where the"
                            + " database is, or give a file that the command catalog wrote with --catalog");
        }
        return Metadata.of(files, source.map(s -> s::readCatalog));
    }

    /** False if output cannot be written any more. */
    private static boolean printAll(JournalCapture capture, EventLines lines) {
        for (Optional<Delivery> next = capture.next(); next.isPresent(); next = capture.next()) {
            Delivery delivery = next.get();
            boolean written = delivery.transaction().map(lines::print).orElse(true)
                    && delivery.sequence().map(lines::print).orElse(true);
            if (!written) {
                return false;
            }
            capture.done(delivery);
        }
        return true;
    }

    private int report(CaptureStatus status, long replaced) {
        CaptureStatus.Counters counters = status.counters();
        tell(counters.incomplete(), "committed transaction(s) left out: their beginning is not in view");
        tell(counters.skippedRecords(), "record(s) left out: they cannot be decoded (onDecodeError=skip)");
        tell(replaced, "text value(s) with malformed parts replaced (malformedText=replace)");
        tell(status.open().size(), "transaction(s) without an end at the end of what is there: not shown");
        PrintWriter err = spec.commandLine().getErr();
        status.note().ifPresent(note -> err.println("firebird-cdc: " + note));
        status.problem().ifPresent(problem -> err.println("firebird-cdc: " + problem));
        err.flush();
        // without later segments nothing is missing: there is only nothing to read
        return status.problem().isPresent() && status.segmentsWaiting() > 0 ? Failures.GAP : Failures.DONE;
    }

    private void tell(long count, String what) {
        if (count > 0) {
            spec.commandLine().getErr().println("firebird-cdc: " + count + " " + what);
        }
    }
}
