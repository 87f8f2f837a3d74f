package org.firebirdcdc.envelope;

import com.fasterxml.jackson.core.Base64Variant;
import com.fasterxml.jackson.core.Base64Variants;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;

/**
 * A buffer, a generator that writes into it, and the text forms of single values. Reused from record to record; for one
 * thread at a time. After an exception the instance is spoilt and must be dropped.
 */
final class JsonOutput {

    private static final int FRACTIONS_PER_SECOND = 10_000;
    private static final int FRACTIONS_PER_MILLISECOND = 10;
    private static final int MICROS_PER_FRACTION = 100;
    private static final int NANOS_PER_FRACTION = 100_000;
    private static final long FRACTIONS_PER_DAY = 86_400L * FRACTIONS_PER_SECOND;

    /** Days from 0000-03-01 to 1970-01-01, and of 400 years: the calendar repeats after them. */
    private static final long DAYS_BEFORE_EPOCH = 719_468;

    private static final long DAYS_PER_ERA = 146_097;

    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    /** As java.util.Base64's URL encoder: with padding, which Jackson's own URL variant leaves out. */
    private static final Base64Variant URL_SAFE =
            new Base64Variant(Base64Variants.MODIFIED_FOR_URL, "URL_SAFE_PADDED", true, '=', Integer.MAX_VALUE);

    private static final Base64Variant STANDARD = Base64Variants.MIME_NO_LINEFEEDS;

    /** More digits than these do not fit the scratch buffer with certainty. */
    private static final int MAX_FRACTION = 38;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(1024);
    private final JsonGenerator json;
    private final byte[] scratch = new byte[64];
    private int used;

    /** @param factory one that puts nothing between root values */
    JsonOutput(JsonFactory factory) throws IOException {
        json = factory.createGenerator(bytes);
    }

    JsonGenerator json() {
        return json;
    }

    /** Bytes between values of the generator: of a record that is wrapped in its schema. */
    void raw(byte[] text) throws IOException {
        json.flush();
        bytes.write(text, 0, text.length);
    }

    /** Gives what was written since the last call. */
    byte[] take() throws IOException {
        json.flush();
        byte[] record = bytes.toByteArray();
        bytes.reset();
        return record;
    }

    /**
     * A scaled integer: value = unscaled × 10^scale.
     *
     * @param scale 0 or less for all that SQL can make
     */
    void decimal(long unscaled, int scale, DecimalMode mode) throws IOException {
        switch (mode) {
            case PRECISE -> {
                int length = (Long.SIZE - Long.numberOfLeadingZeros(unscaled < 0 ? ~unscaled : unscaled)) / 8 + 1;
                for (int i = 0; i < length; i++) {
                    scratch[i] = (byte) (unscaled >> 8 * (length - 1 - i));
                }
                json.writeBinary(STANDARD, scratch, 0, length);
            }
            case STRING -> decimalText(unscaled, scale);
            case DOUBLE ->
                json.writeNumber(
                        scale == 0
                                ? (double) unscaled
                                : BigDecimal.valueOf(unscaled, -scale).doubleValue());
        }
    }

    void decimal(BigDecimal value, DecimalMode mode) throws IOException {
        switch (mode) {
            case PRECISE -> {
                byte[] twosComplement = value.unscaledValue().toByteArray();
                json.writeBinary(STANDARD, twosComplement, 0, twosComplement.length);
            }
            case STRING -> json.writeString(value.toPlainString());
            case DOUBLE -> json.writeNumber(value.doubleValue());
        }
    }

    /** Base64 of the shortest big-endian two's complement form of little-endian bytes. */
    void decimalBase64(byte[] littleEndian, int at, int bytes) throws IOException {
        int length = bytes;
        byte sign = (byte) (littleEndian[at + length - 1] >> 7);
        // the highest byte goes if it only repeats the sign bit of the next
        while (length > 1 && littleEndian[at + length - 1] == sign && littleEndian[at + length - 2] >> 7 == sign) {
            length--;
        }
        for (int i = 0; i < length; i++) {
            scratch[i] = littleEndian[at + length - 1 - i];
        }
        json.writeBinary(STANDARD, scratch, 0, length);
    }

    /** All digits of the scale: {@code -1234.5600}. */
    private void decimalText(long unscaled, int scale) throws IOException {
        int fraction = -scale;
        if (fraction < 0 || fraction > MAX_FRACTION) {
            json.writeString(BigDecimal.valueOf(unscaled, fraction).toPlainString());
            return;
        }
        int at = scratch.length;
        long rest = unscaled;
        int digits = 0;
        do {
            // the remainder is negative for negative numbers: Long.MIN_VALUE has no positive counterpart
            scratch[--at] = (byte) ('0' + Math.abs(rest % 10));
            rest /= 10;
            if (++digits == fraction) {
                scratch[--at] = '.';
            }
        } while (rest != 0 || digits <= fraction);
        if (unscaled < 0) {
            scratch[--at] = '-';
        }
        json.writeUTF8String(scratch, at, scratch.length - at);
    }

    /** A position as text that holds a JSON array of texts: {@code "[\"12\",\"1045\"]"}. Neither is negative. */
    void sequence(long segment, long offset) throws IOException {
        used = 0;
        put('[');
        putQuoted(segment);
        put(',');
        putQuoted(offset);
        put(']');
        json.writeRawUTF8String(scratch, 0, used);
    }

    /** @param epochDay days since 1970-01-01 */
    void date(long epochDay, TimeMode mode) throws IOException {
        switch (mode) {
            case ADAPTIVE, ADAPTIVE_TIME_MICROSECONDS, CONNECT, MICROSECONDS, NANOSECONDS -> json.writeNumber(epochDay);
            case ISOSTRING -> {
                used = 0;
                putDate(epochDay);
                put('Z');
                writePut();
            }
            case FIREBIRD -> {
                used = 0;
                putDate(epochDay);
                writePut();
            }
        }
    }

    /** @param fractions 1/10000 s since midnight */
    void time(long fractions, TimeMode mode) throws IOException {
        switch (mode) {
            case ADAPTIVE, ADAPTIVE_TIME_MICROSECONDS, MICROSECONDS ->
                json.writeNumber(fractions * MICROS_PER_FRACTION);
            case CONNECT -> json.writeNumber(fractions / FRACTIONS_PER_MILLISECOND);
            case NANOSECONDS -> json.writeNumber(fractions * NANOS_PER_FRACTION);
            case ISOSTRING -> {
                used = 0;
                putIsoTime(fractions);
                put('Z');
                writePut();
            }
            case FIREBIRD -> {
                used = 0;
                putFirebirdTime(fractions);
                writePut();
            }
        }
    }

    /** @param sinceEpoch 1/10000 s since 1970-01-01 00:00 */
    void timestamp(long sinceEpoch, TimeMode mode) throws IOException {
        switch (mode) {
            case ADAPTIVE, ADAPTIVE_TIME_MICROSECONDS, MICROSECONDS ->
                json.writeNumber(sinceEpoch * MICROS_PER_FRACTION);
            case CONNECT -> json.writeNumber(Math.floorDiv(sinceEpoch, FRACTIONS_PER_MILLISECOND));
            case NANOSECONDS -> json.writeNumber(nanos(sinceEpoch));
            case ISOSTRING -> {
                used = 0;
                putDate(Math.floorDiv(sinceEpoch, FRACTIONS_PER_DAY));
                put('T');
                putIsoTime(Math.floorMod(sinceEpoch, FRACTIONS_PER_DAY));
                put('Z');
                writePut();
            }
            case FIREBIRD -> {
                used = 0;
                putDate(Math.floorDiv(sinceEpoch, FRACTIONS_PER_DAY));
                put(' ');
                putFirebirdTime(Math.floorMod(sinceEpoch, FRACTIONS_PER_DAY));
                writePut();
            }
        }
    }

    private static long nanos(long fractions) {
        try {
            return Math.multiplyExact(fractions, (long) NANOS_PER_FRACTION);
        } catch (ArithmeticException e) {
            throw new UnencodableException("times=nanoseconds reaches from 1677-09-21 to 2262-04-11 only; "
                    + "set times=microseconds, or another mode that reaches further");
        }
    }

    /** ISO time with offset. */
    void offsetTime(LocalTime local, ZoneOffset offset) throws IOException {
        used = 0;
        putIsoTime(local.toNanoOfDay() / NANOS_PER_FRACTION);
        putOffset(offset.getTotalSeconds());
        writePut();
    }

    /** ISO timestamp with offset. */
    void offsetTimestamp(LocalDateTime local, ZoneOffset offset) throws IOException {
        used = 0;
        putDate(local.toLocalDate().toEpochDay());
        put('T');
        putIsoTime(local.toLocalTime().toNanoOfDay() / NANOS_PER_FRACTION);
        putOffset(offset.getTotalSeconds());
        writePut();
    }

    /** Stored bytes of a binary content, read as they are written. */
    void binary(InputStream source, int length, BinaryMode mode) throws IOException {
        switch (mode) {
            case BYTES, BASE64 -> json.writeBinary(STANDARD, source, length);
            case BASE64_URL_SAFE -> json.writeBinary(URL_SAFE, source, length);
            case HEX -> {
                byte[] whole = source.readNBytes(length);
                binary(whole, 0, whole.length, mode);
            }
        }
    }

    void binary(byte[] source, int offset, int length, BinaryMode mode) throws IOException {
        switch (mode) {
            case BYTES, BASE64 -> json.writeBinary(STANDARD, source, offset, length);
            case BASE64_URL_SAFE -> json.writeBinary(URL_SAFE, source, offset, length);
            case HEX -> {
                byte[] digits = 2 * length <= scratch.length ? scratch : new byte[2 * length];
                for (int i = 0; i < length; i++) {
                    digits[2 * i] = HEX[source[offset + i] >> 4 & 0xF];
                    digits[2 * i + 1] = HEX[source[offset + i] & 0xF];
                }
                json.writeRawUTF8String(digits, 0, 2 * length);
            }
        }
    }

    /** {@code YYYY-MM-DD} of the proleptic Gregorian calendar. */
    private void putDate(long epochDay) {
        // years begin in March here, so that the leap day is the last of its year
        long day = epochDay + DAYS_BEFORE_EPOCH;
        long era = Math.floorDiv(day, DAYS_PER_ERA);
        long dayOfEra = day - era * DAYS_PER_ERA;
        long yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365;
        long dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
        long marchMonth = (5 * dayOfYear + 2) / 153;
        int month = (int) (marchMonth < 10 ? marchMonth + 3 : marchMonth - 9);
        int year = (int) (era * 400 + yearOfEra + (month <= 2 ? 1 : 0));
        if (year > 9999) {
            // only as the local date of a UTC timestamp at the calendar's end; ISO 8601 asks for the sign
            put('+');
            put((char) ('0' + year / 10_000));
        }
        put2(year / 100 % 100);
        put2(year % 100);
        put('-');
        put2(month);
        put('-');
        put2((int) (dayOfYear - (153 * marchMonth + 2) / 5 + 1));
    }

    private void putSeconds(long fractions) {
        int seconds = (int) (fractions / FRACTIONS_PER_SECOND);
        put2(seconds / 3600);
        put(':');
        put2(seconds / 60 % 60);
        put(':');
        put2(seconds % 60);
    }

    /** {@code HH:MM:SS[.F…]} without trailing zeros. */
    private void putIsoTime(long fractions) {
        putSeconds(fractions);
        int rest = (int) (fractions % FRACTIONS_PER_SECOND);
        if (rest != 0) {
            put('.');
            for (int unit = FRACTIONS_PER_SECOND / 10; rest != 0; unit /= 10) {
                put((char) ('0' + rest / unit));
                rest %= unit;
            }
        }
    }

    /** {@code HH:MM:SS.FFFF}. */
    private void putFirebirdTime(long fractions) {
        putSeconds(fractions);
        int rest = (int) (fractions % FRACTIONS_PER_SECOND);
        put('.');
        put2(rest / 100);
        put2(rest % 100);
    }

    /** {@code Z} or {@code +HH:MM}: the server has no offsets with seconds. */
    private void putOffset(int offsetSeconds) {
        if (offsetSeconds == 0) {
            put('Z');
            return;
        }
        int minutes = Math.abs(offsetSeconds) / 60;
        put(offsetSeconds < 0 ? '-' : '+');
        put2(minutes / 60);
        put(':');
        put2(minutes % 60);
    }

    /** A number that is not negative between quotes, as they are written inside JSON text. */
    private void putQuoted(long number) {
        put('\\');
        put('"');
        long unit = 1;
        while (number / unit >= 10) {
            unit *= 10;
        }
        for (; unit > 0; unit /= 10) {
            put((char) ('0' + number / unit % 10));
        }
        put('\\');
        put('"');
    }

    private void put2(int twoDigits) {
        put((char) ('0' + twoDigits / 10));
        put((char) ('0' + twoDigits % 10));
    }

    private void put(char ascii) {
        scratch[used++] = (byte) ascii;
    }

    private void writePut() throws IOException {
        json.writeUTF8String(scratch, 0, used);
    }
}
