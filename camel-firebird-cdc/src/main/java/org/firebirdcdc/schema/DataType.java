package org.firebirdcdc.schema;

import java.util.Optional;

/** How a value is stored in a record image (segment-format.md 7.3): the {@code dtype} of a field descriptor. */
public enum DataType {
    CHAR(1),
    CSTRING(2),
    VARCHAR(3),
    SMALLINT(8),
    INTEGER(9),
    QUAD(10),
    FLOAT(11),
    /** DOUBLE PRECISION, D_FLOAT, and dialect 1's NUMERIC and DECIMAL of more than nine digits. */
    DOUBLE(12),
    DATE(14),
    TIME(15),
    TIMESTAMP(16),
    BLOB(17),
    ARRAY(18),
    BIGINT(19),
    BOOLEAN(21),
    DECFLOAT16(22),
    DECFLOAT34(23),
    INT128(24),
    TIME_TZ(25),
    TIMESTAMP_TZ(26),
    EX_TIME_TZ(27),
    EX_TIMESTAMP_TZ(28);

    private final int dtype;

    DataType(int dtype) {
        this.dtype = dtype;
    }

    /** Code in RDB$DESCRIPTOR. */
    public int dtype() {
        return dtype;
    }

    public boolean isText() {
        return this == CHAR || this == VARCHAR || this == CSTRING;
    }

    /** Whether values are integers with a decimal scale. */
    public boolean isExactNumeric() {
        return this == SMALLINT || this == INTEGER || this == BIGINT || this == INT128;
    }

    public static Optional<DataType> ofDtype(int dtype) {
        for (DataType type : values()) {
            if (type.dtype == dtype) {
                return Optional.of(type);
            }
        }
        return Optional.empty();
    }

    /**
     * Type by RDB$FIELDS.RDB$FIELD_TYPE; arrays are not told by it (RDB$DIMENSIONS is).
     *
     * @return empty for a number that no column of a table can have
     */
    public static Optional<DataType> ofFieldType(int fieldType) {
        return switch (fieldType) {
            case 7 -> Optional.of(SMALLINT);
            case 8 -> Optional.of(INTEGER);
            case 9 -> Optional.of(QUAD);
            case 10 -> Optional.of(FLOAT);
            case 11, 27 -> Optional.of(DOUBLE);
            case 12 -> Optional.of(DATE);
            case 13 -> Optional.of(TIME);
            case 14 -> Optional.of(CHAR);
            case 16 -> Optional.of(BIGINT);
            case 23 -> Optional.of(BOOLEAN);
            case 24 -> Optional.of(DECFLOAT16);
            case 25 -> Optional.of(DECFLOAT34);
            case 26 -> Optional.of(INT128);
            case 28 -> Optional.of(TIME_TZ);
            case 29 -> Optional.of(TIMESTAMP_TZ);
            case 30 -> Optional.of(EX_TIME_TZ);
            case 31 -> Optional.of(EX_TIMESTAMP_TZ);
            case 35 -> Optional.of(TIMESTAMP);
            case 37 -> Optional.of(VARCHAR);
            case 40 -> Optional.of(CSTRING);
            case 261 -> Optional.of(BLOB);
            default -> Optional.empty();
        };
    }

    /** Type number of RDB$FIELDS.RDB$FIELD_TYPE; an array has that of its elements instead. */
    int fieldType() {
        return switch (this) {
            case CHAR -> 14;
            case CSTRING -> 40;
            case VARCHAR -> 37;
            case SMALLINT -> 7;
            case INTEGER -> 8;
            case QUAD -> 9;
            case FLOAT -> 10;
            case DOUBLE -> 27;
            case DATE -> 12;
            case TIME -> 13;
            case TIMESTAMP -> 35;
            case BLOB -> 261;
            case ARRAY -> throw new IllegalStateException("an array has the type number of its elements");
            case BIGINT -> 16;
            case BOOLEAN -> 23;
            case DECFLOAT16 -> 24;
            case DECFLOAT34 -> 25;
            case INT128 -> 26;
            case TIME_TZ -> 28;
            case TIMESTAMP_TZ -> 29;
            case EX_TIME_TZ -> 30;
            case EX_TIMESTAMP_TZ -> 31;
        };
    }

    /** Whether a stored value can take this many bytes (segment-format.md 7.3; VARCHAR: with the 2-byte counter). */
    boolean fits(int length) {
        return switch (this) {
            case CHAR, CSTRING -> true;
            case VARCHAR -> length >= 2;
            case BOOLEAN -> length == 1;
            case SMALLINT -> length == 2;
            case INTEGER, FLOAT, DATE, TIME -> length == 4;
            case QUAD, DOUBLE, TIMESTAMP, BLOB, ARRAY, BIGINT, DECFLOAT16, TIME_TZ, EX_TIME_TZ -> length == 8;
            case TIMESTAMP_TZ, EX_TIMESTAMP_TZ -> length == 12;
            case DECFLOAT34, INT128 -> length == 16;
        };
    }

    /** Alignment of a value of this type and length in a record image, bytes (segment-format.md 7.2). */
    int alignment(int length) {
        return switch (this) {
            case CHAR, CSTRING -> 1;
            case VARCHAR -> 2;
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
                    EX_TIMESTAMP_TZ -> Math.min(length, 8);
        };
    }
}
