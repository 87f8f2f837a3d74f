package org.firebirdcdc.schema;

import java.util.Objects;
import java.util.Optional;

/**
 * A stored column of one version of a table.
 *
 * @param name      name in force; for a column that the catalog no longer knows a placeholder, see {@code named}
 * @param named     whether the name is known
 * @param ordinal   index in {@link TableVersion#columns()}, from 0, in the order of {@code SELECT *}
 * @param fieldId   RDB$FIELD_ID: identity of the column over renames, bit of the NULL bitmap
 * @param offset    where the value begins in the record image, bytes
 * @param type      how to read it
 * @param element   for arrays: how to read an element
 * @param dimensions for arrays: number of dimensions; else 0
 * @param nullable  whether NULL is allowed
 */
public record VersionColumn(
        String name,
        boolean named,
        int ordinal,
        int fieldId,
        int offset,
        ValueType type,
        Optional<ValueType> element,
        int dimensions,
        boolean nullable) {

    public VersionColumn {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(element, "element");
    }

    /** A column that is no array, or an array of one dimension. */
    public VersionColumn(
            String name,
            boolean named,
            int ordinal,
            int fieldId,
            int offset,
            ValueType type,
            Optional<ValueType> element,
            boolean nullable) {
        this(name, named, ordinal, fieldId, offset, type, element, element.isPresent() ? 1 : 0, nullable);
    }
}
