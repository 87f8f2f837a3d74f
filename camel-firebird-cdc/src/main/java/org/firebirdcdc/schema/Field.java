package org.firebirdcdc.schema;

import java.util.Objects;

/**
 * One entry of a record format (segment-format.md 8.2): a field of the table when that format was made.
 *
 * @param id      RDB$FIELD_ID: identity of the column over renames, bit of the NULL bitmap
 * @param type    how values are stored; arrays are {@link DataType#ARRAY}
 * @param scale   exact numerics: value = integer × 10^scale; text blobs: character set id as a signed byte; else 0
 * @param length  bytes in the image (VARCHAR: with the 2-byte counter)
 * @param subType text: character set id, and collation id in the high byte; exact numerics: 0, 1 NUMERIC, 2 DECIMAL;
 *                blobs: sub type, signed
 * @param flags   text blobs: collation id in the high byte; else 0
 * @param offset  where the value begins in the image, bytes; 0 if it has no place there
 */
public record Field(int id, DataType type, int scale, int length, int subType, int flags, int offset) {

    public Field {
        Objects.requireNonNull(type, "type");
    }

    /** Whether images hold a value; those of computed columns hold none (segment-format.md 7.5). */
    public boolean stored() {
        return offset != 0;
    }

    /**
     * How to read the value as far as the descriptor tells: without the declared precision of numbers, and with a length
     * in characters that is worked out from the length in bytes (a character set that is not built in counts as one of
     * single bytes).
     */
    public ValueType valueType() {
        int charset = charsetId();
        int characters = 0;
        if (type.isText()) {
            int bytes = type == DataType.VARCHAR ? length - 2 : length;
            characters = bytes
                    / CharacterSet.of(charset)
                            .map(CharacterSet::bytesPerCharacter)
                            .orElse(1);
        }
        return new ValueType(
                type,
                length,
                type.isExactNumeric() ? scale : 0,
                type.isExactNumeric() || type == DataType.BLOB ? subType : 0,
                0,
                charset,
                characters);
    }

    /** Character set of text and text blobs; else 0. */
    private int charsetId() {
        if (type.isText()) {
            return subType & 0xff;
        }
        return type == DataType.BLOB && subType == ValueType.BLOB_TEXT ? scale & 0xff : 0;
    }
}
