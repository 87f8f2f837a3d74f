package org.firebirdcdc.schema;

import java.util.Objects;

/**
 * A collation of one character set. It does not change how bytes are read.
 *
 * @param id   RDB$COLLATION_ID, unique within its character set
 * @param name RDB$COLLATION_NAME; the empty string where it is not known
 */
public record Collation(int id, String name) {

    public Collation {
        Objects.requireNonNull(name, "name");
    }
}
