package org.firebirdcdc.transaction;

import java.util.Objects;
import java.util.Optional;
import org.firebirdcdc.journal.JournalPosition;

/**
 * What must be remembered of an open transaction to go on with it after a restart.
 *
 * @param number       Firebird's transaction number
 * @param begin        its first block
 * @param sinceMillis  last-modified time of the segment file in which it began, milliseconds since 1970
 * @param firstNeeded  first block that has to be read again; empty if nothing it has done so far is wanted
 * @param savepoints   open savepoints before {@code firstNeeded}, or now if that is empty
 * @param changes      row changes seen so far, wanted or not; for people
 */
public record OpenTransactionState(
        long number,
        JournalPosition begin,
        long sinceMillis,
        Optional<JournalPosition> firstNeeded,
        int savepoints,
        long changes) {

    public OpenTransactionState {
        Objects.requireNonNull(begin, "begin");
        Objects.requireNonNull(firstNeeded, "firstNeeded");
    }
}
