package org.firebirdcdc.checkpoint;

import java.util.Objects;
import java.util.Optional;
import org.firebirdcdc.journal.JournalPosition;

/**
 * A transaction that is open at the checkpoint.
 *
 * @param number      Firebird's transaction number
 * @param begin       its first block
 * @param sinceMillis last-modified time of the segment file in which it began, milliseconds since 1970
 * @param firstNeeded first block that must be read again; empty if nothing it has done so far is wanted
 * @param savepoints  savepoints open before {@code firstNeeded}, or at the checkpoint if that is empty
 * @param changes     row changes seen so far, wanted or not
 */
public record OpenTransactionMark(
        long number,
        JournalPosition begin,
        long sinceMillis,
        Optional<JournalPosition> firstNeeded,
        int savepoints,
        long changes) {

    public OpenTransactionMark {
        Objects.requireNonNull(begin, "begin");
        Objects.requireNonNull(firstNeeded, "firstNeeded");
    }
}
