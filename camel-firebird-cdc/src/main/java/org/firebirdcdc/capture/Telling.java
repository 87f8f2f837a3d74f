package org.firebirdcdc.capture;

import org.firebirdcdc.journal.JournalPosition;
import org.firebirdcdc.transaction.AssemblerListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts and logs what is odd: once, however often a place has to be read again. */
final class Telling implements AssemblerListener {

    private static final Logger LOG = LoggerFactory.getLogger(JournalCapture.class);

    private final Counting counting;
    private final UnknownTransaction unknownTransaction;

    /** Up to here, inclusive, everything was told before. */
    private JournalPosition told = JournalPosition.START;

    private JournalPosition last = JournalPosition.START;

    Telling(Counting counting, UnknownTransaction unknownTransaction) {
        this.counting = counting;
        this.unknownTransaction = unknownTransaction;
    }

    private boolean isNews(JournalPosition position) {
        boolean news = told.isBefore(position);
        if (news) {
            last = position;
        }
        return news;
    }

    /** What comes next may have been read before. */
    void readAgain() {
        told = told.isBefore(last) ? last : told;
    }

    /** Other bytes stand there now. */
    void forgetFrom(JournalPosition position) {
        readAgain();
        told = position.isBefore(told) ? position : told;
        last = told;
    }

    @Override
    public void openSavepointsAtCommit(long transaction, JournalPosition position, int savepoints) {
        if (!isNews(position)) {
            return;
        }
        LOG.warn(
                "{}: transaction {} commits with {} savepoint(s) open. The application re-uses savepoint names or says"
                        + " RELEASE SAVEPOINT ... ONLY; a defect of the server then leaves undone rows in the journal",
                position,
                transaction,
                savepoints);
    }

    @Override
    public void savepointUnderflow(long transaction, JournalPosition position) {
        if (!isNews(position)) {
            return;
        }
        LOG.warn("{}: transaction {} ends a savepoint, but none is open; ignored", position, transaction);
    }

    @Override
    public void unknownFlags(long transaction, JournalPosition position, int flags) {
        if (!isNews(position)) {
            return;
        }
        LOG.warn("{}: block of transaction {} has unknown flags {}; ignored", position, transaction, flags);
    }

    @Override
    public void numberReused(long transaction, JournalPosition position, long droppedChanges) {
        if (!isNews(position)) {
            return;
        }
        LOG.warn(
                "{}: transaction {} begins while one of this number is open; the earlier one with {} row changes is"
                        + " dropped",
                position,
                transaction,
                droppedChanges);
    }

    @Override
    public void incompleteTransaction(long transaction, JournalPosition position, boolean committed) {
        if (committed && isNews(position)) {
            counting.incomplete++;
            if (unknownTransaction == UnknownTransaction.WARN || counting.incomplete == 1) {
                LOG.warn(
                        "{}: transaction {} commits, but its beginning was not in view; it is not delivered. Further"
                                + " ones are counted",
                        position,
                        transaction);
            }
        }
    }

    @Override
    public void cleanedUp(long transaction, JournalPosition position, long droppedChanges) {
        if (!isNews(position)) {
            return;
        }
        counting.cleanedUp++;
        LOG.info(
                "{}: transaction {} with {} row changes died with its server or session and is dropped",
                position,
                transaction,
                droppedChanges);
    }
}
