package org.firebirdcdc.testing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.LinkedList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.firebirdcdc.record.BlobValue;
import org.firebirdcdc.record.Row;
import org.firebirdcdc.schema.DataType;
import org.firebirdcdc.schema.VersionColumn;

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
     * What a table of truth.json has that the given rows have not, and the other way round; empty if they are the same. A
     * table that is given as a digest is compared by its digest.
     *
     * @param table one of the tables of truth.json
     * @param rows  all rows of the table in any order
     */
    public static List<String> differences(JsonNode table, List<Row> rows) {
        if (table.get("row_count").asInt() != rows.size()) {
            return List.of("rows: " + table.get("row_count") + ", not " + rows.size());
        }
        return table.has("rows") ? differentRows(table, rows) : differentDigest(table, rows);
    }

    private static List<String> differentRows(JsonNode table, List<Row> rows) {
        List<String> differences = new ArrayList<>();
        List<Row> left = new LinkedList<>(rows);
        for (JsonNode cells : table.get("rows")) {
            Optional<Row> match = left.stream()
                    .filter(row -> matches(table.get("columns"), cells, row))
                    .findFirst();
            match.ifPresentOrElse(left::remove, () -> differences.add("no row is " + cells));
        }
        left.forEach(row -> differences.add("the server has no row " + row.toMap()));
        return differences;
    }

    private static boolean matches(JsonNode columns, JsonNode cells, Row row) {
        for (int i = 0; i < columns.size(); i++) {
            String form = columns.get(i).get("form").asText();
            Optional<VersionColumn> column =
                    row.version().column(columns.get(i).get("name").asText());
            // images have no computed columns
            if (column.isPresent()
                    && isComparable(form)
                    && !matches(cells.get(i), row, column.get().ordinal(), form)) {
                return false;
            }
        }
        return true;
    }

    /** Each row as a compact JSON array and a line feed. */
    private static List<String> differentDigest(JsonNode table, List<Row> rows) {
        if (table.get("order_by").size() != 1) {
            throw new IllegalArgumentException("a digest in the order of several columns: " + table.get("order_by"));
        }
        String order = table.get("order_by").get(0).asText();
        List<Row> sorted = rows.stream()
                .sorted(Comparator.comparing(row -> row.getBigInteger(order)))
                .toList();
        MessageDigest digest = sha256();
        for (Row row : sorted) {
            ArrayNode cells = JsonNodeFactory.instance.arrayNode();
            for (JsonNode column : table.get("columns")) {
                int ordinal = row.version()
                        .column(column.get("name").asText())
                        .orElseThrow()
                        .ordinal();
                cells.add(render(row, ordinal, column.get("form").asText()));
            }
            digest.update((cells + "\n").getBytes(StandardCharsets.UTF_8));
        }
        String actual = HexFormat.of().formatHex(digest.digest());
        return actual.equals(table.get("rows_digest").get("sha256").asText())
                ? List.of()
                : List.of("digest of all rows " + actual + ", not " + table.get("rows_digest"));
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

    /** A time as the server casts it to text. */
    public static String time(LocalTime time) {
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
        return HexFormat.of().formatHex(sha256().digest(bytes));
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
