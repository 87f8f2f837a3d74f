package org.firebirdcdc.capture;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.firebirdcdc.checkpoint.Checkpoint;
import org.firebirdcdc.checkpoint.OpenTransactionMark;
import org.firebirdcdc.journal.JournalPosition;
import org.firebirdcdc.transaction.OpenTransactionState;

/**
 * A place in the journal from which capture can go on, with what must be known there.
 *
 * @param position everything before it is behind us
 * @param open     transactions that are open there
 * @param dead     transactions dropped by a cleanup before it
 */
record Standing(JournalPosition position, List<OpenTransactionState> open, List<Long> dead) {

    static final Standing START = new Standing(JournalPosition.START, List.of(), List.of());

    Standing {
        Objects.requireNonNull(position, "position");
    }

    static Standing of(Checkpoint checkpoint) {
        return new Standing(
                checkpoint.position(),
                checkpoint.open().stream()
                        .map(mark -> new OpenTransactionState(
                                mark.number(),
                                mark.begin(),
                                mark.sinceMillis(),
                                mark.firstNeeded(),
                                mark.savepoints(),
                                mark.changes()))
                        .toList(),
                checkpoint.dead());
    }

    /** The open transactions as a checkpoint holds them. */
    List<OpenTransactionMark> marks() {
        return open.stream()
                .map(state -> new OpenTransactionMark(
                        state.number(),
                        state.begin(),
                        state.sinceMillis(),
                        state.firstNeeded(),
                        state.savepoints(),
                        state.changes()))
                .toList();
    }

    /** The lowest segment that must be read to go on from here. */
    long neededFrom() {
        return open.stream()
                .map(OpenTransactionState::firstNeeded)
                .flatMap(Optional::stream)
                .mapToLong(JournalPosition::segment)
                .reduce(position.segment(), Math::min);
    }

    /** The same place after the decision to forget a transaction. */
    Standing without(long transaction) {
        return open.stream().anyMatch(t -> t.number() == transaction)
                ? new Standing(
                        position,
                        open.stream().filter(t -> t.number() != transaction).toList(),
                        dead)
                : this;
    }
}
