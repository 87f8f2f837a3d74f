package org.firebirdcdc.differential;

/**
 * A column of a random table.
 *
 * @param name  as in the catalog
 * @param type  its declaration in SQL: type or domain, and NOT NULL
 * @param value SQL expression of a value, made from {@code :R}, a random number from 1 to 2^31 - 2, and from {@code :N}, a
 *              number that no other row of the table has; empty for what the server gives the value to
 */
record RandomColumn(String name, String type, String value) {

    boolean isGenerated() {
        return value.isEmpty();
    }

    String quotedName() {
        return "\"" + name + "\"";
    }
}
