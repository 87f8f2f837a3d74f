package org.firebirdcdc.transaction;

import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import org.firebirdcdc.journal.ObjectName;

/**
 * Which events are wanted.
 *
 * @param tables     tables whose row changes are; system tables never are, whatever this says
 * @param operations which row changes
 * @param ddl        whether DDL statements are
 * @param sequences  whether sequence values are
 */
public record EventSelection(Predicate<ObjectName> tables, Set<Operation> operations, boolean ddl, boolean sequences) {

    public EventSelection {
        Objects.requireNonNull(tables, "tables");
        operations = Set.copyOf(operations);
    }

    /** All row changes of all tables. */
    public static EventSelection allRows() {
        return new EventSelection(table -> true, Set.of(Operation.values()), false, false);
    }

    boolean includes(ObjectName table) {
        return !table.isSystem() && tables.test(table);
    }
}
