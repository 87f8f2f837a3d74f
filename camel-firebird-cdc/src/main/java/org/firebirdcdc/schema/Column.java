package org.firebirdcdc.schema;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A column as the catalog describes it (segment-format.md 8.7). For arrays type, length, scale and character set are those
 * of the elements.
 *
 * @param position        RDB$FIELD_POSITION, the order of {@code SELECT *}
 * @param fieldId         RDB$FIELD_ID, the order in record images
 * @param name            name, without padding
 * @param domain          RDB$FIELD_SOURCE: name of the domain, {@code RDB$n} for a column with a type of its own
 * @param domainSchema    schema of the domain; the empty string before Firebird 6
 * @param fieldType       RDB$FIELD_TYPE as in segment-format.md 7.3
 * @param subType         RDB$FIELD_SUB_TYPE; 0 where it is NULL
 * @param length          RDB$FIELD_LENGTH, bytes (VARCHAR: without the 2-byte counter)
 * @param characterLength declared length of text in characters; 0 where there is none
 * @param scale           RDB$FIELD_SCALE, 0 or less
 * @param precision       RDB$FIELD_PRECISION, decimal digits; 0 where there is none
 * @param characterSet    of text and text blobs; else empty
 * @param collation       of text and text blobs; else empty
 * @param nullable        whether neither column nor domain is NOT NULL
 * @param computed        whether it is COMPUTED BY: it has no value in record images
 * @param computedSource  source of the expression, in parentheses
 * @param defaultSource   default of column or domain with the word DEFAULT
 * @param identityType    RDB$IDENTITY_TYPE: 0 GENERATED ALWAYS, 1 BY DEFAULT; empty for others
 * @param generator       sequence of an identity column
 * @param bounds          dimensions of an array; empty for others
 */
public record Column(
        int position,
        int fieldId,
        String name,
        String domain,
        String domainSchema,
        DataType fieldType,
        int subType,
        int length,
        int characterLength,
        int scale,
        int precision,
        Optional<CharacterSet> characterSet,
        Optional<Collation> collation,
        boolean nullable,
        boolean computed,
        Optional<String> computedSource,
        Optional<String> defaultSource,
        OptionalInt identityType,
        Optional<String> generator,
        List<ArrayBound> bounds) {

    public Column {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(domain, "domain");
        Objects.requireNonNull(domainSchema, "domainSchema");
        Objects.requireNonNull(fieldType, "fieldType");
        Objects.requireNonNull(characterSet, "characterSet");
        Objects.requireNonNull(collation, "collation");
        Objects.requireNonNull(computedSource, "computedSource");
        Objects.requireNonNull(defaultSource, "defaultSource");
        Objects.requireNonNull(identityType, "identityType");
        Objects.requireNonNull(generator, "generator");
        bounds = List.copyOf(bounds);
    }

    public boolean isArray() {
        return !bounds.isEmpty();
    }

    public boolean isText() {
        return fieldType.isText() || fieldType == DataType.BLOB && subType == ValueType.BLOB_TEXT;
    }

    /** Name of the type without length, precision and scale: {@code VARCHAR}, {@code TIMESTAMP WITH TIME ZONE}. */
    public String typeName() {
        return switch (fieldType) {
            case CHAR,
                    CSTRING,
                    VARCHAR,
                    QUAD,
                    FLOAT,
                    DATE,
                    TIME,
                    TIMESTAMP,
                    BLOB,
                    BOOLEAN,
                    INT128,
                    SMALLINT,
                    INTEGER,
                    BIGINT,
                    ARRAY -> fieldType.name();
            case DOUBLE -> "DOUBLE PRECISION";
            case DECFLOAT16 -> "DECFLOAT(16)";
            case DECFLOAT34 -> "DECFLOAT(34)";
            case TIME_TZ, EX_TIME_TZ -> "TIME WITH TIME ZONE";
            case TIMESTAMP_TZ, EX_TIMESTAMP_TZ -> "TIMESTAMP WITH TIME ZONE";
        };
    }

    /** How to read a value of the column; for arrays a value of an element. */
    public ValueType valueType() {
        boolean numeric = fieldType.isExactNumeric();
        return new ValueType(
                fieldType,
                storedLength(),
                numeric ? scale : 0,
                numeric || fieldType == DataType.BLOB ? subType : 0,
                numeric ? precision : 0,
                characterSet.map(CharacterSet::id).orElse(0),
                fieldType.isText() ? characterLength : 0);
    }

    /** The entry that the server makes of this column in a record format, without a place in the image. */
    Field field() {
        if (isArray()) {
            return new Field(fieldId, DataType.ARRAY, 0, 8, 0, 0, 0);
        }
        int charset = characterSet.map(CharacterSet::id).orElse(0);
        int order = collation.map(Collation::id).orElse(0) << 8;
        if (fieldType.isText()) {
            return new Field(fieldId, fieldType, 0, storedLength(), (short) (charset | order), 0, 0);
        }
        boolean textBlob = fieldType == DataType.BLOB && isText();
        return new Field(
                fieldId, fieldType, textBlob ? (byte) charset : scale, length, subType, textBlob ? order : 0, 0);
    }

    private int storedLength() {
        return fieldType == DataType.VARCHAR ? length + 2 : length;
    }
}
