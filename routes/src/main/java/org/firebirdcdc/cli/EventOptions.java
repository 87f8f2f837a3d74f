package org.firebirdcdc.cli;

import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.firebirdcdc.capture.CaptureSettings;
import org.firebirdcdc.capture.OnGap;
import org.firebirdcdc.capture.Processed;
import org.firebirdcdc.capture.StartFrom;
import org.firebirdcdc.capture.UnknownTransaction;
import org.firebirdcdc.envelope.EnvelopeOptions;
import org.firebirdcdc.journal.DatabaseGuid;
import org.firebirdcdc.record.Charsets;
import org.firebirdcdc.record.MalformedText;
import org.firebirdcdc.record.RecordDecoding;
import org.firebirdcdc.record.ReplacementCounter;
import org.firebirdcdc.schema.Catalog;
import org.firebirdcdc.schema.CatalogFile;
import org.firebirdcdc.schema.MetadataSource;
import org.firebirdcdc.transaction.EventSelection;
import org.firebirdcdc.transaction.OnDecodeError;
import org.firebirdcdc.transaction.Operation;
import org.firebirdcdc.transaction.TableFilter;

/**
 * The options of {@code events} by the names that they have everywhere, whether they came by {@code --set} or by an option
 * of their own. All methods throw IllegalArgumentException on a value that is not understood; the message names the option.
 */
final class EventOptions {

    private static final String DATABASE = "database";
    private static final String USERNAME = "username";
    private static final String PASSWORD = "password";
    private static final String CATALOG_FILES = "catalogFiles";
    private static final String DATABASE_GUID = "databaseGuid";
    private static final String INCLUDE_TABLES = "includeTables";
    private static final String EXCLUDE_TABLES = "excludeTables";
    private static final String OPERATIONS = "operations";
    private static final String INCLUDE_DDL = "includeDdl";
    private static final String INCLUDE_SEQUENCES = "includeSequences";
    private static final String INCLUDE_BLOBS = "includeBlobs";
    private static final String NONE_CHARSET = "noneCharset";
    private static final String MALFORMED_TEXT = "malformedText";
    private static final String START_FROM = "startFrom";
    private static final String ON_GAP = "onGap";
    private static final String ON_DECODE_ERROR = "onDecodeError";
    private static final String UNKNOWN_TRANSACTION = "unknownTransaction";

    /** Options of a running capture (checkpoints, polling, what becomes of finished segments) mean nothing here. */
    private static final List<String> OF_CAPTURE = List.of(
            DATABASE,
            USERNAME,
            PASSWORD,
            CATALOG_FILES,
            DATABASE_GUID,
            INCLUDE_TABLES,
            EXCLUDE_TABLES,
            OPERATIONS,
            INCLUDE_DDL,
            INCLUDE_SEQUENCES,
            NONE_CHARSET,
            MALFORMED_TEXT,
            START_FROM,
            ON_GAP,
            ON_DECODE_ERROR,
            UNKNOWN_TRANSACTION);

    private final Map<String, String> texts;

    private EventOptions(Map<String, String> texts) {
        this.texts = texts;
    }

    /**
     * @param set what {@code --set} gave
     * @param own what options of their own gave; only those that were given
     * @throws IllegalArgumentException on an unknown name, or one that is given both ways with different values
     */
    static EventOptions of(Map<String, String> set, Map<String, String> own) {
        Map<String, String> texts = new LinkedHashMap<>(own);
        set.forEach((name, text) -> {
            if (!OF_CAPTURE.contains(name) && !EnvelopeOptions.names().contains(name)) {
                throw new IllegalArgumentException(name + " is not an option of events; there are: "
                        + Stream.concat(OF_CAPTURE.stream(), EnvelopeOptions.names().stream())
                                .collect(Collectors.joining(", ")));
            }
            String other = texts.put(name, text);
            if (other != null && !other.equals(text)) {
                throw new IllegalArgumentException(name + " is given twice: by --set and by an option of its own");
            }
        });
        texts.putIfAbsent(INCLUDE_BLOBS, "false");
        return new EventOptions(texts);
    }

    /** Collects what options of their own gave. */
    static final class Own {
        private final Map<String, String> texts = new LinkedHashMap<>();

        Own database(DatabaseOptions options, PrintWriter err) {
            options.database().ifPresent(text -> texts.put(DATABASE, text));
            options.user().ifPresent(text -> texts.put(USERNAME, text));
            options.password(err).ifPresent(text -> texts.put(PASSWORD, text));
            return this;
        }

        Own profile(Optional<String> profile) {
            profile.ifPresent(text -> texts.put("profile", text));
            return this;
        }

        Own tables(Optional<String> include, Optional<String> exclude) {
            include.ifPresent(text -> texts.put(INCLUDE_TABLES, text));
            exclude.ifPresent(text -> texts.put(EXCLUDE_TABLES, text));
            return this;
        }

        Own contents(boolean blobs, boolean ddl, boolean sequences) {
            Map.of(INCLUDE_BLOBS, blobs, INCLUDE_DDL, ddl, INCLUDE_SEQUENCES, sequences)
                    .forEach((name, wanted) -> {
                        if (wanted) {
                            texts.put(name, "true");
                        }
                    });
            return this;
        }

        Map<String, String> texts() {
            return texts;
        }
    }

    EnvelopeOptions envelope() {
        Map<String, String> form = new LinkedHashMap<>(texts);
        form.keySet().retainAll(EnvelopeOptions.names());
        return EnvelopeOptions.of(form);
    }

    /** The directory as it is: nothing is removed. */
    CaptureSettings capture(Path directory) {
        return new CaptureSettings(
                directory,
                value(DATABASE_GUID, EventOptions::guid),
                value(START_FROM, StartFrom::parse).orElse(StartFrom.EARLIEST),
                Duration.ZERO,
                Processed.KEEP,
                directory,
                choice(ON_GAP, OnGap.values(), OnGap.WAIT),
                choice(UNKNOWN_TRANSACTION, UnknownTransaction.values(), UnknownTransaction.FAIL),
                Optional.empty(),
                Clock.systemUTC());
    }

    EventSelection selection() {
        return new EventSelection(
                TableFilter.parse(value(INCLUDE_TABLES), value(EXCLUDE_TABLES)),
                value(OPERATIONS, Operation::parse)
                        .orElse(EventSelection.allRows().operations()),
                flag(INCLUDE_DDL),
                flag(INCLUDE_SEQUENCES));
    }

    /** Built-in time zones. */
    RecordDecoding decoding(ReplacementCounter replacements) {
        RecordDecoding decoding = RecordDecoding.DEFAULT
                .withMalformedText(choice(MALFORMED_TEXT, MalformedText.values(), MalformedText.FAIL), replacements)
                .withCheckedBlobs(envelope().longestContent());
        return value(NONE_CHARSET, EventOptions::charset)
                .map(decoding::withNoneCharset)
                .orElse(decoding);
    }

    OnDecodeError onDecodeError() {
        return choice(ON_DECODE_ERROR, OnDecodeError.values(), OnDecodeError.FAIL);
    }

    /**
     * @param files of {@code --catalog}; they come before those of {@code catalogFiles}
     * @return oldest first; empty if there are none
     */
    List<Catalog> catalogs(List<Path> files) {
        List<Catalog> catalogs = new ArrayList<>();
        files.forEach(file -> catalogs.addAll(CatalogFile.read(file)));
        value(CATALOG_FILES).ifPresent(names -> Stream.of(names.split(","))
                .map(name -> CatalogFile.read(Path.of(name.trim())))
                .forEach(catalogs::addAll));
        return catalogs;
    }

    Optional<MetadataSource> database() {
        return DatabaseOptions.source(value(DATABASE), value(USERNAME), value(PASSWORD));
    }

    private Optional<String> value(String name) {
        return Optional.ofNullable(texts.get(name));
    }

    private <T> Optional<T> value(String name, Function<String, T> parser) {
        return value(name).map(parser);
    }

    private boolean flag(String name) {
        return value(name)
                .map(text -> switch (text) {
                    case "true" -> true;
                    case "false" -> false;
                    default -> throw unknown(name, text, "true, false");
                })
                .orElse(false);
    }

    private <E extends Enum<E>> E choice(String name, E[] choices, E otherwise) {
        return value(name)
                .map(text -> Stream.of(choices)
                        .filter(choice -> written(choice).equals(text))
                        .findFirst()
                        .orElseThrow(() -> unknown(
                                name,
                                text,
                                Stream.of(choices).map(EventOptions::written).collect(Collectors.joining(", ")))))
                .orElse(otherwise);
    }

    private static String written(Enum<?> choice) {
        return choice.name().toLowerCase(Locale.ROOT);
    }

    private static IllegalArgumentException unknown(String name, String text, String known) {
        return new IllegalArgumentException(name + "=" + text + " is not known; use one of: " + known);
    }

    private static DatabaseGuid guid(String text) {
        try {
            return DatabaseGuid.parse(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(DATABASE_GUID + ": " + e.getMessage(), e);
        }
    }

    private static Charset charset(String text) {
        try {
            return Charsets.javaCharset(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(NONE_CHARSET + ": " + e.getMessage(), e);
        }
    }
}
