package org.firebirdcdc.record;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.firebirdcdc.journal.ObjectName;
import org.firebirdcdc.schema.DataType;
import org.firebirdcdc.schema.TableVersion;
import org.firebirdcdc.schema.ValueType;
import org.firebirdcdc.schema.VersionColumn;

/**
 * A record image read through the record format of its table (segment-format.md 7). Values are decoded when they are asked
 * for, each time anew. Columns are asked for by ordinal ({@link VersionColumn#ordinal()}) or by name.
 *
 * <p>A row may be kept for any time and used by several threads: whoever makes it hands over an array that nobody changes
 * or reuses any more. Contents of blobs are read from the journal when they are asked for, so they end with its files.
 *
 * <p>Errors: {@link RecordDecodeException} if the bytes are no value of the column's type; {@link
 * IllegalArgumentException} for an unknown column or the wrong getter; {@link IllegalStateException} if a getter of a
 * primitive type meets NULL. Other getters give null for NULL.
 */
public final class Row {

    /** Unit of {@link #timeTicks(int)} and {@link #timestampTicks(int)}. */
    public static final int TICKS_PER_SECOND = ValueCodec.TICKS_PER_SECOND;

    private static final int ZONE_BYTES = Short.BYTES;

    private final TableVersion version;
    private final byte[] image;
    private final int offset;
    private final BlobSource blobs;
    private final RecordDecoding decoding;
    private final RecordContext context;

    /**
     * Decodes nothing yet.
     *
     * @param version how to read the image
     * @param image   array that holds the image, from now on never changed
     * @param offset  where the image begins
     * @param length  its bytes
     * @param blobs   contents of its blobs; {@link BlobSource#NONE} if the journal has only ids
     * @param context where it stands, for errors
     * @throws RecordDecodeException if the length is not that of the format
     */
    public Row(
            TableVersion version,
            byte[] image,
            int offset,
            int length,
            BlobSource blobs,
            RecordDecoding decoding,
            RecordContext context) {
        Objects.checkFromIndexSize(offset, length, image.length);
        this.version = Objects.requireNonNull(version, "version");
        this.image = image;
        this.offset = offset;
        this.blobs = Objects.requireNonNull(blobs, "blobs");
        this.decoding = Objects.requireNonNull(decoding, "decoding");
        this.context = Objects.requireNonNull(context, "context");
        if (length != version.recordLength()) {
            throw new RecordDecodeException(
                    context,
                    version.table(),
                    Optional.empty(),
                    "a record of " + length + " bytes is not one of format " + version.format() + ", which has "
                            + version.recordLength(),
                    BadValueException.WRONG_BYTES);
        }
    }

    public TableVersion version() {
        return version;
    }

    public ObjectName table() {
        return version.table();
    }

    /** Columns in the order of {@code SELECT *}. */
    public List<VersionColumn> columns() {
        return version.columns();
    }

    // ------------------------------------------------------------------------------------------------ any value

    public boolean isNull(int ordinal) {
        return isNull(column(ordinal));
    }

    public boolean isNull(String name) {
        return isNull(column(name));
    }

    private boolean isNull(VersionColumn column) {
        int id = column.fieldId();
        return (image[offset + id / Byte.SIZE] >> id % Byte.SIZE & 1) != 0;
    }

    /**
     * The value, null for NULL:
     *
     * <ul>
     *   <li>SMALLINT {@link Short}, INTEGER {@link Integer}, BIGINT {@link Long}, INT128 {@link BigInteger}; NUMERIC and
     *       DECIMAL in any of them {@link BigDecimal} with the declared scale
     *   <li>FLOAT {@link Float}, DOUBLE PRECISION {@link Double}, DECFLOAT {@link DecFloat}, BOOLEAN {@link Boolean}
     *   <li>DATE {@link LocalDate}, TIME {@link LocalTime}, TIMESTAMP {@link LocalDateTime}, with time zone {@link
     *       ZonedTime} and {@link ZonedTimestamp}
     *   <li>text {@link String}, CHAR with its padding; OCTETS {@code byte[]}
     *   <li>BLOB {@link BlobValue}, arrays {@link ArrayValue}, or {@link BlobValue} where the journal has only the id of
     *       the array, or the metadata no type of its elements any more
     * </ul>
     */
    public Object value(int ordinal) {
        return value(column(ordinal));
    }

    public Object value(String name) {
        return value(column(name));
    }

    private Object value(VersionColumn column) {
        if (isNull(column)) {
            return null;
        }
        try {
            return switch (column.type().type()) {
                case BLOB -> blob(column);
                case ARRAY -> arrayOrId(column);
                case CHAR,
                        CSTRING,
                        VARCHAR,
                        SMALLINT,
                        INTEGER,
                        QUAD,
                        FLOAT,
                        DOUBLE,
                        DATE,
                        TIME,
                        TIMESTAMP,
                        BIGINT,
                        BOOLEAN,
                        DECFLOAT16,
                        DECFLOAT34,
                        INT128,
                        TIME_TZ,
                        TIMESTAMP_TZ,
                        EX_TIME_TZ,
                        EX_TIMESTAMP_TZ -> ValueCodec.read(image, at(column), column.type(), decoding);
            };
        } catch (BadValueException e) {
            throw error(column, e);
        }
    }

    /** All values by column name, in the order of {@code SELECT *}. */
    public Map<String, Object> toMap() {
        Map<String, Object> values = new LinkedHashMap<>();
        for (VersionColumn column : version.columns()) {
            values.put(column.name(), value(column));
        }
        return values;
    }

    /**
     * Checks that every value can be decoded, so that a wrong format or damaged bytes are found before anything of the
     * transaction is delivered. Checks bytes and makes no values, but for arrays. Blobs must be there; their text is
     * checked if it is in memory or {@link RecordDecoding#withCheckedBlobs} asks for it, else as it is read. A time zone
     * must be known by name; Java need not know its rules.
     *
     * @throws RecordDecodeException for the first value that cannot
     */
    public void verify() {
        List<VersionColumn> columns = version.columns();
        for (int i = 0; i < columns.size(); i++) {
            VersionColumn column = columns.get(i);
            if (!isNull(column)) {
                verify(column);
            }
        }
    }

    private void verify(VersionColumn column) {
        try {
            DataType type = column.type().type();
            if (type == DataType.BLOB) {
                blob(column).check();
            } else if (type == DataType.ARRAY) {
                arrayOrId(column);
            } else {
                ValueCodec.check(image, at(column), column.type(), decoding);
            }
        } catch (BadValueException e) {
            throw error(column, e);
        }
    }

    /**
     * Whether a column has the same value in another row of the same version: compares what is decoded, not bytes
     * without meaning (segment-format.md 7.10). Numbers and text that compare as equal in SQL but look different (1.0 and
     * 1.00 as DECFLOAT, trailing blanks of a VARCHAR) are different. Blobs and arrays are the same if their ids are.
     *
     * @throws IllegalArgumentException if the other row is of another version
     */
    public boolean sameValue(int ordinal, Row other) {
        if (other.version != version) {
            throw new IllegalArgumentException("rows of different versions: " + version + ", " + other.version);
        }
        VersionColumn column = column(ordinal);
        boolean isNull = isNull(column);
        if (isNull || other.isNull(column)) {
            return isNull == other.isNull(column);
        }
        return switch (column.type().type()) {
            case CHAR, VARCHAR, CSTRING -> sameText(column, other);
            case TIME_TZ, EX_TIME_TZ, TIMESTAMP_TZ, EX_TIMESTAMP_TZ ->
                sameBytes(column, other, ValueCodec.zoneAt(column.type().type()) + ZONE_BYTES);
            case FLOAT ->
                Float.compare(ValueCodec.float32(image, at(column)), ValueCodec.float32(other.image, other.at(column)))
                        == 0;
            case DOUBLE ->
                Double.compare(ValueCodec.float64(image, at(column)), ValueCodec.float64(other.image, other.at(column)))
                        == 0;
            case SMALLINT,
                    INTEGER,
                    QUAD,
                    DATE,
                    TIME,
                    TIMESTAMP,
                    BLOB,
                    ARRAY,
                    BIGINT,
                    BOOLEAN,
                    DECFLOAT16,
                    DECFLOAT34,
                    INT128 -> sameBytes(column, other, column.type().length());
        };
    }

    private boolean sameBytes(VersionColumn column, Row other, int length) {
        int here = at(column);
        int there = other.at(column);
        return Arrays.equals(image, here, here + length, other.image, there, there + length);
    }

    private boolean sameText(VersionColumn column, Row other) {
        long here = textSpan(column);
        long there = other.textSpan(column);
        int hereStart = ValueCodec.spanStart(here);
        int thereStart = ValueCodec.spanStart(there);
        return Arrays.equals(
                image,
                hereStart,
                hereStart + ValueCodec.spanLength(here),
                other.image,
                thereStart,
                thereStart + ValueCodec.spanLength(there));
    }

    private long textSpan(VersionColumn column) {
        try {
            return ValueCodec.textSpan(image, at(column), column.type(), decoding);
        } catch (BadValueException e) {
            throw error(column, e);
        }
    }

    /**
     * The columns whose values differ, in the order of {@code SELECT *}; see {@link #sameValue}.
     *
     * @throws IllegalArgumentException if the rows are of different versions
     */
    public static List<VersionColumn> changedColumns(Row before, Row after) {
        List<VersionColumn> changed = new ArrayList<>();
        for (VersionColumn column : after.version.columns()) {
            if (!after.sameValue(column.ordinal(), before)) {
                changed.add(column);
            }
        }
        return changed;
    }

    // ------------------------------------------------------------------------------------------------ typed getters

    /** A BOOLEAN. */
    public boolean getBoolean(int ordinal) {
        return getBoolean(column(ordinal));
    }

    public boolean getBoolean(String name) {
        return getBoolean(column(name));
    }

    private boolean getBoolean(VersionColumn column) {
        DataType type = column.type().type();
        require(type == DataType.BOOLEAN, column, "getBoolean");
        requireValue(column);
        return decode(column, () -> ValueCodec.bool(image, at(column)));
    }

    /** A SMALLINT without scale. */
    public short getShort(int ordinal) {
        return getShort(column(ordinal));
    }

    public short getShort(String name) {
        return getShort(column(name));
    }

    private short getShort(VersionColumn column) {
        DataType type = column.type().type();
        require(type == DataType.SMALLINT && hasNoScale(column), column, "getShort");
        requireValue(column);
        return Bytes.i16(image, at(column));
    }

    /** A SMALLINT or INTEGER without scale. */
    public int getInt(int ordinal) {
        return getInt(column(ordinal));
    }

    public int getInt(String name) {
        return getInt(column(name));
    }

    private int getInt(VersionColumn column) {
        DataType type = column.type().type();
        require((type == DataType.SMALLINT || type == DataType.INTEGER) && hasNoScale(column), column, "getInt");
        requireValue(column);
        return (int) ValueCodec.integer(image, at(column), type);
    }

    /** A SMALLINT, INTEGER, BIGINT or QUAD without scale. */
    public long getLong(int ordinal) {
        return getLong(column(ordinal));
    }

    public long getLong(String name) {
        return getLong(column(name));
    }

    private long getLong(VersionColumn column) {
        DataType type = column.type().type();
        require(ValueCodec.isInteger(type) && hasNoScale(column), column, "getLong");
        requireValue(column);
        return ValueCodec.integer(image, at(column), type);
    }

    /** A FLOAT. */
    public float getFloat(int ordinal) {
        return getFloat(column(ordinal));
    }

    public float getFloat(String name) {
        return getFloat(column(name));
    }

    private float getFloat(VersionColumn column) {
        DataType type = column.type().type();
        require(type == DataType.FLOAT, column, "getFloat");
        requireValue(column);
        return ValueCodec.float32(image, at(column));
    }

    /** A FLOAT or DOUBLE PRECISION. */
    public double getDouble(int ordinal) {
        return getDouble(column(ordinal));
    }

    public double getDouble(String name) {
        return getDouble(column(name));
    }

    private double getDouble(VersionColumn column) {
        DataType type = column.type().type();
        require(type == DataType.FLOAT || type == DataType.DOUBLE, column, "getDouble");
        requireValue(column);
        return type == DataType.FLOAT ? ValueCodec.float32(image, at(column)) : ValueCodec.float64(image, at(column));
    }

    /** Any exact number without scale. */
    public BigInteger getBigInteger(int ordinal) {
        return getBigInteger(column(ordinal));
    }

    public BigInteger getBigInteger(String name) {
        return getBigInteger(column(name));
    }

    private BigInteger getBigInteger(VersionColumn column) {
        DataType type = column.type().type();
        require((type.isExactNumeric() || type == DataType.QUAD) && hasNoScale(column), column, "getBigInteger");
        if (isNull(column)) {
            return null;
        }
        return ValueCodec.decimal(image, at(column), column.type()).toBigIntegerExact();
    }

    /** Any exact number, with the declared scale. */
    public BigDecimal getBigDecimal(int ordinal) {
        return getBigDecimal(column(ordinal));
    }

    public BigDecimal getBigDecimal(String name) {
        return getBigDecimal(column(name));
    }

    private BigDecimal getBigDecimal(VersionColumn column) {
        DataType type = column.type().type();
        require(type.isExactNumeric() || type == DataType.QUAD, column, "getBigDecimal");
        if (isNull(column)) {
            return null;
        }
        return ValueCodec.decimal(image, at(column), column.type());
    }

    /** A DECFLOAT. */
    public DecFloat getDecFloat(int ordinal) {
        return getDecFloat(column(ordinal));
    }

    public DecFloat getDecFloat(String name) {
        return getDecFloat(column(name));
    }

    private DecFloat getDecFloat(VersionColumn column) {
        DataType type = column.type().type();
        require(type == DataType.DECFLOAT16 || type == DataType.DECFLOAT34, column, "getDecFloat");
        if (isNull(column)) {
            return null;
        }
        return type == DataType.DECFLOAT16 ? DecFloat.read16(image, at(column)) : DecFloat.read34(image, at(column));
    }

    /** A DATE. */
    public LocalDate getLocalDate(int ordinal) {
        return getLocalDate(column(ordinal));
    }

    public LocalDate getLocalDate(String name) {
        return getLocalDate(column(name));
    }

    private LocalDate getLocalDate(VersionColumn column) {
        DataType type = column.type().type();
        require(type == DataType.DATE, column, "getLocalDate");
        if (isNull(column)) {
            return null;
        }
        return decode(column, () -> ValueCodec.date(image, at(column)));
    }

    /** A TIME. */
    public LocalTime getLocalTime(int ordinal) {
        return getLocalTime(column(ordinal));
    }

    public LocalTime getLocalTime(String name) {
        return getLocalTime(column(name));
    }

    private LocalTime getLocalTime(VersionColumn column) {
        DataType type = column.type().type();
        require(type == DataType.TIME, column, "getLocalTime");
        if (isNull(column)) {
            return null;
        }
        return decode(column, () -> ValueCodec.time(image, at(column)));
    }

    /** A TIMESTAMP. */
    public LocalDateTime getLocalDateTime(int ordinal) {
        return getLocalDateTime(column(ordinal));
    }

    public LocalDateTime getLocalDateTime(String name) {
        return getLocalDateTime(column(name));
    }

    private LocalDateTime getLocalDateTime(VersionColumn column) {
        DataType type = column.type().type();
        require(type == DataType.TIMESTAMP, column, "getLocalDateTime");
        if (isNull(column)) {
            return null;
        }
        return decode(column, () -> ValueCodec.timestamp(image, at(column)));
    }

    /** A TIME WITH TIME ZONE. */
    public ZonedTime getZonedTime(int ordinal) {
        return getZonedTime(column(ordinal));
    }

    public ZonedTime getZonedTime(String name) {
        return getZonedTime(column(name));
    }

    private ZonedTime getZonedTime(VersionColumn column) {
        DataType type = column.type().type();
        require(type == DataType.TIME_TZ || type == DataType.EX_TIME_TZ, column, "getZonedTime");
        if (isNull(column)) {
            return null;
        }
        return decode(column, () -> ValueCodec.zonedTime(image, at(column), type, decoding));
    }

    /** A TIMESTAMP WITH TIME ZONE. */
    public ZonedTimestamp getZonedTimestamp(int ordinal) {
        return getZonedTimestamp(column(ordinal));
    }

    public ZonedTimestamp getZonedTimestamp(String name) {
        return getZonedTimestamp(column(name));
    }

    private ZonedTimestamp getZonedTimestamp(VersionColumn column) {
        DataType type = column.type().type();
        require(type == DataType.TIMESTAMP_TZ || type == DataType.EX_TIMESTAMP_TZ, column, "getZonedTimestamp");
        if (isNull(column)) {
            return null;
        }
        return decode(column, () -> ValueCodec.zonedTimestamp(image, at(column), type, decoding));
    }

    /** Text, a CHAR with its padding to n characters; not OCTETS and not blobs. */
    public String getString(int ordinal) {
        return getString(column(ordinal));
    }

    public String getString(String name) {
        return getString(column(name));
    }

    private String getString(VersionColumn column) {
        DataType type = column.type().type();
        require(type.isText() && !column.type().isBinary(), column, "getString");
        if (isNull(column)) {
            return null;
        }
        return decode(column, () -> ValueCodec.text(image, at(column), column.type(), decoding, false));
    }

    /** The stored bytes of OCTETS or of text, a CHAR with its padding to n characters. */
    public byte[] getBytes(int ordinal) {
        return getBytes(column(ordinal));
    }

    public byte[] getBytes(String name) {
        return getBytes(column(name));
    }

    private byte[] getBytes(VersionColumn column) {
        DataType type = column.type().type();
        require(type.isText(), column, "getBytes");
        if (isNull(column)) {
            return null;
        }
        return copyOf(textSpan(column));
    }

    /** A blob. */
    public BlobValue getBlob(int ordinal) {
        return getBlob(column(ordinal));
    }

    public BlobValue getBlob(String name) {
        return getBlob(column(name));
    }

    private BlobValue getBlob(VersionColumn column) {
        DataType type = column.type().type();
        require(type == DataType.BLOB, column, "getBlob");
        if (isNull(column)) {
            return null;
        }
        return decode(column, () -> blob(column));
    }

    /**
     * An array.
     *
     * @throws IllegalStateException if the journal has only the id of the array, as in old rows
     */
    public ArrayValue getArray(int ordinal) {
        return getArray(column(ordinal));
    }

    public ArrayValue getArray(String name) {
        return getArray(column(name));
    }

    private ArrayValue getArray(VersionColumn column) {
        DataType type = column.type().type();
        require(type == DataType.ARRAY, column, "getArray");
        if (isNull(column)) {
            return null;
        }
        return decode(column, () -> array(column));
    }

    /**
     * Local time and offset of a TIME WITH TIME ZONE.
     *
     * @throws RecordDecodeException if Java does not know the zone's rules
     */
    public OffsetTime getOffsetTime(int ordinal) {
        return getOffsetTime(column(ordinal));
    }

    public OffsetTime getOffsetTime(String name) {
        return getOffsetTime(column(name));
    }

    private OffsetTime getOffsetTime(VersionColumn column) {
        ZonedTime time = getZonedTime(column);
        return time == null ? null : decode(column, () -> local(time::toOffsetTime));
    }

    /**
     * Local date, time and offset of a TIMESTAMP WITH TIME ZONE.
     *
     * @throws RecordDecodeException if Java does not know the zone's rules
     */
    public OffsetDateTime getOffsetDateTime(int ordinal) {
        return getOffsetDateTime(column(ordinal));
    }

    public OffsetDateTime getOffsetDateTime(String name) {
        return getOffsetDateTime(column(name));
    }

    private OffsetDateTime getOffsetDateTime(VersionColumn column) {
        ZonedTimestamp timestamp = getZonedTimestamp(column);
        return timestamp == null ? null : decode(column, () -> local(timestamp::toOffsetDateTime));
    }

    private static <T> T local(Supplier<T> value) {
        try {
            return value.get();
        } catch (DateTimeException e) {
            throw new BadValueException(e.getMessage(), "getZonedTime and getZonedTimestamp give the value in UTC");
        }
    }

    // ------------------------------------------------------------------------------------------------ for encoders

    /** The array that holds the image: read only. */
    public byte[] image() {
        return image;
    }

    /** Index in {@link #image()} of a column's first byte. */
    public int valueOffset(int ordinal) {
        return at(column(ordinal));
    }

    /**
     * The stored integer of a SMALLINT, INTEGER, BIGINT or QUAD: value = integer × 10^scale. NULL has no meaningful
     * integer.
     */
    public long unscaledValue(int ordinal) {
        VersionColumn column = column(ordinal);
        DataType type = column.type().type();
        require(ValueCodec.isInteger(type), column, "unscaledValue");
        return ValueCodec.integer(image, at(column), type);
    }

    /** Days since 1970-01-01 of a DATE that is not NULL. */
    public int epochDay(int ordinal) {
        VersionColumn column = column(ordinal);
        require(column.type().type() == DataType.DATE, column, "epochDay");
        return day(column);
    }

    /** A TIME (UTC time of a zoned one) that is not NULL in 1/10000 s since midnight. */
    public long timeTicks(int ordinal) {
        VersionColumn column = column(ordinal);
        DataType type = column.type().type();
        require(type == DataType.TIME || type == DataType.TIME_TZ || type == DataType.EX_TIME_TZ, column, "timeTicks");
        return ticks(column, 0);
    }

    /** A TIMESTAMP (UTC of a zoned one) that is not NULL in 1/10000 s since 1970-01-01 00:00. */
    public long timestampTicks(int ordinal) {
        VersionColumn column = column(ordinal);
        DataType type = column.type().type();
        require(
                type == DataType.TIMESTAMP || type == DataType.TIMESTAMP_TZ || type == DataType.EX_TIMESTAMP_TZ,
                column,
                "timestampTicks");
        return day(column) * ValueCodec.TICKS_PER_DAY + ticks(column, Integer.BYTES);
    }

    private int day(VersionColumn column) {
        try {
            return ValueCodec.day(image, at(column));
        } catch (BadValueException e) {
            throw error(column, e);
        }
    }

    private long ticks(VersionColumn column, int from) {
        try {
            return ValueCodec.ticks(image, at(column) + from);
        } catch (BadValueException e) {
            throw error(column, e);
        }
    }

    /**
     * Where in {@link #image()} the text of a column that is not NULL stands as valid UTF-8: text in UTF8, and
     * plain ASCII in other sets. Costs no allocation.
     *
     * @param trimChar whether trailing blanks of a CHAR are cut
     * @return for {@link #spanStart(long)} and {@link #spanLength(long)}; -1 if the text must be decoded by {@link
     *     #text(int, boolean)}, which also says what is wrong with malformed text
     */
    public long utf8Span(int ordinal, boolean trimChar) {
        VersionColumn column = textColumn(ordinal, "utf8Span");
        try {
            return ValueCodec.utf8Span(image, at(column), column.type(), decoding, trimChar);
        } catch (BadValueException e) {
            throw error(column, e);
        }
    }

    /** Index in {@link #image()} of the first byte of a span. */
    public static int spanStart(long span) {
        return ValueCodec.spanStart(span);
    }

    /** Bytes of a span. */
    public static int spanLength(long span) {
        return ValueCodec.spanLength(span);
    }

    /**
     * Where in {@link #image()} the bytes of OCTETS, or of text in its own set, that is not NULL stand.
     *
     * @return for {@link #spanStart(long)} and {@link #spanLength(long)}
     */
    public long bytesSpan(int ordinal) {
        VersionColumn column = column(ordinal);
        require(column.type().type().isText(), column, "bytesSpan");
        return textSpan(column);
    }

    /**
     * Stored content of a blob or array that is not NULL: its length is known before anything is read.
     *
     * @return empty if the journal has only the id
     */
    public Optional<BlobContent> content(int ordinal) {
        VersionColumn column = column(ordinal);
        DataType type = column.type().type();
        require(type == DataType.BLOB || type == DataType.ARRAY, column, "content");
        return decode(column, () -> BlobValue.content(blobId(column), blobs));
    }

    /**
     * Text of a column that is not NULL.
     *
     * @param trimChar whether trailing blanks of a CHAR are cut
     */
    public String text(int ordinal, boolean trimChar) {
        VersionColumn column = textColumn(ordinal, "text");
        return decode(column, () -> ValueCodec.text(image, at(column), column.type(), decoding, trimChar));
    }

    private VersionColumn textColumn(int ordinal, String getter) {
        VersionColumn column = column(ordinal);
        require(column.type().type().isText() && !column.type().isBinary(), column, getter);
        return column;
    }

    // ------------------------------------------------------------------------------------------------ parts

    private VersionColumn column(int ordinal) {
        return version.columns().get(ordinal);
    }

    private VersionColumn column(String name) {
        return version.column(name)
                .orElseThrow(() -> new IllegalArgumentException("table " + version.table() + " has no column " + name
                        + "; it has "
                        + version.columns().stream().map(VersionColumn::name).toList()));
    }

    private int at(VersionColumn column) {
        return offset + column.offset();
    }

    private byte[] copyOf(long span) {
        int start = ValueCodec.spanStart(span);
        return Arrays.copyOfRange(image, start, start + ValueCodec.spanLength(span));
    }

    private static boolean hasNoScale(VersionColumn column) {
        return column.type().scale() == 0;
    }

    private void require(boolean fits, VersionColumn column, String getter) {
        if (!fits) {
            ValueType type = column.type();
            throw new IllegalArgumentException("column " + column.name() + " of table " + version.table() + " is "
                    + type.type() + (type.scale() == 0 ? "" : " with scale " + -type.scale())
                    + (type.isBinary() ? " in OCTETS" : "") + ", which " + getter + " does not read");
        }
    }

    private void requireValue(VersionColumn column) {
        if (isNull(column)) {
            throw new IllegalStateException("column " + column.name() + " of table " + version.table()
                    + " is NULL: ask isNull first, or value()");
        }
    }

    private BlobValue blob(VersionColumn column) {
        long id = blobId(column);
        return BlobValue.of(id, column.type(), blobs, decoding, e -> error(column, e));
    }

    /** As in images and in the journal: high half first. */
    private long blobId(VersionColumn column) {
        int at = at(column);
        return Bytes.u32(image, at) << Integer.SIZE | Bytes.u32(image, at + Integer.BYTES);
    }

    private ArrayValue array(VersionColumn column) {
        if (arrayOrId(column) instanceof ArrayValue array) {
            return array;
        }
        throw new IllegalStateException("column " + column.name() + " of table " + version.table()
                + (column.element().isPresent()
                        ? ": the journal holds only the id of the array, as of all arrays in old rows"
                        : ": the column was dropped, and with it the type of the array's elements"));
    }

    private Object arrayOrId(VersionColumn column) {
        Optional<BlobContent> content = BlobValue.content(blobId(column), blobs);
        return content.isEmpty() || column.element().isEmpty()
                ? blob(column)
                : ArrayValue.read(
                        BlobValue.read(content.get()), column.element().get(), decoding);
    }

    private <T> T decode(VersionColumn column, Supplier<T> value) {
        try {
            return value.get();
        } catch (BadValueException e) {
            throw error(column, e);
        }
    }

    private RecordDecodeException error(VersionColumn column, BadValueException problem) {
        return new RecordDecodeException(
                context, version.table(), Optional.of(column.name()), problem.getMessage(), problem.advice());
    }

    /** Names table, format and place, no values. */
    @Override
    public String toString() {
        return "row of " + version + " at " + context.position();
    }
}
