package org.firebirdcdc.record;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Optional;
import org.firebirdcdc.schema.DataType;
import org.firebirdcdc.schema.ValueType;

/**
 * Reads single values out of bytes (segment-format.md 7.3), those of columns and of array elements alike. All methods throw
 * {@link BadValueException} for bytes that are no value of the type. They trust offsets: the caller has checked that the
 * value's bytes are there.
 */
final class ValueCodec {

    /** Date, time and timestamp count in 1/10000 s. */
    static final int TICKS_PER_SECOND = 10_000;

    static final long TICKS_PER_DAY = 24L * 60 * 60 * TICKS_PER_SECOND;

    private static final int NANOS_PER_TICK = 100_000;
    private static final int FIRST_DAY = -678_575;
    private static final int LAST_DAY = 2_973_483;
    /** Firebird's day number of 1970-01-01: day 0 is 1858-11-17. */
    private static final int EPOCH_DAY = 40_587;

    private static final int SECONDS_PER_MINUTE = 60;
    private static final int GREATEST_OFFSET_MINUTES = 18 * 60;
    private static final int COUNTER = Short.BYTES;
    private static final long LOW_HALF = 0xFFFF_FFFFL;

    private ValueCodec() {}

    /** The value as {@link Row#value(int)} gives it; not for BLOB and ARRAY, whose content stands elsewhere. */
    static Object read(byte[] bytes, int at, ValueType type, RecordDecoding decoding) {
        return switch (type.type()) {
            case CHAR, VARCHAR, CSTRING ->
                type.isBinary() ? bytes(bytes, at, type) : text(bytes, at, type, decoding, false);
            case SMALLINT -> type.isDecimal() ? decimal(bytes, at, type) : (Object) Bytes.i16(bytes, at);
            case INTEGER -> type.isDecimal() ? decimal(bytes, at, type) : (Object) Bytes.i32(bytes, at);
            case BIGINT -> type.isDecimal() ? decimal(bytes, at, type) : (Object) Bytes.i64(bytes, at);
            case QUAD -> type.scale() != 0 ? decimal(bytes, at, type) : (Object) integer(bytes, at, type.type());
            case INT128 -> type.isDecimal() ? decimal(bytes, at, type) : int128(bytes, at);
            case FLOAT -> float32(bytes, at);
            case DOUBLE -> float64(bytes, at);
            case DECFLOAT16 -> DecFloat.read16(bytes, at);
            case DECFLOAT34 -> DecFloat.read34(bytes, at);
            case BOOLEAN -> bool(bytes, at);
            case DATE -> date(bytes, at);
            case TIME -> time(bytes, at);
            case TIMESTAMP -> timestamp(bytes, at);
            case TIME_TZ, EX_TIME_TZ -> zonedTime(bytes, at, type.type(), decoding);
            case TIMESTAMP_TZ, EX_TIMESTAMP_TZ -> zonedTimestamp(bytes, at, type.type(), decoding);
            case BLOB, ARRAY -> throw new BadValueException("a " + type.type() + " stands where it cannot be");
        };
    }

    /** Finds what {@link #read} would throw, without making the value. */
    static void check(byte[] bytes, int at, ValueType type, RecordDecoding decoding) {
        switch (type.type()) {
            case CHAR, VARCHAR, CSTRING -> checkText(bytes, at, type, decoding);
            case BOOLEAN -> bool(bytes, at);
            case DATE -> day(bytes, at);
            case TIME -> ticks(bytes, at);
            case TIMESTAMP -> {
                day(bytes, at);
                ticks(bytes, at + Integer.BYTES);
            }
            case TIME_TZ, EX_TIME_TZ -> {
                ticks(bytes, at);
                checkZone(bytes, at + Integer.BYTES, type.type(), decoding);
            }
            case TIMESTAMP_TZ, EX_TIMESTAMP_TZ -> {
                day(bytes, at);
                ticks(bytes, at + Integer.BYTES);
                checkZone(bytes, at + 2 * Integer.BYTES, type.type(), decoding);
            }
            case SMALLINT, INTEGER, BIGINT, QUAD, INT128, FLOAT, DOUBLE, DECFLOAT16, DECFLOAT34, BLOB, ARRAY -> {
                // every pattern of bits is a value
            }
        }
    }

    // ------------------------------------------------------------------------------------------------ numbers

    /** Whether {@link #integer} reads this type. */
    static boolean isInteger(DataType type) {
        return type == DataType.SMALLINT
                || type == DataType.INTEGER
                || type == DataType.BIGINT
                || type == DataType.QUAD;
    }

    /** The stored integer, before the scale. */
    static long integer(byte[] bytes, int at, DataType type) {
        return switch (type) {
            case SMALLINT -> Bytes.i16(bytes, at);
            case INTEGER -> Bytes.i32(bytes, at);
            case BIGINT -> Bytes.i64(bytes, at);
            // two halves, the high one first
            case QUAD -> (long) Bytes.i32(bytes, at) << Integer.SIZE | Bytes.u32(bytes, at + Integer.BYTES);
            case CHAR,
                    CSTRING,
                    VARCHAR,
                    FLOAT,
                    DOUBLE,
                    DATE,
                    TIME,
                    TIMESTAMP,
                    BLOB,
                    ARRAY,
                    BOOLEAN,
                    DECFLOAT16,
                    DECFLOAT34,
                    INT128,
                    TIME_TZ,
                    TIMESTAMP_TZ,
                    EX_TIME_TZ,
                    EX_TIMESTAMP_TZ -> throw new IllegalArgumentException(type + " is no integer of up to 64 bits");
        };
    }

    static BigInteger int128(byte[] bytes, int at) {
        long low = Bytes.i64(bytes, at);
        long high = Bytes.i64(bytes, at + Long.BYTES);
        if (high == low >> (Long.SIZE - 1)) {
            return BigInteger.valueOf(low);
        }
        byte[] bigEndian = new byte[2 * Long.BYTES];
        for (int i = 0; i < bigEndian.length; i++) {
            bigEndian[i] = bytes[at + bigEndian.length - 1 - i];
        }
        return new BigInteger(bigEndian);
    }

    static BigDecimal decimal(byte[] bytes, int at, ValueType type) {
        return type.type() == DataType.INT128
                ? new BigDecimal(int128(bytes, at), -type.scale())
                : BigDecimal.valueOf(integer(bytes, at, type.type()), -type.scale());
    }

    static float float32(byte[] bytes, int at) {
        return Float.intBitsToFloat(Bytes.i32(bytes, at));
    }

    static double float64(byte[] bytes, int at) {
        return Double.longBitsToDouble(Bytes.i64(bytes, at));
    }

    static boolean bool(byte[] bytes, int at) {
        int value = Bytes.u8(bytes, at);
        if (value > 1) {
            throw new BadValueException("a BOOLEAN has the byte " + value + ", neither 0 nor 1");
        }
        return value == 1;
    }

    // ------------------------------------------------------------------------------------------------ date and time

    /** Days since 1970-01-01. */
    static int day(byte[] bytes, int at) {
        int day = Bytes.i32(bytes, at);
        if (day < FIRST_DAY || day > LAST_DAY) {
            throw new BadValueException("day number " + day + " lies outside the years 1 to 9999");
        }
        return day - EPOCH_DAY;
    }

    /** 1/10000 s since midnight. */
    static long ticks(byte[] bytes, int at) {
        long ticks = Bytes.u32(bytes, at);
        if (ticks >= TICKS_PER_DAY) {
            throw new BadValueException("a time of " + ticks + "/10000 s is longer than a day");
        }
        return ticks;
    }

    static LocalDate date(byte[] bytes, int at) {
        return LocalDate.ofEpochDay(day(bytes, at));
    }

    static LocalTime time(byte[] bytes, int at) {
        return LocalTime.ofNanoOfDay(ticks(bytes, at) * NANOS_PER_TICK);
    }

    static LocalDateTime timestamp(byte[] bytes, int at) {
        return LocalDateTime.of(date(bytes, at), time(bytes, at + Integer.BYTES));
    }

    static ZonedTime zonedTime(byte[] bytes, int at, DataType type, RecordDecoding decoding) {
        LocalTime utc = time(bytes, at);
        Zone zone = zone(bytes, at + Integer.BYTES, decoding);
        return type == DataType.EX_TIME_TZ
                ? new ZonedTime(utc, zone, Optional.of(extendedOffset(bytes, at + Integer.BYTES)))
                : ZonedTime.of(utc, zone);
    }

    static ZonedTimestamp zonedTimestamp(byte[] bytes, int at, DataType type, RecordDecoding decoding) {
        LocalDateTime utc = timestamp(bytes, at);
        Zone zone = zone(bytes, at + 2 * Integer.BYTES, decoding);
        return type == DataType.EX_TIMESTAMP_TZ
                ? new ZonedTimestamp(utc, zone, Optional.of(extendedOffset(bytes, at + 2 * Integer.BYTES)))
                : ZonedTimestamp.of(utc, zone);
    }

    /** Where the zone number of a zoned type stands in its bytes. */
    static int zoneAt(DataType type) {
        return type == DataType.TIME_TZ || type == DataType.EX_TIME_TZ ? Integer.BYTES : 2 * Integer.BYTES;
    }

    static Zone zone(byte[] bytes, int at, RecordDecoding decoding) {
        int id = Bytes.u16(bytes, at);
        return decoding.timeZones().zone(id).orElseThrow(() -> unknownZone(id));
    }

    private static void checkZone(byte[] bytes, int at, DataType type, RecordDecoding decoding) {
        int id = Bytes.u16(bytes, at);
        if (!decoding.timeZones().isKnown(id)) {
            throw unknownZone(id);
        }
        if (type == DataType.EX_TIME_TZ || type == DataType.EX_TIMESTAMP_TZ) {
            extendedOffset(bytes, at);
        }
    }

    private static BadValueException unknownZone(int id) {
        return new BadValueException(
                "time zone id " + id + " is unknown",
                "The server knows a region that the list in use lacks: give the database, or a catalog file that was "
                        + "written by this server, so that RDB$TIME_ZONES is known");
    }

    /** EX types hold the offset that applies, in minutes, behind the zone. */
    private static ZoneOffset extendedOffset(byte[] bytes, int zoneAt) {
        int minutes = Bytes.i16(bytes, zoneAt + Short.BYTES);
        if (Math.abs(minutes) > GREATEST_OFFSET_MINUTES) {
            throw new BadValueException("an offset of " + minutes + " minutes from UTC is out of range");
        }
        return ZoneOffset.ofTotalSeconds(minutes * SECONDS_PER_MINUTE);
    }

    // ------------------------------------------------------------------------------------------------ text

    /**
     * Where the bytes of a text value are, without the counter of a VARCHAR, what follows the NUL of a CSTRING, and, in
     * multi-byte sets, the padding that fills a CHAR beyond its n characters (segment-format.md 7.7).
     *
     * @return start in the high half, number of bytes in the low half
     */
    static long textSpan(byte[] bytes, int at, ValueType type, RecordDecoding decoding) {
        return switch (type.type()) {
            case VARCHAR -> {
                int count = Bytes.u16(bytes, at);
                if (count > type.length() - COUNTER) {
                    throw new BadValueException(
                            "a VARCHAR counts " + count + " bytes and has room for " + (type.length() - COUNTER));
                }
                yield span(at + COUNTER, count);
            }
            case CHAR -> {
                int bytesPerCharacter = Charsets.bytesPerCharacter(type.charsetId());
                if (bytesPerCharacter == 1) {
                    yield span(at, type.length());
                }
                int characters =
                        type.characterLength() > 0 ? type.characterLength() : type.length() / bytesPerCharacter;
                yield span(at, decoding.codec(type.charsetId()).prefixLength(bytes, at, type.length(), characters));
            }
            case CSTRING -> {
                int end = at;
                while (end < at + type.length() && bytes[end] != 0) {
                    end++;
                }
                yield span(at, end - at);
            }
            case SMALLINT,
                    INTEGER,
                    QUAD,
                    FLOAT,
                    DOUBLE,
                    DATE,
                    TIME,
                    TIMESTAMP,
                    BLOB,
                    ARRAY,
                    BIGINT,
                    BOOLEAN,
                    DECFLOAT16,
                    DECFLOAT34,
                    INT128,
                    TIME_TZ,
                    TIMESTAMP_TZ,
                    EX_TIME_TZ,
                    EX_TIMESTAMP_TZ -> throw new IllegalArgumentException(type.type() + " is no text");
        };
    }

    private static long span(int start, int length) {
        return (long) start << Integer.SIZE | length;
    }

    static int spanStart(long span) {
        return (int) (span >>> Integer.SIZE);
    }

    static int spanLength(long span) {
        return (int) (span & LOW_HALF);
    }

    static byte[] bytes(byte[] bytes, int at, ValueType type) {
        long span = textSpan(bytes, at, type, RecordDecoding.DEFAULT);
        return Arrays.copyOfRange(bytes, spanStart(span), spanStart(span) + spanLength(span));
    }

    /**
     * @param trimChar whether trailing blanks of a CHAR are cut
     */
    static String text(byte[] bytes, int at, ValueType type, RecordDecoding decoding, boolean trimChar) {
        TextCodec codec = decoding.codec(type.charsetId());
        long span = textSpan(bytes, at, type, decoding);
        String text = decoding.text(codec, type.charsetId(), bytes, spanStart(span), spanLength(span));
        if (!trimChar || type.type() != DataType.CHAR) {
            return text;
        }
        int end = text.length();
        while (end > 0 && text.charAt(end - 1) == ' ') {
            end--;
        }
        return text.substring(0, end);
    }

    /** As {@link Row#utf8Span}. */
    static long utf8Span(byte[] bytes, int at, ValueType type, RecordDecoding decoding, boolean trimChar) {
        TextCodec codec = decoding.codec(type.charsetId());
        long span = textSpan(bytes, at, type, decoding);
        int start = spanStart(span);
        int length = spanLength(span);
        if (trimChar && type.type() == DataType.CHAR && codec.asciiCompatible()) {
            while (length > 0 && bytes[start + length - 1] == ' ') {
                length--;
            }
        }
        boolean copyable = codec.isUtf8()
                ? codec.isValid(bytes, start, length)
                : codec.asciiCompatible() && Bytes.isAscii(bytes, start, start + length);
        return copyable ? span(start, length) : -1;
    }

    private static void checkText(byte[] bytes, int at, ValueType type, RecordDecoding decoding) {
        long span = textSpan(bytes, at, type, decoding);
        if (type.isBinary()) {
            return;
        }
        TextCodec codec = decoding.codec(type.charsetId());
        if (decoding.malformedText() == MalformedText.FAIL
                && !codec.isValid(bytes, spanStart(span), spanLength(span))) {
            throw decoding.malformed(type.charsetId());
        }
    }
}
