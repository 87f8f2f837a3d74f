package org.firebirdcdc.envelope;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Optional;
import org.firebirdcdc.journal.DatabaseGuid;
import org.firebirdcdc.journal.JournalPosition;
import org.firebirdcdc.journal.ObjectName;
import org.firebirdcdc.record.Row;
import org.firebirdcdc.schema.DdlTables;
import org.firebirdcdc.transaction.ChangeEvent;
import org.firebirdcdc.transaction.CommittedTransaction;
import org.firebirdcdc.transaction.EncodedRecord;
import org.firebirdcdc.transaction.EventEncoder;
import org.firebirdcdc.transaction.JournalEvent;
import org.firebirdcdc.transaction.Operation;
import org.firebirdcdc.transaction.TransactionInfo;

/** Events with the position, times and numbers of the golden records of formats.md 2. */
final class Samples {

    static final DatabaseGuid GUID = DatabaseGuid.parse("{9D66A972-E132-4E74-B7DA-08D64DB2B0E1}");
    static final JournalPosition POSITION = new JournalPosition(1, 78);
    static final String FILE = "test.journal-000000001";
    static final TransactionInfo TRANSACTION = new TransactionInfo(
            GUID, 200, new JournalPosition(1, 48), new JournalPosition(1, 900), FILE, 1_711_288_254_908L);
    static final String ID = GUID + "/1:78";

    /** 2024-03-24T13:50:55.056123456Z. */
    static final Clock CLOCK = Clock.fixed(Instant.ofEpochSecond(1_711_288_255L, 56_123_456), ZoneOffset.UTC);

    static final String OUR_SOURCE_FIELDS = "\"dbguid\":\"{9D66A972-E132-4E74-B7DA-08D64DB2B0E1}\",\"segment\":1,"
            + "\"file\":\"test.journal-000000001\",\"pos\":78,";

    private Samples() {}

    /** With {@code topicPrefix=fb}, database TEST, version 1.0.0; further options by name and value in turn. */
    static JsonEventEncoder encoder(String... namesAndValues) {
        EnvelopeOptions options = EnvelopeOptions.of(Map.of("topicPrefix", "fb"));
        for (int i = 0; i < namesAndValues.length; i += 2) {
            options = options.with(namesAndValues[i], namesAndValues[i + 1]);
        }
        return new JsonEventEncoder(options, "TEST", CLOCK, "1.0.0", DdlTables.NONE);
    }

    static ChangeEvent insert(EventEncoder encoder, Row after) {
        return event(encoder, Operation.INSERT, Optional.empty(), Optional.of(after));
    }

    static ChangeEvent update(EventEncoder encoder, Row before, Row after) {
        return event(encoder, Operation.UPDATE, Optional.of(before), Optional.of(after));
    }

    static ChangeEvent delete(EventEncoder encoder, Row before) {
        return event(encoder, Operation.DELETE, Optional.of(before), Optional.empty());
    }

    private static ChangeEvent event(
            EventEncoder encoder, Operation operation, Optional<Row> before, Optional<Row> after) {
        return new ChangeEvent(
                TRANSACTION,
                POSITION,
                1,
                1,
                operation,
                after.or(() -> before).orElseThrow().version(),
                before,
                after,
                encoder);
    }

    /** A transaction of which only its info and its counts matter. */
    static CommittedTransaction transaction(Map<ObjectName, Long> counts) {
        return new CommittedTransaction() {
            @Override
            public TransactionInfo info() {
                return TRANSACTION;
            }

            @Override
            public long eventCount() {
                return counts.values().stream().mapToLong(Long::longValue).sum();
            }

            @Override
            public Map<ObjectName, Long> eventCounts() {
                return counts;
            }

            @Override
            public EventEncoder encoder() {
                throw new UnsupportedOperationException("not needed for boundaries");
            }

            @Override
            public Iterable<JournalEvent> events() {
                throw new UnsupportedOperationException("not needed for boundaries");
            }
        };
    }

    static String utf8(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    static String key(JournalEvent event, EventEncoder encoder) {
        return utf8(encoder.key(event).orElseThrow());
    }

    static String value(JournalEvent event, EventEncoder encoder) {
        return utf8(encoder.value(event));
    }

    static String keyText(EncodedRecord record) {
        return utf8(record.key().orElseThrow());
    }

    static String valueText(EncodedRecord record) {
        return utf8(record.value().orElseThrow());
    }

    /** The part of an event's value between {@code "after":} and {@code ,"source":}. */
    static String after(Row row, String... namesAndValues) {
        return part("after", row, namesAndValues);
    }

    /** The part of a delete's value between {@code "before":} and {@code ,"after":}. */
    static String before(Row row, String... namesAndValues) {
        return part("before", row, namesAndValues);
    }

    private static String part(String field, Row row, String... namesAndValues) {
        JsonEventEncoder encoder = encoder(namesAndValues);
        boolean old = field.equals("before");
        String value = value(old ? delete(encoder, row) : insert(encoder, row), encoder);
        int payload = value.startsWith("{\"schema\"") ? value.indexOf("\"payload\":") : 0;
        int start = value.indexOf("\"" + field + "\":", payload) + field.length() + 3;
        return value.substring(start, value.indexOf(old ? ",\"after\":" : ",\"source\":", start));
    }
}
