package org.firebirdcdc.schema;

import java.util.List;
import java.util.Objects;

/**
 * A PRIMARY KEY or UNIQUE constraint.
 *
 * @param name    name of the constraint
 * @param columns column names in key order, at least one
 */
public record Key(String name, List<String> columns) {

    public Key {
        Objects.requireNonNull(name, "name");
        columns = List.copyOf(columns);
    }
}
