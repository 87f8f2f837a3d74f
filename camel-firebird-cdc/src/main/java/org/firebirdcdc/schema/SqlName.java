package org.firebirdcdc.schema;

import java.util.Optional;

/**
 * Name of an object as a statement gives it.
 *
 * @param schema schema, if the statement says it (Firebird 6)
 * @param name   the object's own name
 */
record SqlName(Optional<String> schema, String name) {

    static SqlName of(String name) {
        return new SqlName(Optional.empty(), name);
    }

    /** Whether it can mean the object of this name; one without schema can mean that of any. */
    boolean canMean(String objectSchema, String objectName) {
        return name.equals(objectName) && schema.map(objectSchema::equals).orElse(true);
    }
}
