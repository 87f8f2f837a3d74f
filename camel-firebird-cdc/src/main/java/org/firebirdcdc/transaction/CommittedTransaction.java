package org.firebirdcdc.transaction;

import java.util.Iterator;
import java.util.Map;
import org.firebirdcdc.journal.ObjectName;

/**
 * A committed transaction: gives its surviving events in the order in which they happened, read from the journal while
 * they are asked for. Each call of {@link #iterator()} begins anew, so it can be read several times and by several
 * readers; an iterator is {@link java.io.Closeable} and closes itself at its end.
 */
public interface CommittedTransaction extends Iterable<JournalEvent> {

    TransactionInfo info();

    /** Number of events that an iteration gives. */
    long eventCount();

    /** Events per included table that an iteration gives, in order of first appearance. */
    Map<ObjectName, Long> eventCounts();

    @Override
    Iterator<JournalEvent> iterator();
}
