package org.firebirdcdc.routes;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.firebirdcdc.transaction.Operation;

/**
 * A record as it lies in Kafka, bytes read as UTF-8.
 *
 * @param key   empty for no key
 * @param value empty for a tombstone
 */
public record KafkaRecord(String topic, Optional<String> key, Optional<String> value, Map<String, String> headers) {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    static KafkaRecord of(ConsumerRecord<byte[], byte[]> record) {
        Map<String, String> headers = new TreeMap<>();
        for (Header header : record.headers()) {
            headers.put(header.key(), new String(header.value(), StandardCharsets.UTF_8));
        }
        return new KafkaRecord(
                record.topic(),
                Optional.ofNullable(record.key()).map(KafkaRecord::text),
                Optional.ofNullable(record.value()).map(KafkaRecord::text),
                headers);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** Identity of the record. */
    String id() {
        return headers.get("firebird.cdc.id");
    }

    /** Identity of the event that it was made of, perhaps with others: {@code {GUID}/segment:offset}. */
    String eventId() {
        String[] parts = id().split("/");
        return parts[0] + "/" + parts[1];
    }

    /** Without the time of encoding, which differs from attempt to attempt. */
    KafkaRecord withoutTimes() {
        return new KafkaRecord(
                topic,
                key,
                value.map(text -> text.replaceFirst(
                                ",\"ts_ms\":\\d+,\"ts_us\":\\d+,\"ts_ns\":\\d+,\"transaction\":null}$", "}")
                        // of a statement
                        .replaceFirst("},\"ts_ms\":\\d+,\"databaseName\":", "},\"databaseName\":")),
                headers);
    }

    /** Delete or create of an update that changed the key. */
    boolean isPartOfKeyUpdate() {
        return headers.containsKey("__debezium.newkey") || headers.containsKey("__debezium.oldkey");
    }

    boolean isTombstone() {
        return value.isEmpty();
    }

    /** The value as a tree; not of a tombstone. */
    JsonNode json() {
        try {
            return MAPPER.readTree(value.orElseThrow());
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("no JSON: " + value, e);
        }
    }

    Operation operation() {
        return Operation.parse(json().get("op").asText()).iterator().next();
    }

    /** {@code TABLE}, in Firebird 6 {@code SCHEMA.TABLE}. */
    String table() {
        JsonNode source = json().get("source");
        String table = source.get("table").asText();
        return source.get("schema").isNull() ? table : source.get("schema").asText() + "." + table;
    }
}
