package org.firebirdcdc.envelope;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.sql.Types;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.firebirdcdc.journal.ObjectName;
import org.firebirdcdc.schema.ChangedTable;
import org.firebirdcdc.schema.CharacterSet;
import org.firebirdcdc.schema.Column;
import org.firebirdcdc.schema.Key;
import org.firebirdcdc.schema.Table;
import org.firebirdcdc.schema.ValueType;

/** An entry of {@code tableChanges} in the record of a schema change (formats.md 2.4). */
final class TableChange {

    private static final int NUMERIC = 1;
    private static final int DECIMAL = 2;

    private TableChange() {}

    static void write(JsonGenerator json, ChangedTable changed) throws IOException {
        json.writeStartObject();
        json.writeStringField("type", changed.kind().name());
        json.writeStringField("id", id(changed.name()));
        json.writeFieldName("table");
        if (changed.after().isPresent()) {
            write(json, changed.after().get());
        } else {
            json.writeNull();
        }
        json.writeEndObject();
    }

    private static String id(ObjectName name) {
        return name.hasSchema() ? quoted(name.schema()) + "." + quoted(name.name()) : quoted(name.name());
    }

    private static String quoted(String name) {
        return "\"" + name.replace("\"", "\"\"") + "\"";
    }

    private static void write(JsonGenerator json, Table table) throws IOException {
        json.writeStartObject();
        json.writeNullField("defaultCharsetName");
        json.writeArrayFieldStart("primaryKeyColumnNames");
        for (String name : table.primaryKey().map(Key::columns).orElse(List.of())) {
            json.writeString(name);
        }
        json.writeEndArray();
        json.writeArrayFieldStart("columns");
        int position = 1;
        for (Column column : table.columns()) {
            write(json, column, position++);
        }
        json.writeEndArray();
        json.writeNullField("comment");
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, Column column, int position) throws IOException {
        String type = typeName(column);
        json.writeStartObject();
        json.writeStringField("name", column.name());
        json.writeNumberField("jdbcType", jdbcType(column));
        json.writeNullField("nativeType");
        json.writeStringField("typeName", type);
        json.writeStringField("typeExpression", type);
        json.writeStringField(
                "charsetName", column.characterSet().map(CharacterSet::name).orElse(null));
        writeNumber(json, "length", length(column));
        writeNumber(json, "scale", isDecimal(column) ? Optional.of(-column.scale()) : Optional.empty());
        json.writeNumberField("position", position);
        json.writeBooleanField("optional", column.nullable());
        json.writeBooleanField("autoIncremented", column.identityType().isPresent());
        json.writeBooleanField("generated", column.computed());
        json.writeNullField("comment");
        json.writeStringField(
                "defaultValueExpression",
                column.defaultSource().map(TableChange::expression).orElse(null));
        json.writeArrayFieldStart("enumValues");
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void writeNumber(JsonGenerator json, String name, Optional<Integer> number) throws IOException {
        if (number.isPresent()) {
            json.writeNumberField(name, number.get());
        } else {
            json.writeNullField(name);
        }
    }

    /** The catalog gives a default with the word in front. */
    private static String expression(String defaultSource) {
        String text = defaultSource.strip();
        if (text.toUpperCase(Locale.ROOT).startsWith("DEFAULT")) {
            return text.substring("DEFAULT".length()).strip();
        }
        return text.startsWith("=") ? text.substring(1).strip() : text;
    }

    private static boolean isDecimal(Column column) {
        return column.fieldType().isExactNumeric() && (column.subType() != 0 || column.scale() != 0);
    }

    private static Optional<Integer> length(Column column) {
        if (column.fieldType().isText()) {
            return Optional.of(column.characterLength());
        }
        return isDecimal(column) ? Optional.of(column.valueType().effectivePrecision()) : Optional.empty();
    }

    private static String typeName(Column column) {
        if (column.isArray()) {
            return "ARRAY";
        }
        if (isDecimal(column)) {
            return column.subType() == DECIMAL ? "DECIMAL" : "NUMERIC";
        }
        return column.typeName();
    }

    private static int jdbcType(Column column) {
        if (column.isArray()) {
            return Types.ARRAY;
        }
        if (isDecimal(column)) {
            return column.subType() == NUMERIC ? Types.NUMERIC : Types.DECIMAL;
        }
        boolean binary = column.valueType().isBinary();
        return switch (column.fieldType()) {
            case CHAR, CSTRING -> binary ? Types.BINARY : Types.CHAR;
            case VARCHAR -> binary ? Types.VARBINARY : Types.VARCHAR;
            case SMALLINT -> Types.SMALLINT;
            case INTEGER -> Types.INTEGER;
            case BIGINT -> Types.BIGINT;
            case INT128 -> Types.NUMERIC;
            case FLOAT -> Types.FLOAT;
            case DOUBLE -> Types.DOUBLE;
            case DECFLOAT16, DECFLOAT34 -> Types.DECIMAL;
            case DATE -> Types.DATE;
            case TIME -> Types.TIME;
            case TIMESTAMP -> Types.TIMESTAMP;
            case TIME_TZ, EX_TIME_TZ -> Types.TIME_WITH_TIMEZONE;
            case TIMESTAMP_TZ, EX_TIMESTAMP_TZ -> Types.TIMESTAMP_WITH_TIMEZONE;
            case BOOLEAN -> Types.BOOLEAN;
            case BLOB -> column.subType() == ValueType.BLOB_TEXT ? Types.LONGVARCHAR : Types.LONGVARBINARY;
            case QUAD, ARRAY -> Types.OTHER;
        };
    }
}
