package org.firebirdcdc.camel;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import org.apache.camel.Exchange;
import org.firebirdcdc.journal.DatabaseGuid;
import org.firebirdcdc.journal.JournalPosition;
import org.firebirdcdc.journal.ObjectName;
import org.firebirdcdc.transaction.ChangeEvent;
import org.firebirdcdc.transaction.CommittedTransaction;
import org.firebirdcdc.transaction.EncodedRecord;
import org.firebirdcdc.transaction.JournalEvent;
import org.firebirdcdc.transaction.RawEvent;
import org.firebirdcdc.transaction.SequenceValue;
import org.firebirdcdc.transaction.TransactionInfo;

/** Puts what is known of a body into the headers of {@link FirebirdCdcConstants}. */
final class EventHeaders {

    private EventHeaders() {}

    static void of(CommittedTransaction transaction, Map<String, Object> headers) {
        TransactionInfo info = transaction.info();
        headers.put(FirebirdCdcConstants.KIND, "transaction");
        place(info.guid(), info.commit(), info.timestampMillis(), headers);
        transaction(info, headers);
        headers.put(FirebirdCdcConstants.EVENT_COUNT, transaction.eventCount());
    }

    static void of(JournalEvent event, Map<String, Object> headers) {
        TransactionInfo info = event.transaction();
        place(info.guid(), event.position(), info.timestampMillis(), headers);
        transaction(info, headers);
        headers.put(FirebirdCdcConstants.ORDER, event.order());
        switch (event.kind()) {
            case CHANGE -> change((ChangeEvent) event, headers);
            case DDL -> headers.put(FirebirdCdcConstants.KIND, "ddl");
            case RAW -> raw((RawEvent) event, headers);
        }
        record(event.encoder().topic(event), event.encoder().key(event), headers);
    }

    static void of(SequenceValue value, Map<String, Object> headers) {
        headers.put(FirebirdCdcConstants.KIND, "sequence");
        place(value.guid(), value.position(), value.timestampMillis(), headers);
        headers.put(FirebirdCdcConstants.SEQUENCE, value.sequence().name());
        schema(value.sequence(), headers);
        EncodedRecord record = value.encoder().record(value);
        record(record.topic(), record.key(), headers);
    }

    private static void change(ChangeEvent event, Map<String, Object> headers) {
        headers.put(FirebirdCdcConstants.KIND, "change");
        headers.put(FirebirdCdcConstants.OPERATION, event.operation().code());
        headers.put(FirebirdCdcConstants.FORMAT, event.version().format());
        table(event.table(), headers);
    }

    private static void raw(RawEvent event, Map<String, Object> headers) {
        headers.put(FirebirdCdcConstants.KIND, "raw");
        headers.put(FirebirdCdcConstants.OPERATION, event.operation().code());
        headers.put(FirebirdCdcConstants.CAUSE, event.cause());
        table(event.table(), headers);
    }

    private static void place(
            DatabaseGuid guid, JournalPosition position, long timestampMillis, Map<String, Object> headers) {
        headers.put(FirebirdCdcConstants.EVENT_ID, guid + "/" + position);
        headers.put(FirebirdCdcConstants.DATABASE_GUID, guid.toString());
        headers.put(FirebirdCdcConstants.POSITION, position.toString());
        headers.put(FirebirdCdcConstants.SEGMENT, position.segment());
        headers.put(FirebirdCdcConstants.TIMESTAMP_MILLIS, timestampMillis);
        headers.put(Exchange.MESSAGE_TIMESTAMP, timestampMillis);
    }

    private static void transaction(TransactionInfo info, Map<String, Object> headers) {
        headers.put(FirebirdCdcConstants.TRANSACTION, info.number());
        headers.put(FirebirdCdcConstants.COMMIT_POSITION, info.commit().toString());
    }

    private static void table(ObjectName table, Map<String, Object> headers) {
        headers.put(FirebirdCdcConstants.TABLE, table.name());
        schema(table, headers);
    }

    private static void schema(ObjectName name, Map<String, Object> headers) {
        if (name.hasSchema()) {
            headers.put(FirebirdCdcConstants.SCHEMA, name.schema());
        }
    }

    private static void record(String topic, Optional<byte[]> key, Map<String, Object> headers) {
        headers.put(FirebirdCdcConstants.TOPIC, topic);
        key.ifPresent(bytes -> headers.put(FirebirdCdcConstants.KEY, new String(bytes, StandardCharsets.UTF_8)));
    }
}
