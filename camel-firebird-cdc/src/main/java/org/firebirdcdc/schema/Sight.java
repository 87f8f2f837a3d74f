package org.firebirdcdc.schema;

import java.util.Optional;
import org.firebirdcdc.journal.JournalPosition;

/**
 * A table as some catalog saw it, and between which steps that can have been. Places are numbers of steps that had
 * happened; one more than there are stands behind changes that have not been met yet.
 *
 * @param table  the table; empty if it was not there
 * @param lowest steps that had happened at least
 * @param highest steps that had happened at most
 * @param openEnd whether changes that have not been met yet may have happened, should nothing else make sense
 * @param after  place in the journal that it is certainly behind
 */
record Sight(Optional<Table> table, int lowest, int highest, boolean openEnd, JournalPosition after) {

    /** The same, when the first steps are left out. */
    Sight without(int steps) {
        return new Sight(table, lowest - steps, highest - steps, openEnd, after);
    }

    /** Whether both saw the table, and not the same of it: then something happened in between. */
    boolean differsFrom(Sight other) {
        return table.isPresent() && other.table.isPresent() && !shape().looksLike(other.shape());
    }

    TableShape shape() {
        return TableShape.of(table.orElseThrow());
    }
}
