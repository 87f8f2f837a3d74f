package org.firebirdcdc.checkpoint;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.firebirdcdc.journal.DatabaseGuid;
import org.firebirdcdc.journal.JournalPosition;

/**
 * Where capture of one database stands.
 *
 * @param guid         the database
 * @param position     everything before it is done: delivered, or not wanted
 * @param open         transactions that are open there
 * @param segments     segments that were read and may come again, ascending by number
 * @param dead         transactions dropped by a cleanup after a crash: their blocks may stand in left-over segments
 * @param incompleteUpTo highest transaction number that may have begun where nothing was read (before the start, or in a
 *                     gap that was passed over by decision); 0 if everything was read
 */
public record Checkpoint(
        DatabaseGuid guid,
        JournalPosition position,
        List<OpenTransactionMark> open,
        List<SegmentMark> segments,
        List<Long> dead,
        long incompleteUpTo) {

    public Checkpoint {
        Objects.requireNonNull(guid, "guid");
        Objects.requireNonNull(position, "position");
        open = List.copyOf(open);
        segments = List.copyOf(segments);
        dead = List.copyOf(dead);
    }

    /** The lowest segment that must be there to go on. */
    public long neededFrom() {
        return open.stream()
                .map(OpenTransactionMark::firstNeeded)
                .flatMap(Optional::stream)
                .mapToLong(JournalPosition::segment)
                .reduce(position.segment(), Math::min);
    }
}
