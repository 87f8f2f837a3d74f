package org.firebirdcdc.schema;

import java.util.Objects;
import java.util.Optional;
import org.firebirdcdc.journal.ObjectName;

/**
 * What a DDL statement did to a table.
 *
 * @param name  the table
 * @param kind  what happened
 * @param after the table behind it: columns in order, keys; empty if it is gone, or if no catalog tells its columns. Before
 *              Firebird 6 all changes of one transaction act together, so it is the table behind the transaction
 */
public record ChangedTable(ObjectName name, Kind kind, Optional<Table> after) {

    /** As the record of a schema change names it. */
    public enum Kind {
        CREATE,
        ALTER,
        DROP
    }

    public ChangedTable {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(after, "after");
    }
}
