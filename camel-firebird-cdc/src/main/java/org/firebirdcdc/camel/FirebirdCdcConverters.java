package org.firebirdcdc.camel;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.camel.Converter;
import org.firebirdcdc.transaction.CommittedTransaction;
import org.firebirdcdc.transaction.JournalEvent;
import org.firebirdcdc.transaction.SequenceValue;

/**
 * Events in other types, so that endpoints which want text, bytes or a map need no marshal step: always the JSON value of
 * the event's record, in UTF-8. A transaction is a stream of such values, one per line; it has no text or bytes of its own,
 * since those would have to be held in memory.
 */
@Converter(generateLoader = true)
public final class FirebirdCdcConverters {

    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    private static final TypeReference<Map<String, Object>> MAP = new TypeReference<>() {};

    private FirebirdCdcConverters() {}

    @Converter
    public static byte[] toBytes(JournalEvent event) {
        return event.encoder().value(event);
    }

    @Converter
    public static String toText(JournalEvent event) {
        return new String(toBytes(event), StandardCharsets.UTF_8);
    }

    @Converter
    public static InputStream toInputStream(JournalEvent event) {
        return new ByteArrayInputStream(toBytes(event));
    }

    @Converter
    public static JsonNode toJsonNode(JournalEvent event) throws IOException {
        return MAPPER.readTree(toBytes(event));
    }

    @Converter
    public static Map<String, Object> toMap(JournalEvent event) throws IOException {
        return MAPPER.readValue(toBytes(event), MAP);
    }

    @Converter
    public static byte[] toBytes(SequenceValue value) {
        return value.encoder().record(value).value().orElseThrow();
    }

    @Converter
    public static String toText(SequenceValue value) {
        return new String(toBytes(value), StandardCharsets.UTF_8);
    }

    @Converter
    public static InputStream toInputStream(SequenceValue value) {
        return new ByteArrayInputStream(toBytes(value));
    }

    @Converter
    public static JsonNode toJsonNode(SequenceValue value) throws IOException {
        return MAPPER.readTree(toBytes(value));
    }

    @Converter
    public static Map<String, Object> toMap(SequenceValue value) throws IOException {
        return MAPPER.readValue(toBytes(value), MAP);
    }

    @Converter
    public static InputStream toInputStream(CommittedTransaction transaction) {
        return new TransactionLines(transaction.events().iterator(), FirebirdCdcConverters::toBytes);
    }
}
