package org.firebirdcdc.journal;

import java.util.Comparator;
import java.util.Objects;

/**
 * Name of a table or sequence as the journal gives it: Firebird 6 (protocol 2) qualifies it by a schema, older servers
 * have none (segment-format.md 3.1).
 *
 * @param schema schema name, or the empty string where there are no schemas
 * @param name   the object's own name, in the case in which it was created
 */
public record ObjectName(String schema, String name) implements Comparable<ObjectName> {

    private static final Comparator<ObjectName> ORDER =
            Comparator.comparing(ObjectName::schema).thenComparing(ObjectName::name);

    public ObjectName {
        Objects.requireNonNull(schema, "schema");
        Objects.requireNonNull(name, "name");
    }

    /** A name without schema. */
    public static ObjectName of(String name) {
        return new ObjectName("", name);
    }

    public boolean hasSchema() {
        return !schema.isEmpty();
    }

    /** Whether this is a system object, which no event is ever made of (segment-format.md 6.2). */
    public boolean isSystem() {
        return hasSchema()
                ? schema.equals("SYSTEM")
                : name.startsWith("RDB$") || name.startsWith("MON$") || name.startsWith("SEC$");
    }

    @Override
    public int compareTo(ObjectName other) {
        return ORDER.compare(this, other);
    }

    /** {@code NAME} or {@code SCHEMA.NAME}, unquoted: for people and filters, not a key (names may hold dots). */
    @Override
    public String toString() {
        return hasSchema() ? schema + "." + name : name;
    }
}
