package org.firebirdcdc.capture;

import java.util.Optional;
import org.firebirdcdc.journal.JournalPosition;
import org.firebirdcdc.transaction.JournalTransaction;
import org.firebirdcdc.transaction.SequenceValue;

/**
 * Something to be delivered: a committed transaction or a sequence value. Must be given back to
 * {@link JournalCapture#done} or {@link JournalCapture#retry}.
 */
public final class Delivery {

    private final Optional<JournalTransaction> transaction;
    private final Optional<SequenceValue> sequence;
    private final JournalPosition position;
    private Standing next;
    private boolean verified;
    private boolean done;

    private Delivery(
            Optional<JournalTransaction> transaction,
            Optional<SequenceValue> sequence,
            JournalPosition position,
            Standing next) {
        this.transaction = transaction;
        this.sequence = sequence;
        this.position = position;
        this.next = next;
    }

    static Delivery of(
            Optional<JournalTransaction> transaction,
            Optional<SequenceValue> sequence,
            JournalPosition position,
            Standing next) {
        return new Delivery(transaction, sequence, position, next);
    }

    /** Nothing to deliver: a place between deliveries, reached as soon as all before it are done. */
    static Delivery milestone(Standing next) {
        Delivery milestone = new Delivery(Optional.empty(), Optional.empty(), next.position(), next);
        milestone.verified = true;
        milestone.done = true;
        return milestone;
    }

    /** The same to be handed over once more: what was reported of the earlier one does not count. */
    Delivery anew() {
        if (isMilestone()) {
            return this;
        }
        Delivery fresh = new Delivery(transaction, sequence, position, next);
        fresh.verified = verified;
        return fresh;
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

    boolean isMilestone() {
        return transaction.isEmpty() && sequence.isEmpty();
    }

    /** Where to go on behind it. */
    Standing next() {
        return next;
    }

    void forget(long openTransaction) {
        next = next.without(openTransaction);
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
}
