package org.firebirdcdc.envelope;

import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.firebirdcdc.record.ArrayValue;
import org.firebirdcdc.record.BlobContent;
import org.firebirdcdc.record.BlobValue;
import org.firebirdcdc.record.DecFloat;
import org.firebirdcdc.record.Row;
import org.firebirdcdc.record.ZonedTime;
import org.firebirdcdc.record.ZonedTimestamp;
import org.firebirdcdc.schema.DataType;
import org.firebirdcdc.schema.ValueType;
import org.firebirdcdc.schema.VersionColumn;

/** Makes the writers of columns under the knobs. */
final class ColumnWriters {

    private static final int NANOS_PER_TICK = 1_000_000_000 / Row.TICKS_PER_SECOND;
    private static final int CHUNK = 8192;

    @FunctionalInterface
    private interface ElementWriter {
        void write(JsonOutput out, Object element) throws IOException;
    }

    private ColumnWriters() {}

    /** Whether the image holds only an id: a blob or an array. */
    static boolean isOutsideImage(VersionColumn column) {
        DataType type = column.type().type();
        return type == DataType.BLOB || type == DataType.ARRAY;
    }

    static ColumnWriter of(VersionColumn column, EnvelopeOptions options) {
        int ordinal = column.ordinal();
        ValueType type = column.type();
        DecimalMode decimals = options.decimals();
        TimeMode times = options.times();
        return switch (type.type()) {
            case CHAR, VARCHAR, CSTRING -> type.isBinary() ? octets(ordinal, options) : text(ordinal, options);
            case SMALLINT, INTEGER, BIGINT, QUAD ->
                ValueSchemas.isDecimal(type)
                        ? (out, row) -> out.decimal(row.unscaledValue(ordinal), type.scale(), decimals)
                        : (out, row) -> out.json().writeNumber(row.unscaledValue(ordinal));
            case INT128 ->
                switch (decimals) {
                    case PRECISE ->
                        (out, row) -> out.decimalBase64(row.image(), row.valueOffset(ordinal), type.length());
                    case STRING, DOUBLE -> (out, row) -> out.decimal(row.getBigDecimal(ordinal), decimals);
                };
            case FLOAT -> (out, row) -> out.json().writeNumber(row.getFloat(ordinal));
            case DOUBLE -> (out, row) -> out.json().writeNumber(row.getDouble(ordinal));
            case BOOLEAN -> (out, row) -> out.json().writeBoolean(row.getBoolean(ordinal));
            case DECFLOAT16, DECFLOAT34 -> (out, row) -> decFloat(out, row.getDecFloat(ordinal), decimals);
            case DATE -> (out, row) -> out.date(row.epochDay(ordinal), times);
            case TIME -> (out, row) -> out.time(row.timeTicks(ordinal), times);
            case TIMESTAMP -> (out, row) -> out.timestamp(row.timestampTicks(ordinal), times);
            case TIME_TZ, EX_TIME_TZ -> (out, row) -> zoned(out, row.getZonedTime(ordinal), times);
            case TIMESTAMP_TZ, EX_TIMESTAMP_TZ -> (out, row) -> zoned(out, row.getZonedTimestamp(ordinal), times);
            case BLOB -> type.isBinary() ? binaryBlob(column, options) : textBlob(column, options);
            case ARRAY -> array(column, options);
        };
    }

    private static ColumnWriter octets(int ordinal, EnvelopeOptions options) {
        BinaryMode mode = options.binary();
        return (out, row) -> {
            long span = row.bytesSpan(ordinal);
            out.binary(row.image(), Row.spanStart(span), Row.spanLength(span), mode);
        };
    }

    private static ColumnWriter text(int ordinal, EnvelopeOptions options) {
        boolean trimChar = options.trimChar();
        return (out, row) -> {
            long span = row.utf8Span(ordinal, trimChar);
            if (span >= 0) {
                out.json().writeUTF8String(row.image(), Row.spanStart(span), Row.spanLength(span));
            } else {
                out.json().writeString(row.text(ordinal, trimChar));
            }
        };
    }

    private static void decFloat(JsonOutput out, DecFloat value, DecimalMode mode) throws IOException {
        switch (mode) {
            case PRECISE, STRING -> out.json().writeString(value.toString());
            case DOUBLE -> out.json().writeNumber(value.doubleValue());
        }
    }

    /** Where Java lacks the rules of a region, the same time in UTC. */
    private static void zoned(JsonOutput out, ZonedTime value, TimeMode mode) throws IOException {
        switch (mode) {
            case FIREBIRD -> out.json().writeString(value.toString());
            case ADAPTIVE, ADAPTIVE_TIME_MICROSECONDS, CONNECT, ISOSTRING, MICROSECONDS, NANOSECONDS -> {
                ZoneOffset offset = value.offset().orElse(ZoneOffset.UTC);
                out.offsetTime(value.utc().plusSeconds(offset.getTotalSeconds()), offset);
            }
        }
    }

    /** Where Java lacks the rules of a region, the same instant in UTC. */
    private static void zoned(JsonOutput out, ZonedTimestamp value, TimeMode mode) throws IOException {
        switch (mode) {
            case FIREBIRD -> out.json().writeString(value.toString());
            case ADAPTIVE, ADAPTIVE_TIME_MICROSECONDS, CONNECT, ISOSTRING, MICROSECONDS, NANOSECONDS -> {
                ZoneOffset offset = value.offset().orElse(ZoneOffset.UTC);
                out.offsetTimestamp(value.utc().plusSeconds(offset.getTotalSeconds()), offset);
            }
        }
    }

    private static ColumnWriter textBlob(VersionColumn column, EnvelopeOptions options) {
        int ordinal = column.ordinal();
        return content(column, options, new ContentWriter() {
            @Override
            public void writeWhole(JsonOutput out, Row row, BlobContent content) throws IOException {
                out.json().writeString(row.getBlob(ordinal).text());
            }

            @Override
            public void writeStart(JsonOutput out, Row row, BlobContent content, int limit) throws IOException {
                out.json().writeString(startOf(row.getBlob(ordinal), limit));
            }
        });
    }

    private static ColumnWriter binaryBlob(VersionColumn column, EnvelopeOptions options) {
        BinaryMode mode = options.binary();
        return content(column, options, new ContentWriter() {
            @Override
            public void writeWhole(JsonOutput out, Row row, BlobContent content) throws IOException {
                writeStart(out, row, content, (int) content.length());
            }

            @Override
            public void writeStart(JsonOutput out, Row row, BlobContent content, int limit) throws IOException {
                Optional<byte[]> inMemory = content.inMemory();
                if (inMemory.isPresent()) {
                    out.binary(inMemory.get(), 0, limit, mode);
                    return;
                }
                try (InputStream stream = content.open()) {
                    out.binary(stream, limit, mode);
                }
            }
        });
    }

    private static ColumnWriter array(VersionColumn column, EnvelopeOptions options) {
        int ordinal = column.ordinal();
        ColumnWriter unavailable = unavailable(column, options);
        if (column.element().isEmpty()) {
            return unavailable;
        }
        ElementWriter element = elementWriter(column.element().get(), options);
        return content(column, options, new ContentWriter() {
            @Override
            public void writeWhole(JsonOutput out, Row row, BlobContent content) throws IOException {
                ArrayValue array = row.getArray(ordinal);
                if (options.valueSchema() && array.dimensions().size() != column.dimensions()) {
                    throw new UnencodableException("an array of "
                            + array.dimensions().size() + " dimensions does not fit the schema, which has "
                            + column.dimensions() + ": the metadata in use is not that of this change; "
                            + "check it, or set valueSchema=false");
                }
                writeNested(out, array.nested(), array.dimensions().size(), element);
            }

            @Override
            public void writeStart(JsonOutput out, Row row, BlobContent content, int limit) throws IOException {
                unavailable.write(out, row);
            }
        });
    }

    private static void writeNested(JsonOutput out, List<?> level, int depth, ElementWriter element)
            throws IOException {
        out.json().writeStartArray();
        for (Object value : level) {
            if (depth > 1) {
                writeNested(out, (List<?>) value, depth - 1, element);
            } else {
                element.write(out, value);
            }
        }
        out.json().writeEndArray();
    }

    private static ElementWriter elementWriter(ValueType type, EnvelopeOptions options) {
        DecimalMode decimals = options.decimals();
        TimeMode times = options.times();
        return switch (type.type()) {
            case CHAR, VARCHAR, CSTRING -> {
                if (type.isBinary()) {
                    yield (out, value) -> out.binary((byte[]) value, 0, ((byte[]) value).length, options.binary());
                }
                boolean trim = options.trimChar() && type.type() == DataType.CHAR;
                yield (out, value) -> out.json().writeString(trim ? withoutPadding((String) value) : (String) value);
            }
            case SMALLINT, INTEGER, BIGINT, QUAD ->
                ValueSchemas.isDecimal(type)
                        ? (out, value) -> out.decimal((BigDecimal) value, decimals)
                        : (out, value) -> out.json().writeNumber(((Number) value).longValue());
            case INT128 ->
                type.isDecimal()
                        ? (out, value) -> out.decimal((BigDecimal) value, decimals)
                        : (out, value) -> out.decimal(new BigDecimal((BigInteger) value), decimals);
            case FLOAT -> (out, value) -> out.json().writeNumber((Float) value);
            case DOUBLE -> (out, value) -> out.json().writeNumber((Double) value);
            case BOOLEAN -> (out, value) -> out.json().writeBoolean((Boolean) value);
            case DECFLOAT16, DECFLOAT34 -> (out, value) -> decFloat(out, (DecFloat) value, decimals);
            case DATE -> (out, value) -> out.date(((LocalDate) value).toEpochDay(), times);
            case TIME -> (out, value) -> out.time(((LocalTime) value).toNanoOfDay() / NANOS_PER_TICK, times);
            case TIMESTAMP -> (out, value) -> out.timestamp(ticks((LocalDateTime) value), times);
            case TIME_TZ, EX_TIME_TZ -> (out, value) -> zoned(out, (ZonedTime) value, times);
            case TIMESTAMP_TZ, EX_TIMESTAMP_TZ -> (out, value) -> zoned(out, (ZonedTimestamp) value, times);
            case BLOB, ARRAY -> throw new UnencodableException("an array of " + type.type() + " cannot exist");
        };
    }

    private static long ticks(LocalDateTime timestamp) {
        return timestamp.toEpochSecond(ZoneOffset.UTC) * Row.TICKS_PER_SECOND + timestamp.getNano() / NANOS_PER_TICK;
    }

    private static String withoutPadding(String text) {
        int end = text.length();
        while (end > 0 && text.charAt(end - 1) == ' ') {
            end--;
        }
        return text.substring(0, end);
    }

    private interface ContentWriter {

        void writeWhole(JsonOutput out, Row row, BlobContent content) throws IOException;

        /** @param limit bytes, less than the content has */
        void writeStart(JsonOutput out, Row row, BlobContent content, int limit) throws IOException;
    }

    /** Decides by the length, before anything is read, what is written of a content outside the image. */
    private static ColumnWriter content(VersionColumn column, EnvelopeOptions options, ContentWriter writer) {
        int ordinal = column.ordinal();
        ColumnWriter unavailable = unavailable(column, options);
        if (!options.includeBlobs()) {
            return unavailable;
        }
        long limit = options.blobInlineLimit();
        return (out, row) -> {
            Optional<BlobContent> content = row.content(ordinal);
            if (content.isEmpty()) {
                unavailable.write(out, row);
            } else if (content.get().length() <= limit) {
                writer.writeWhole(out, row, content.get());
            } else {
                switch (options.blobOverflow()) {
                    case FAIL ->
                        throw new UnencodableException("a content of "
                                + content.get().length()
                                + " bytes is longer than blobInlineLimit, " + limit + "; raise blobInlineLimit, or set "
                                + "blobOverflow=truncate, blobOverflow=placeholder or includeBlobs=false");
                    case TRUNCATE -> writer.writeStart(out, row, content.get(), (int) limit);
                    case PLACEHOLDER -> unavailable.write(out, row);
                }
            }
        };
    }

    /**
     * The value for what is not there. Where a schema goes along it must fit: base64 for bytes, null for arrays; else it
     * is plain text, so that it is easy to recognise.
     */
    private static ColumnWriter unavailable(VersionColumn column, EnvelopeOptions options) {
        Optional<String> text = options.unavailableValue();
        if (text.isEmpty() || options.valueSchema() && column.type().type() == DataType.ARRAY) {
            return (out, row) -> out.json().writeNull();
        }
        if (options.valueSchema() && column.type().isBinary() && options.binary() == BinaryMode.BYTES) {
            byte[] bytes = text.get().getBytes(StandardCharsets.UTF_8);
            return (out, row) -> out.binary(bytes, 0, bytes.length, BinaryMode.BYTES);
        }
        return (out, row) -> out.json().writeString(text.get());
    }

    /** The longest start of a text that has at most so many bytes in UTF-8 and ends at a character border. */
    private static String startOf(BlobValue blob, int limit) throws IOException {
        StringBuilder start = new StringBuilder(Math.min(limit, CHUNK));
        char[] chunk = new char[CHUNK];
        try (Reader reader = blob.reader()) {
            int room = limit;
            int read = reader.read(chunk);
            while (read > 0 && start.length() < limit) {
                start.append(chunk, 0, read);
                read = reader.read(chunk);
            }
            int end = 0;
            while (end < start.length()) {
                int character = start.codePointAt(end);
                room -= character < 0x80 ? 1 : character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
                if (room < 0) {
                    break;
                }
                end += Character.charCount(character);
            }
            return start.substring(0, end);
        }
    }
}
