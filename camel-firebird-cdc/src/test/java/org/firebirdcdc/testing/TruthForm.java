package org.firebirdcdc.testing;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.HexFormat;
import java.util.Locale;
import org.firebirdcdc.record.BlobValue;
import org.firebirdcdc.record.Row;
import org.firebirdcdc.schema.DataType;

/**
 * Values of rows in the forms of the recordings' {@code truth.json}: {@code text} as the server casts to text, {@code hex}
 * the bytes; {@code text blob}, {@code hex blob} likewise, a long one as its length and digest. Arrays are not in there.
 */
public final class TruthForm {

    private TruthForm() {}

    /** Whether SQL could print columns of this form at all. */
    public static boolean isComparable(String form) {
        return !form.startsWith("array");
    }

    /**
     * Whether a value of a row is what the server said. Approximate numbers are compared at the digits that the server
     * prints.
     *
     * @param expected cell of truth.json
     * @param form     form of its column
     */
    public static boolean matches(JsonNode expected, Row row, int ordinal, String form) {
        if (expected.isNull() || row.isNull(ordinal)) {
            return expected.isNull() && row.isNull(ordinal);
        }
        if (expected.isObject()) {
            byte[] bytes = row.getBlob(ordinal).bytes();
            return bytes.length == expected.get("length").asInt()
                    && sha256(bytes).equals(expected.get("sha256").asText());
        }
        DataType type = row.columns().get(ordinal).type().type();
        if (type == DataType.FLOAT || type == DataType.DOUBLE) {
            return sameNumber(expected.asText(), row.getDouble(ordinal));
        }
        return expected.asText().equals(render(row, ordinal, form));
    }

    /** The value as text of the form, null for NULL; not for approximate numbers. */
    public static String render(Row row, int ordinal, String form) {
        if (row.isNull(ordinal)) {
            return null;
        }
        return switch (form) {
            case "text" -> text(row.value(ordinal));
            case "hex" -> HexFormat.of().formatHex(row.getBytes(ordinal));
            case "text blob" -> row.getBlob(ordinal).text();
            case "hex blob" -> HexFormat.of().formatHex(row.getBlob(ordinal).bytes());
            default -> throw new IllegalArgumentException("no form of truth.json: " + form);
        };
    }

    private static String text(Object value) {
        if (value instanceof Float
                || value instanceof Double
                || value instanceof byte[]
                || value instanceof BlobValue) {
            throw new IllegalArgumentException("no exact text of a " + value.getClass());
        }
        if (value instanceof Boolean) {
            return value.toString().toUpperCase(Locale.ROOT);
        }
        if (value instanceof BigDecimal decimal) {
            return decimal.toPlainString();
        }
        if (value instanceof LocalTime time) {
            return time(time);
        }
        if (value instanceof LocalDateTime timestamp) {
            return timestamp.toLocalDate() + " " + time(timestamp.toLocalTime());
        }
        return value.toString();
    }

    private static String time(LocalTime time) {
        return String.format(
                Locale.ROOT,
                "%02d:%02d:%02d.%04d",
                time.getHour(),
                time.getMinute(),
                time.getSecond(),
                time.getNano() / 100_000);
    }

    private static boolean sameNumber(String expected, double actual) {
        BigDecimal printed = new BigDecimal(expected);
        if (printed.signum() == 0) {
            return actual == 0 || Math.abs(actual) < Double.MIN_NORMAL;
        }
        MathContext digits = new MathContext(printed.precision(), RoundingMode.HALF_EVEN);
        return new BigDecimal(actual).round(digits).compareTo(printed) == 0;
    }

    private static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
