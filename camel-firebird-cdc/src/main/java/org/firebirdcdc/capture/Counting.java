package org.firebirdcdc.capture;

/** What was done since the start. Guarded by the lock of its {@link JournalCapture}. */
final class Counting {

    long transactions;
    long events;
    long segments;
    long skippedRecords;
    long incomplete;
    long abandoned;
    long abandonedChanges;
    long cleanedUp;

    CaptureStatus.Counters snapshot() {
        return new CaptureStatus.Counters(
                transactions, events, segments, skippedRecords, incomplete, abandoned, abandonedChanges, cleanedUp);
    }
}
