package org.firebirdcdc.transaction;

import org.firebirdcdc.journal.JournalException;
import org.firebirdcdc.journal.JournalPosition;

/** A transaction commits whose beginning was never read: its changes cannot be delivered completely. */
public final class UnknownTransactionException extends JournalException {

    private static final long serialVersionUID = 1L;

    private final long transaction;
    private final transient JournalPosition position;

    UnknownTransactionException(String file, JournalPosition position, long transaction) {
        super(
                "segment " + position.segment() + ", offset " + position.offset() + " (" + file + "): transaction "
                        + transaction
                        + " commits, but its beginning was never read. Either the segment is damaged, or an"
                        + " earlier one that held the beginning was lost: bring the earlier segments back, or set"
                        + " unknownTransaction=warn to go on without this transaction",
                null);
        this.transaction = transaction;
        this.position = position;
    }

    public long transaction() {
        return transaction;
    }

    public JournalPosition position() {
        return position;
    }
}
