package org.firebirdcdc.transaction;

import org.firebirdcdc.journal.JournalPosition;

/** Told of what is odd but no error, so that it can be logged and counted. */
public interface AssemblerListener {

    /** A transaction commits with savepoints open: undo may have been lost (segment-format.md 5.5). */
    void openSavepointsAtCommit(long transaction, JournalPosition position, int savepoints);

    /** A savepoint is released or rolled back, but none is open. */
    void savepointUnderflow(long transaction, JournalPosition position);

    /** Flag bits that no server sets today. */
    void unknownFlags(long transaction, JournalPosition position, int flags);

    /** A transaction begins whose number is still open; the earlier one is dropped (segment-format.md 4.5). */
    void numberReused(long transaction, JournalPosition position, long droppedChanges);

    /** The end of a transaction whose beginning was not in view; it is not delivered. */
    void incompleteTransaction(long transaction, JournalPosition position, boolean committed);

    /** A transaction is dropped since the server or its session died. */
    void cleanedUp(long transaction, JournalPosition position, long droppedChanges);
}
