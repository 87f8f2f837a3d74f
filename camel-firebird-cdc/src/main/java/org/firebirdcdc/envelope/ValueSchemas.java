package org.firebirdcdc.envelope;

import java.util.List;
import java.util.Map;
import org.firebirdcdc.schema.DataType;
import org.firebirdcdc.schema.ValueType;
import org.firebirdcdc.schema.VersionColumn;

/** Connect schemas of columns under the knobs (formats.md 2.3, 2.6). */
final class ValueSchemas {

    private static final String DEBEZIUM_TIME = "io.debezium.time.";
    private static final String CONNECT = "org.apache.kafka.connect.data.";

    private ValueSchemas() {}

    static ConnectSchema of(VersionColumn column, EnvelopeOptions options) {
        if (column.type().type() != DataType.ARRAY) {
            // what is not in the image may be missing whatever the column's own rule is
            boolean outside = ColumnWriters.isOutsideImage(column);
            return of(column.type(), options)
                    .orNull(column.nullable()
                            || outside && options.unavailableValue().isEmpty());
        }
        // of a dropped column nothing but null is left
        ConnectSchema array = column.element()
                .map(element -> of(element, options))
                .orElse(ConnectSchema.STRING)
                .orNull();
        for (int i = 0; i < Math.max(1, column.dimensions()); i++) {
            array = ConnectSchema.array(array).orNull();
        }
        return array;
    }

    /** As for {@link org.firebirdcdc.record.Row}: the legacy QUAD is a decimal by its scale alone. */
    static boolean isDecimal(ValueType type) {
        return type.isDecimal() || type.type() == DataType.QUAD && type.scale() != 0;
    }

    private static ConnectSchema of(ValueType type, EnvelopeOptions options) {
        return switch (type.type()) {
            case CHAR, VARCHAR, CSTRING, BLOB -> type.isBinary() ? binary(options.binary()) : ConnectSchema.STRING;
            case SMALLINT -> isDecimal(type) ? decimal(type, options.decimals()) : ConnectSchema.INT16;
            case INTEGER -> isDecimal(type) ? decimal(type, options.decimals()) : ConnectSchema.INT32;
            case BIGINT -> isDecimal(type) ? decimal(type, options.decimals()) : ConnectSchema.INT64;
            case INT128 -> decimal(type, options.decimals());
            case QUAD -> isDecimal(type) ? decimal(type, options.decimals()) : ConnectSchema.INT64;
            case ARRAY -> throw new UnencodableException("an array of arrays cannot exist");
            case FLOAT -> ConnectSchema.FLOAT;
            case DOUBLE -> ConnectSchema.DOUBLE;
            case BOOLEAN -> ConnectSchema.BOOLEAN;
            case DECFLOAT16, DECFLOAT34 ->
                switch (options.decimals()) {
                    case PRECISE, STRING -> ConnectSchema.STRING;
                    case DOUBLE -> ConnectSchema.DOUBLE;
                };
            case DATE -> date(options.times());
            case TIME -> time(options.times());
            case TIMESTAMP -> timestamp(options.times());
            case TIME_TZ, EX_TIME_TZ -> zoned("ZonedTime", options.times());
            case TIMESTAMP_TZ, EX_TIMESTAMP_TZ -> zoned("ZonedTimestamp", options.times());
        };
    }

    private static ConnectSchema decimal(ValueType type, DecimalMode mode) {
        return switch (mode) {
            case PRECISE ->
                ConnectSchema.BYTES
                        .named(CONNECT + "Decimal")
                        .parameters(List.of(
                                Map.entry("scale", String.valueOf(-type.scale())),
                                Map.entry("connect.decimal.precision", String.valueOf(type.effectivePrecision()))));
            case STRING -> ConnectSchema.STRING;
            case DOUBLE -> ConnectSchema.DOUBLE;
        };
    }

    private static ConnectSchema binary(BinaryMode mode) {
        return switch (mode) {
            case BYTES -> ConnectSchema.BYTES;
            case BASE64, BASE64_URL_SAFE, HEX -> ConnectSchema.STRING;
        };
    }

    private static ConnectSchema date(TimeMode mode) {
        return switch (mode) {
            case ADAPTIVE, ADAPTIVE_TIME_MICROSECONDS, MICROSECONDS, NANOSECONDS ->
                ConnectSchema.INT32.named(DEBEZIUM_TIME + "Date");
            case CONNECT -> ConnectSchema.INT32.named(CONNECT + "Date");
            case ISOSTRING -> ConnectSchema.STRING.named(DEBEZIUM_TIME + "IsoDate");
            case FIREBIRD -> ConnectSchema.STRING;
        };
    }

    private static ConnectSchema time(TimeMode mode) {
        return switch (mode) {
            case ADAPTIVE, ADAPTIVE_TIME_MICROSECONDS, MICROSECONDS ->
                ConnectSchema.INT64.named(DEBEZIUM_TIME + "MicroTime");
            case NANOSECONDS -> ConnectSchema.INT64.named(DEBEZIUM_TIME + "NanoTime");
            case CONNECT -> ConnectSchema.INT32.named(CONNECT + "Time");
            case ISOSTRING -> ConnectSchema.STRING.named(DEBEZIUM_TIME + "IsoTime");
            case FIREBIRD -> ConnectSchema.STRING;
        };
    }

    private static ConnectSchema timestamp(TimeMode mode) {
        return switch (mode) {
            case ADAPTIVE, ADAPTIVE_TIME_MICROSECONDS, MICROSECONDS ->
                ConnectSchema.INT64.named(DEBEZIUM_TIME + "MicroTimestamp");
            case NANOSECONDS -> ConnectSchema.INT64.named(DEBEZIUM_TIME + "NanoTimestamp");
            case CONNECT -> ConnectSchema.INT64.named(CONNECT + "Timestamp");
            case ISOSTRING -> ConnectSchema.STRING.named(DEBEZIUM_TIME + "IsoTimestamp");
            case FIREBIRD -> ConnectSchema.STRING;
        };
    }

    private static ConnectSchema zoned(String name, TimeMode mode) {
        return switch (mode) {
            case ADAPTIVE, ADAPTIVE_TIME_MICROSECONDS, CONNECT, ISOSTRING, MICROSECONDS, NANOSECONDS ->
                ConnectSchema.STRING.named(DEBEZIUM_TIME + name);
            case FIREBIRD -> ConnectSchema.STRING;
        };
    }
}
