package org.firebirdcdc.envelope;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.firebirdcdc.journal.JournalPosition;
import org.firebirdcdc.journal.ObjectName;
import org.firebirdcdc.record.BlobContent;
import org.firebirdcdc.record.BlobSource;
import org.firebirdcdc.record.RecordContext;
import org.firebirdcdc.record.RecordDecoding;
import org.firebirdcdc.record.Row;
import org.firebirdcdc.schema.DataType;
import org.firebirdcdc.schema.TableVersion;
import org.firebirdcdc.schema.ValueType;
import org.firebirdcdc.schema.VersionColumn;

/**
 * A table made by hand, and record images of it from Java values (segment-format.md 7.3). Values stand one behind the
 * other without alignment.
 */
final class SampleTable {

    static final ValueType BOOLEAN = type(DataType.BOOLEAN, 1, 0);
    static final ValueType SMALLINT = type(DataType.SMALLINT, 2, 0);
    static final ValueType INTEGER = type(DataType.INTEGER, 4, 0);
    static final ValueType BIGINT = type(DataType.BIGINT, 8, 0);
    static final ValueType INT128 = type(DataType.INT128, 16, 0);
    static final ValueType FLOAT = type(DataType.FLOAT, 4, 0);
    static final ValueType DOUBLE = type(DataType.DOUBLE, 8, 0);
    static final ValueType DECFLOAT16 = type(DataType.DECFLOAT16, 8, 0);
    static final ValueType DATE = type(DataType.DATE, 4, 0);
    static final ValueType TIME = type(DataType.TIME, 4, 0);
    static final ValueType TIMESTAMP = type(DataType.TIMESTAMP, 8, 0);
    static final ValueType TIME_TZ = type(DataType.TIME_TZ, 8, 0);
    static final ValueType TIMESTAMP_TZ = type(DataType.TIMESTAMP_TZ, 12, 0);
    static final ValueType TEXT_BLOB = new ValueType(DataType.BLOB, 8, 0, 1, 0, 4, 0);
    static final ValueType BINARY_BLOB = new ValueType(DataType.BLOB, 8, 0, 0, 0, 0, 0);
    private static final ValueType ARRAY = type(DataType.ARRAY, 8, 0);

    private static final int UTF8 = 4;
    private static final int OCTETS = 1;
    private static final int WIN1251 = 52;
    private static final long MODIFIED_JULIAN_EPOCH = LocalDate.of(1858, 11, 17).toEpochDay();

    private final ObjectName name;
    private final List<VersionColumn> columns = new ArrayList<>();
    private final List<String> key = new ArrayList<>();
    private int format = 1;
    private Optional<TableVersion> version = Optional.empty();

    SampleTable(ObjectName name) {
        this.name = name;
    }

    static SampleTable table(String name) {
        return new SampleTable(ObjectName.of(name));
    }

    /** NUMERIC in the storage of that many bytes. */
    static ValueType numeric(DataType type, int bytes, int scale, int precision) {
        return new ValueType(type, bytes, scale, 1, precision, 0, 0);
    }

    static ValueType character(int characters) {
        return new ValueType(DataType.CHAR, 4 * characters, 0, 0, 0, UTF8, characters);
    }

    static ValueType varchar(int characters) {
        return new ValueType(DataType.VARCHAR, 4 * characters + 2, 0, 0, 0, UTF8, characters);
    }

    static ValueType cyrillic(int characters) {
        return new ValueType(DataType.CHAR, characters, 0, 0, 0, WIN1251, characters);
    }

    static ValueType varbinary(int bytes) {
        return new ValueType(DataType.VARCHAR, bytes + 2, 0, 0, 0, OCTETS, bytes);
    }

    private static ValueType type(DataType type, int length, int scale) {
        return new ValueType(type, length, scale, 0, 0, 0, 0);
    }

    SampleTable column(String column, ValueType type) {
        return add(column, type, Optional.empty(), 0, true);
    }

    SampleTable notNull(String column, ValueType type) {
        return add(column, type, Optional.empty(), 0, false);
    }

    SampleTable array(String column, ValueType element, int dimensions) {
        return add(column, ARRAY, Optional.of(element), dimensions, true);
    }

    SampleTable key(String... columnNames) {
        key.addAll(List.of(columnNames));
        return this;
    }

    SampleTable format(int number) {
        format = number;
        return this;
    }

    /** Ids are given in order; offsets are worked out once all ids, and so the size of the NULL bitmap, are known. */
    private SampleTable add(
            String column, ValueType type, Optional<ValueType> element, int dimensions, boolean nullable) {
        int id = columns.size();
        columns.add(new VersionColumn(column, true, id, id, 0, type, element, dimensions, nullable));
        return this;
    }

    TableVersion version() {
        if (version.isEmpty()) {
            int at = bitmapBytes();
            List<VersionColumn> placed = new ArrayList<>();
            for (VersionColumn column : columns) {
                placed.add(new VersionColumn(
                        column.name(),
                        true,
                        column.ordinal(),
                        column.fieldId(),
                        at,
                        column.type(),
                        column.element(),
                        column.dimensions(),
                        column.nullable()));
                at += column.type().length();
            }
            List<VersionColumn> keyColumns = key.stream()
                    .map(column -> placed.stream()
                            .filter(candidate -> candidate.name().equals(column))
                            .findFirst()
                            .orElseThrow())
                    .toList();
            version = Optional.of(new TableVersion(name, 128, format, at, placed, keyColumns));
        }
        return version.get();
    }

    private int bitmapBytes() {
        return 4 * ((columns.size() + 31) / 32);
    }

    /** A row whose blobs have no content, as old rows and deleted ones. */
    Row oldRow(Object... values) {
        return row(BlobSource.NONE, values);
    }

    Row newRow(Object... values) {
        return row(id -> Optional.empty(), values);
    }

    Row newRow(Map<Long, byte[]> blobs, Object... values) {
        return row(id -> Optional.ofNullable(blobs.get(id)).map(Content::new), values);
    }

    /**
     * @param values one per column: numbers as stored (unscaled), text, {@code java.time} values, blob ids as Long, bytes
     *     as they stand in the image
     */
    Row row(BlobSource blobs, Object... values) {
        byte[] image = image(values);
        return new Row(
                version(),
                image,
                0,
                image.length,
                blobs,
                RecordDecoding.DEFAULT,
                new RecordContext(new JournalPosition(1, 78), "test.journal-000000001"));
    }

    byte[] image(Object... values) {
        ByteBuffer image = ByteBuffer.allocate(version().recordLength()).order(ByteOrder.LITTLE_ENDIAN);
        for (VersionColumn column : version().columns()) {
            Object value = values[column.ordinal()];
            if (value == null) {
                int at = column.fieldId() / 8;
                image.put(at, (byte) (image.get(at) | 1 << column.fieldId() % 8));
            } else {
                put(image.position(column.offset()), column.type(), value);
            }
        }
        return image.array();
    }

    private static void put(ByteBuffer image, ValueType type, Object value) {
        if (value instanceof byte[] bytes && type.type() != DataType.VARCHAR) {
            image.put(bytes);
            return;
        }
        switch (type.type()) {
            case BOOLEAN -> image.put((byte) ((Boolean) value ? 1 : 0));
            case SMALLINT -> image.putShort(((Number) value).shortValue());
            case INTEGER -> image.putInt(((Number) value).intValue());
            case BIGINT -> image.putLong(((Number) value).longValue());
            case INT128 -> {
                BigInteger number = (BigInteger) value;
                image.putLong(number.longValue()).putLong(number.shiftRight(64).longValue());
            }
            case FLOAT -> image.putFloat((Float) value);
            case DOUBLE -> image.putDouble((Double) value);
            case DATE -> image.putInt(day((LocalDate) value));
            case TIME -> image.putInt(ticks((LocalTime) value));
            case TIMESTAMP -> {
                LocalDateTime timestamp = (LocalDateTime) value;
                image.putInt(day(timestamp.toLocalDate())).putInt(ticks(timestamp.toLocalTime()));
            }
            case CHAR -> {
                byte[] padded = new byte[type.length()];
                Arrays.fill(padded, (byte) ' ');
                byte[] text = text(type, value);
                System.arraycopy(text, 0, padded, 0, text.length);
                image.put(padded);
            }
            case VARCHAR -> {
                byte[] bytes = value instanceof byte[] binary ? binary : text(type, value);
                image.putShort((short) bytes.length).put(bytes);
            }
            case BLOB, ARRAY -> {
                long id = (Long) value;
                image.putInt((int) (id >>> 32)).putInt((int) id);
            }
            default -> throw new IllegalArgumentException("give the bytes of " + type.type());
        }
    }

    private static byte[] text(ValueType type, Object value) {
        Charset charset = type.charsetId() == WIN1251 ? Charset.forName("windows-1251") : StandardCharsets.UTF_8;
        return ((String) value).getBytes(charset);
    }

    private static int day(LocalDate date) {
        return (int) (date.toEpochDay() - MODIFIED_JULIAN_EPOCH);
    }

    private static int ticks(LocalTime time) {
        return (int) (time.toNanoOfDay() / 100_000);
    }

    /** TIME WITH TIME ZONE; the two bytes behind the zone are garbage, as in real images. */
    static byte[] timeTz(LocalTime utc, int zone) {
        return ByteBuffer.allocate(8)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(ticks(utc))
                .putShort((short) zone)
                .putShort((short) 0x5AA5)
                .array();
    }

    /** TIMESTAMP WITH TIME ZONE; the two bytes behind the zone are garbage, as in real images. */
    static byte[] timestampTz(LocalDateTime utc, int zone) {
        return ByteBuffer.allocate(12)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(day(utc.toLocalDate()))
                .putInt(ticks(utc.toLocalTime()))
                .putShort((short) zone)
                .putShort((short) 0x5AA5)
                .array();
    }

    /** Content of an array column (segment-format.md 7.9) with lower bounds of 1. */
    byte[] arrayContent(String column, int[] sizes, Object... elements) {
        ValueType element = version().column(column).orElseThrow().element().orElseThrow();
        int header = 16 + 24 * sizes.length;
        ByteBuffer content = ByteBuffer.allocate(header + element.length() * elements.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put((byte) 1)
                .put((byte) sizes.length)
                .putShort((short) 1)
                .putShort((short) element.length())
                .putShort((short) header)
                .putInt(elements.length)
                .putInt(element.length() * elements.length);
        for (int size : sizes) {
            content.position(content.position() + 12);
            content.putInt(element.length()).putInt(1).putInt(size);
        }
        for (int i = 0; i < elements.length; i++) {
            put(content.position(header + i * element.length()), element, elements[i]);
        }
        return content.array();
    }

    /** Bytes at hand. */
    record Content(byte[] bytes) implements BlobContent {

        @Override
        public long length() {
            return bytes.length;
        }

        @Override
        public Optional<byte[]> inMemory() {
            return Optional.of(bytes);
        }

        @Override
        public InputStream open() {
            return new ByteArrayInputStream(bytes);
        }
    }
}
