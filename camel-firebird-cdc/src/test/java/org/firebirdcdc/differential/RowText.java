package org.firebirdcdc.differential;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.firebirdcdc.record.BlobValue;
import org.firebirdcdc.record.Row;
import org.firebirdcdc.record.ZonedTime;
import org.firebirdcdc.record.ZonedTimestamp;
import org.firebirdcdc.schema.DataType;
import org.firebirdcdc.schema.TableVersion;
import org.firebirdcdc.schema.ValueType;
import org.firebirdcdc.schema.VersionColumn;
import org.firebirdcdc.testing.TruthForm;

/**
 * Rows as text, from the journal and from the server, equal if and only if the rows are: the server's own cast to text where
 * that is exact, the bits of binary floating-point numbers, UTC and name of the zone of values with a time zone, bytes where
 * there is no text, length and digest of blobs, and the text of short ones.
 */
final class RowText {

    private static final String SEPARATOR = " | ";
    private static final String NULL = "<null>";

    /** Characters of a text blob that are compared as text. */
    private static final int SHORT = 400;

    private RowText() {}

    // ------------------------------------------------------------------------------------------------ from the journal

    static String of(Row row) {
        return row.columns().stream()
                .map(column -> column.name() + "=" + (row.isNull(column.ordinal()) ? NULL : text(row, column)))
                .collect(Collectors.joining(SEPARATOR));
    }

    private static String text(Row row, VersionColumn column) {
        int ordinal = column.ordinal();
        ValueType type = column.type();
        return switch (type.type()) {
            case FLOAT -> bits(row.getFloat(ordinal));
            case DOUBLE -> bits(row.getDouble(ordinal));
            case TIME_TZ -> {
                ZonedTime value = row.getZonedTime(ordinal);
                yield TruthForm.time(value.utc()) + " " + value.zone().name();
            }
            case TIMESTAMP_TZ -> {
                ZonedTimestamp value = row.getZonedTimestamp(ordinal);
                yield value.utc().toLocalDate() + " "
                        + TruthForm.time(value.utc().toLocalTime()) + " "
                        + value.zone().name();
            }
            case BLOB -> blob(row.getBlob(ordinal));
            case CHAR, VARCHAR -> hasNoText(type) ? hex(row.getBytes(ordinal)) : row.getString(ordinal);
            case SMALLINT, INTEGER, BIGINT, INT128, BOOLEAN, DATE, TIME, TIMESTAMP, DECFLOAT16, DECFLOAT34 ->
                TruthForm.render(row, ordinal, "text");
            case CSTRING, QUAD, ARRAY, EX_TIME_TZ, EX_TIMESTAMP_TZ ->
                throw new IllegalArgumentException("SQL does not write " + type.type());
        };
    }

    private static String blob(BlobValue blob) {
        byte[] content = blob.bytes();
        String digest = content.length + ":" + hex(sha256().digest(content));
        if (!blob.isText()) {
            return digest;
        }
        String text = blob.text();
        return digest + ":" + (text.codePointCount(0, text.length()) <= SHORT ? text : "");
    }

    // ------------------------------------------------------------------------------------------------ from the server

    /** All rows of a table, as the server sees them now. */
    static List<String> select(Connection connection, TableVersion table) throws SQLException {
        String sql = table.columns().stream()
                .map(RowText::expression)
                .collect(Collectors.joining(
                        ", ",
                        "select ",
                        " from " + RandomTable.quoted(table.table().name())));
        List<String> rows = new ArrayList<>();
        try (Statement statement = connection.createStatement()) {
            statement.setFetchSize(1_000);
            try (ResultSet row = statement.executeQuery(sql)) {
                while (row.next()) {
                    StringBuilder text = new StringBuilder();
                    for (VersionColumn column : table.columns()) {
                        text.append(column.ordinal() > 0 ? SEPARATOR : "")
                                .append(column.name())
                                .append('=');
                        text.append(text(row, column));
                    }
                    rows.add(text.toString());
                }
            }
        }
        return rows;
    }

    private static String expression(VersionColumn column) {
        String name = RandomTable.quoted(column.name());
        ValueType type = column.type();
        return switch (type.type()) {
            case FLOAT, DOUBLE -> name;
            case TIME_TZ -> utc(name, "time");
            case TIMESTAMP_TZ -> utc(name, "timestamp");
            case BLOB ->
                "octet_length(" + name + ") || ':' || hex_encode(crypt_hash(" + name + " using sha256))"
                        + (type.isBinary()
                                ? ""
                                : " || ':' || case when char_length(" + name + ") <= " + SHORT + " then cast(" + name
                                        + " as varchar(" + SHORT + ") character set UTF8) else '' end");
            case CHAR, VARCHAR ->
                hasNoText(type)
                        ? "cast(" + name + " as varbinary(" + type.characterLength() + "))"
                        : "cast(" + name + " as varchar(" + type.characterLength() + ") character set UTF8)";
            case SMALLINT, INTEGER, BIGINT, INT128, BOOLEAN, DATE, TIME, TIMESTAMP, DECFLOAT16, DECFLOAT34 ->
                "cast(" + name + " as varchar(60))";
            case ARRAY -> "case when " + name + " is null then null else 'array' end";
            case CSTRING, QUAD, EX_TIME_TZ, EX_TIMESTAMP_TZ ->
                throw new IllegalArgumentException("SQL does not make " + type.type());
        };
    }

    /** The zone's name is what stands last in the text. */
    private static String utc(String name, String type) {
        return "cast(cast(" + name + " at time zone 'UTC' as " + type + ") as varchar(30)) || ' ' || substring(cast("
                + name + " as varchar(90)) from " + (type.equals("time") ? 15 : 26) + ")";
    }

    private static String text(ResultSet row, VersionColumn column) throws SQLException {
        int index = column.ordinal() + 1;
        DataType type = column.type().type();
        String text;
        if (type == DataType.FLOAT) {
            text = bits(row.getFloat(index));
        } else if (type == DataType.DOUBLE) {
            text = bits(row.getDouble(index));
        } else if (type.isText() && hasNoText(column.type())) {
            byte[] bytes = row.getBytes(index);
            text = bytes == null ? NULL : hex(bytes);
        } else {
            text = row.getString(index);
        }
        return text == null || row.wasNull() ? NULL : text;
    }

    // ------------------------------------------------------------------------------------------------ both

    /** The columns of a row, for messages. */
    static List<String> columns(String row) {
        return List.of(row.split(Pattern.quote(SEPARATOR)));
    }

    private static boolean hasNoText(ValueType type) {
        return type.charsetId() == ValueType.CHARSET_NONE || type.charsetId() == ValueType.CHARSET_OCTETS;
    }

    private static String bits(float value) {
        return Integer.toHexString(Float.floatToIntBits(value));
    }

    private static String bits(double value) {
        return Long.toHexString(Double.doubleToLongBits(value));
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().withUpperCase().formatHex(bytes);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
