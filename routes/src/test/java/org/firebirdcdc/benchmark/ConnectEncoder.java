package org.firebirdcdc.benchmark;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.json.JsonConverter;
import org.firebirdcdc.record.Row;
import org.firebirdcdc.schema.VersionColumn;
import org.firebirdcdc.transaction.ChangeEvent;

/**
 * The same events as connectors under Kafka Connect make them: a {@link Struct} for each, which Connect's own JSON converter
 * writes. Knows the columns of the benchmark's table only.
 */
final class ConnectEncoder {

    private static final Schema SOURCE = SchemaBuilder.struct()
            .field("version", Schema.STRING_SCHEMA)
            .field("connector", Schema.STRING_SCHEMA)
            .field("name", Schema.STRING_SCHEMA)
            .field("ts_ms", Schema.INT64_SCHEMA)
            .field("snapshot", Schema.STRING_SCHEMA)
            .field("db", Schema.STRING_SCHEMA)
            .field("sequence", Schema.STRING_SCHEMA)
            .field("ts_us", Schema.INT64_SCHEMA)
            .field("ts_ns", Schema.INT64_SCHEMA)
            .field("schema", Schema.OPTIONAL_STRING_SCHEMA)
            .field("table", Schema.STRING_SCHEMA)
            .field("dbguid", Schema.STRING_SCHEMA)
            .field("segment", Schema.INT64_SCHEMA)
            .field("file", Schema.STRING_SCHEMA)
            .field("pos", Schema.INT64_SCHEMA)
            .field("txId", Schema.INT64_SCHEMA)
            .build();

    private final JsonConverter keys = converter(true);
    private final JsonConverter values = converter(false);
    private final Map<Object, Schemas> known = new HashMap<>();

    private record Schemas(Schema key, Schema row, Schema envelope) {}

    private static JsonConverter converter(boolean key) {
        JsonConverter converter = new JsonConverter();
        converter.configure(Map.of("schemas.enable", "false"), key);
        return converter;
    }

    byte[] key(ChangeEvent event) {
        Schemas schemas = known.computeIfAbsent(event.version(), version -> schemas(event));
        Struct key = new Struct(schemas.key());
        for (VersionColumn column : event.version().key()) {
            key.put(column.name(), value(event.row(), column));
        }
        return keys.fromConnectData(event.table().toString(), schemas.key(), key);
    }

    byte[] value(ChangeEvent event) {
        Schemas schemas = known.computeIfAbsent(event.version(), version -> schemas(event));
        Instant now = Instant.now();
        long millis = event.transaction().timestampMillis();
        Struct source = new Struct(SOURCE)
                .put("version", "1")
                .put("connector", "firebird")
                .put("name", Benchmark.PREFIX)
                .put("ts_ms", millis)
                .put("snapshot", "false")
                .put("db", Benchmark.PREFIX)
                .put(
                        "sequence",
                        "[\"" + event.position().segment() + "\",\""
                                + event.position().offset() + "\"]")
                .put("ts_us", millis * 1000)
                .put("ts_ns", millis * 1_000_000)
                .put("table", event.table().name())
                .put("dbguid", event.transaction().guid().toString())
                .put("segment", event.position().segment())
                .put("file", event.transaction().file())
                .put("pos", event.position().offset())
                .put("txId", event.transaction().number());
        Struct envelope = new Struct(schemas.envelope())
                .put("before", event.before().map(row -> struct(schemas, row)).orElse(null))
                .put("after", event.after().map(row -> struct(schemas, row)).orElse(null))
                .put("source", source)
                .put("op", event.operation().code())
                .put("ts_ms", now.toEpochMilli())
                .put("ts_us", now.getEpochSecond() * 1_000_000 + now.getNano() / 1000)
                .put("ts_ns", now.getEpochSecond() * 1_000_000_000 + now.getNano());
        return values.fromConnectData(event.table().toString(), schemas.envelope(), envelope);
    }

    private static Struct struct(Schemas schemas, Row row) {
        Struct struct = new Struct(schemas.row());
        for (VersionColumn column : row.columns()) {
            struct.put(column.name(), value(row, column));
        }
        return struct;
    }

    private static Object value(Row row, VersionColumn column) {
        if (row.isNull(column.ordinal())) {
            return null;
        }
        return switch (column.name()) {
            case "PLACED" ->
                row.getLocalDateTime(column.ordinal()).toEpochSecond(ZoneOffset.UTC) * 1_000_000
                        + row.getLocalDateTime(column.ordinal()).getNano() / 1000;
            case "AMOUNT" -> row.getBigDecimal(column.ordinal()).toPlainString();
            default -> row.value(column.ordinal());
        };
    }

    private static Schemas schemas(ChangeEvent event) {
        SchemaBuilder key = SchemaBuilder.struct();
        for (VersionColumn column : event.version().key()) {
            key.field(column.name(), type(column));
        }
        SchemaBuilder row = SchemaBuilder.struct().optional();
        for (VersionColumn column : event.version().columns()) {
            row.field(column.name(), type(column));
        }
        Schema image = row.build();
        Schema envelope = SchemaBuilder.struct()
                .field("before", image)
                .field("after", image)
                .field("source", SOURCE)
                .field("op", Schema.STRING_SCHEMA)
                .field("ts_ms", Schema.INT64_SCHEMA)
                .field("ts_us", Schema.INT64_SCHEMA)
                .field("ts_ns", Schema.INT64_SCHEMA)
                .field("transaction", SchemaBuilder.struct().optional().build())
                .build();
        return new Schemas(key.build(), image, envelope);
    }

    private static Schema type(VersionColumn column) {
        return switch (column.name()) {
            case "ID", "PLACED" -> Schema.OPTIONAL_INT64_SCHEMA;
            case "CUSTOMER_ID" -> Schema.OPTIONAL_INT32_SCHEMA;
            case "PAID" -> Schema.OPTIONAL_BOOLEAN_SCHEMA;
            default -> Schema.OPTIONAL_STRING_SCHEMA;
        };
    }
}
