package org.firebirdcdc.capture;

import java.util.List;
import java.util.Optional;
import org.firebirdcdc.journal.DatabaseGuid;
import org.firebirdcdc.journal.JournalPosition;
import org.firebirdcdc.transaction.OpenTransactionState;

/**
 * How capture stands, for health checks, JMX and people; a snapshot that any thread may read.
 *
 * @param guid              database, once it is known
 * @param position          everything before it is done and stored, or will be at the next write of the checkpoint
 * @param reading           position of the reader
 * @param problem           why nothing can be read although something should be there; ends in what to do
 * @param note              what a person may want to know and is no problem
 * @param open              transactions without an end, oldest first
 * @param inFlight          deliveries handed over and not done
 * @param segmentsWaiting   complete segments not read yet, at the last look
 * @param newestSegmentMillis last-modified time of the segment read last, 0 before the first
 * @param counters          totals since the start
 */
public record CaptureStatus(
        Optional<DatabaseGuid> guid,
        JournalPosition position,
        JournalPosition reading,
        Optional<String> problem,
        Optional<String> note,
        List<OpenTransactionState> open,
        int inFlight,
        long segmentsWaiting,
        long newestSegmentMillis,
        Counters counters) {

    /** Before the first look. */
    static final CaptureStatus NEW = new CaptureStatus(
            Optional.empty(),
            JournalPosition.START,
            JournalPosition.START,
            Optional.empty(),
            Optional.empty(),
            List.of(),
            0,
            0,
            0,
            new Counters(0, 0, 0, 0, 0, 0, 0, 0));

    /**
     * @param transactions  transactions with events that were done
     * @param events        their events
     * @param segments      segments read to their end
     * @param skippedRecords records left out by onDecodeError=skip
     * @param incomplete    committed transactions dropped since their beginning was not in view
     * @param abandoned     open transactions dropped by decision
     * @param abandonedChanges their row changes
     * @param cleanedUp     open transactions that died with their server or session
     */
    public record Counters(
            long transactions,
            long events,
            long segments,
            long skippedRecords,
            long incomplete,
            long abandoned,
            long abandonedChanges,
            long cleanedUp) {}

    /** The oldest transaction without an end. */
    public Optional<OpenTransactionState> oldestOpen() {
        return open.stream().min((a, b) -> a.begin().compareTo(b.begin()));
    }
}
