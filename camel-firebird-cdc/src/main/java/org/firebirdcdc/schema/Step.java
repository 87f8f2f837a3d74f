package org.firebirdcdc.schema;

import java.util.List;
import org.firebirdcdc.journal.JournalPosition;

/**
 * A change of one table's metadata: what a committed transaction does to it, or, where statements act at once (protocol 2,
 * segment-format.md 8.4), what one of its statements does.
 *
 * @param transaction number of the transaction
 * @param statement   first statement; the images behind it in its own transaction have the new form if {@code atOnce}
 * @param atOnce      whether statements act at once in their own transaction
 * @param commit      commit of the transaction: from there on it is in force for the others
 * @param highest     highest transaction number met up to the commit: greater ones began later
 * @param changes     what happens, in order; tables whose names the changes hold are this table
 */
record Step(
        long transaction,
        JournalPosition statement,
        boolean atOnce,
        JournalPosition commit,
        long highest,
        List<Ddl> changes) {

    /** Whether images of a transaction that began so late can have been made before this change and written behind it. */
    boolean canBeOvertaken(long byTransaction, JournalPosition begin) {
        return byTransaction != transaction && (byTransaction <= highest || begin.isBefore(commit));
    }
}
