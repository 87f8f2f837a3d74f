package org.firebirdcdc.capture;

import java.util.List;
import java.util.Optional;
import org.firebirdcdc.journal.JournalPosition;
import org.firebirdcdc.transaction.JournalTransaction;
import org.firebirdcdc.transaction.OpenTransactionState;
import org.firebirdcdc.transaction.SequenceValue;

/**
 * Something to be delivered: a committed transaction or a sequence value. Must be given back to
 * {@link JournalCapture#done} or {@link JournalCapture#retry}.
 */
public final class Delivery {

    private final Optional<JournalTransaction> transaction;
    private final Optional<SequenceValue> sequence;
    private final JournalPosition position;
    private final JournalPosition next;
    private final List<OpenTransactionState> open;
    private boolean verified;
    private boolean done;

    Delivery(
            Optional<JournalTransaction> transaction,
            Optional<SequenceValue> sequence,
            JournalPosition position,
            JournalPosition next,
            List<OpenTransactionState> open,
            boolean done) {
        this.transaction = transaction;
        this.sequence = sequence;
        this.position = position;
        this.next = next;
        this.open = open;
        this.done = done;
    }

    /** The transaction; empty for a sequence value. */
    public Optional<JournalTransaction> transaction() {
        return transaction;
    }

    /** The sequence value; empty for a transaction. */
    public Optional<SequenceValue> sequence() {
        return sequence;
    }

    /** The commit or sequence operation. */
    public JournalPosition position() {
        return position;
    }

    /** Where reading goes on behind it. */
    JournalPosition next() {
        return next;
    }

    /** Transactions that are open behind it. */
    List<OpenTransactionState> open() {
        return open;
    }

    /** Nothing to deliver: everything up to here is done as soon as all before it are. */
    boolean isMilestone() {
        return transaction.isEmpty() && sequence.isEmpty();
    }

    boolean isVerified() {
        return verified;
    }

    void markVerified() {
        verified = true;
    }

    boolean isDone() {
        return done;
    }

    void markDone() {
        done = true;
    }

    /** It is handed over again, since one before it was not done. */
    void markNotDone() {
        done = false;
    }
}
