package org.firebirdcdc.transaction;

import java.util.Map;
import org.firebirdcdc.journal.ObjectName;

/**
 * A committed transaction: gives its surviving events in the order in which they happened, read from the journal while
 * they are asked for.
 */
public interface CommittedTransaction {

    TransactionInfo info();

    /** Number of events that an iteration gives. */
    long eventCount();

    /** Events per included table that an iteration gives, in order of first appearance. */
    Map<ObjectName, Long> eventCounts();

    /** How the transaction as a whole is turned into bytes. */
    EventEncoder encoder();

    /**
     * The events. Each call of {@link Iterable#iterator()} begins anew, so they can be read several times and by several
     * readers; an iterator is {@link java.io.Closeable} and closes itself at its end.
     */
    Iterable<JournalEvent> events();
}
