package org.firebirdcdc.schema;

import java.util.Objects;

/**
 * Everything that is needed to read one value: of a column, or of an element of an array column.
 *
 * @param type            how it is stored
 * @param length          bytes in the image (VARCHAR: with the 2-byte counter)
 * @param scale           exact numerics: value = integer × 10^scale, 0 or less; else 0
 * @param subType         exact numerics: 0 plain, 1 NUMERIC, 2 DECIMAL; blobs: sub type, 1 is text; else 0
 * @param precision       declared decimal digits; 0 where unknown or meaningless
 * @param charsetId       text and text blobs: Firebird's character set id (segment-format.md appendix A); else 0
 * @param characterLength text: declared length in characters; else 0
 */
public record ValueType(
        DataType type, int length, int scale, int subType, int precision, int charsetId, int characterLength) {

    public static final int CHARSET_NONE = 0;
    public static final int CHARSET_OCTETS = 1;
    public static final int BLOB_TEXT = 1;

    public ValueType {
        Objects.requireNonNull(type, "type");
    }

    /** NUMERIC or DECIMAL: an exact number whose type says so, or that has a scale. */
    public boolean isDecimal() {
        return type.isExactNumeric() && (subType != 0 || scale != 0);
    }

    /** CHAR, VARCHAR in OCTETS (BINARY, VARBINARY), and blobs that are not text. */
    public boolean isBinary() {
        return type.isText() && charsetId == CHARSET_OCTETS
                || type == DataType.BLOB && (subType != BLOB_TEXT || charsetId == CHARSET_OCTETS);
    }

    /** Declared precision, or the greatest that the storage holds: 4, 9, 18 or 38 digits. */
    public int effectivePrecision() {
        if (precision > 0) {
            return precision;
        }
        return switch (length) {
            case 2 -> 4;
            case 4 -> 9;
            case 8 -> 18;
            default -> 38;
        };
    }
}
