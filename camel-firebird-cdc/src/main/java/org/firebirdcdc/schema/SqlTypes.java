package org.firebirdcdc.schema;

import java.util.EnumSet;
import java.util.Set;

/** How columns are stored whose type begins with a word (segment-format.md 7.3). */
final class SqlTypes {

    private SqlTypes() {}

    /**
     * Whether a column of a type can be stored so.
     *
     * @param word first word of the type, in upper case; a domain can be anything
     */
    static boolean canBeStored(String word, DataType type) {
        return type == DataType.ARRAY || stored(word).contains(type);
    }

    /** Whether the word begins a type of the server's own; else it is the name of a domain. */
    static boolean isType(String word) {
        return stored(word).size() < DataType.values().length;
    }

    private static Set<DataType> stored(String word) {
        return switch (word) {
            case "SMALLINT" -> EnumSet.of(DataType.SMALLINT);
            case "INTEGER", "INT" -> EnumSet.of(DataType.INTEGER);
            case "BIGINT" -> EnumSet.of(DataType.BIGINT);
            case "INT128" -> EnumSet.of(DataType.INT128);
            case "NUMERIC", "DECIMAL", "DEC" ->
                EnumSet.of(DataType.SMALLINT, DataType.INTEGER, DataType.BIGINT, DataType.INT128, DataType.DOUBLE);
            case "FLOAT", "REAL", "DOUBLE", "LONG" -> EnumSet.of(DataType.FLOAT, DataType.DOUBLE);
            case "DECFLOAT" -> EnumSet.of(DataType.DECFLOAT16, DataType.DECFLOAT34);
            case "DATE" -> EnumSet.of(DataType.DATE, DataType.TIMESTAMP);
            case "TIME" -> EnumSet.of(DataType.TIME, DataType.TIME_TZ);
            case "TIMESTAMP" -> EnumSet.of(DataType.TIMESTAMP, DataType.TIMESTAMP_TZ);
            case "BOOLEAN" -> EnumSet.of(DataType.BOOLEAN);
            case "BLOB" -> EnumSet.of(DataType.BLOB);
            case "CHAR", "CHARACTER", "NCHAR", "NATIONAL", "VARCHAR", "BINARY", "VARBINARY" ->
                EnumSet.of(DataType.CHAR, DataType.VARCHAR);
            default -> EnumSet.allOf(DataType.class);
        };
    }
}
