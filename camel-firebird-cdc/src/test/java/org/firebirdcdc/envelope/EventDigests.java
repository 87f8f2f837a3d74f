package org.firebirdcdc.envelope;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.firebirdcdc.capture.CaptureSettings;
import org.firebirdcdc.capture.Delivery;
import org.firebirdcdc.capture.EventSettings;
import org.firebirdcdc.capture.JournalCapture;
import org.firebirdcdc.journal.ObjectName;
import org.firebirdcdc.schema.CatalogFile;
import org.firebirdcdc.schema.DdlTables;
import org.firebirdcdc.testing.Captures;
import org.firebirdcdc.testing.MemoryCheckpointStore;
import org.firebirdcdc.transaction.EncodedRecord;
import org.firebirdcdc.transaction.EventSelection;
import org.firebirdcdc.transaction.JournalEvent;
import org.firebirdcdc.transaction.JournalTransaction;
import org.firebirdcdc.transaction.Operation;

/** Program that writes digests of all bytes that recordings give under several options, to compare them between JVMs. */
final class EventDigests {

    private static final Clock CLOCK = Clock.fixed(Instant.parse("2026-03-29T01:30:00.123456789Z"), ZoneOffset.UTC);

    private static final List<Map<String, String>> OPTIONS = List.of(
            Map.of(
                    "blobOverflow",
                    "truncate",
                    "blobInlineLimit",
                    "64KB",
                    "profile",
                    "debezium",
                    "transactionMetadata",
                    "true"),
            Map.of(
                    "blobOverflow",
                    "truncate",
                    "profile",
                    "debezium",
                    "valueSchema",
                    "true",
                    "keySchema",
                    "true",
                    "times",
                    "isostring"),
            Map.of(
                    "blobOverflow",
                    "truncate",
                    "profile",
                    "debezium",
                    "times",
                    "firebird",
                    "decimals",
                    "string",
                    "binary",
                    "hex"),
            Map.of("blobOverflow", "truncate", "blobInlineLimit", "64KB", "profile", "fb-streaming"));

    private EventDigests() {}

    /**
     * @param arguments file to write; then of each recording the segments' folder and the catalog file
     */
    public static void main(String[] arguments) throws IOException, NoSuchAlgorithmException {
        List<String> lines = new ArrayList<>();
        lines.add(ZoneId.systemDefault() + " " + Locale.getDefault() + " " + Charset.defaultCharset());
        for (int i = 1; i < arguments.length; i += 2) {
            for (Map<String, String> options : OPTIONS) {
                lines.add(digest(Path.of(arguments[i]), Path.of(arguments[i + 1]), options));
            }
        }
        Files.write(Path.of(arguments[0]), lines, StandardCharsets.US_ASCII);
    }

    private static String digest(Path segments, Path catalog, Map<String, String> options)
            throws NoSuchAlgorithmException {
        JsonEventEncoder encoder = new JsonEventEncoder(EnvelopeOptions.of(options), "db", CLOCK, "1", DdlTables.NONE);
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        EventSettings base = Captures.events(
                new EventSelection(table -> hasSchema(table, options), Set.of(Operation.values()), true, true));
        EventSettings events =
                new EventSettings(base.selection(), base.decoding(), base.statements(), encoder, base.onDecodeError());
        long records = 0;
        try (JournalCapture capture = Captures.open(
                CaptureSettings.of(segments), events, CatalogFile.read(catalog), new MemoryCheckpointStore())) {
            for (Optional<Delivery> next = capture.next(); next.isPresent(); next = capture.next()) {
                for (EncodedRecord record : records(next.get(), encoder)) {
                    add(digest, record);
                    records++;
                }
                capture.done(next.get());
            }
        }
        return records + " " + HexFormat.of().formatHex(digest.digest());
    }

    /** Catalogs of recordings do not tell how many dimensions an array has, which its schema needs. */
    private static boolean hasSchema(ObjectName table, Map<String, String> options) {
        return !options.containsKey("valueSchema") || !table.name().equals("T_ARR");
    }

    private static List<EncodedRecord> records(Delivery delivery, JsonEventEncoder encoder) {
        List<EncodedRecord> records = new ArrayList<>();
        delivery.sequence().ifPresent(value -> records.add(encoder.record(value)));
        if (delivery.transaction().isPresent()) {
            JournalTransaction transaction = delivery.transaction().get();
            records.addAll(encoder.begin(transaction));
            for (JournalEvent event : transaction) {
                records.addAll(encoder.records(event));
            }
            records.addAll(encoder.end(transaction));
        }
        return records;
    }

    private static void add(MessageDigest digest, EncodedRecord record) {
        add(digest, record.topic().getBytes(StandardCharsets.UTF_8));
        record.key().ifPresent(key -> add(digest, key));
        record.value().ifPresent(value -> add(digest, value));
        add(digest, (record.id() + new TreeMap<>(record.headers())).getBytes(StandardCharsets.UTF_8));
    }

    private static void add(MessageDigest digest, byte[] bytes) {
        digest.update(Integer.toString(bytes.length).getBytes(StandardCharsets.US_ASCII));
        digest.update(bytes);
    }
}
