package org.firebirdcdc.transaction;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.firebirdcdc.journal.JournalPosition;
import org.firebirdcdc.journal.ObjectName;

/** A committed transaction that is read from its blocks in the journal. Holds no rows. */
public final class JournalTransaction implements CommittedTransaction, Iterable<JournalEvent> {

    private final TransactionSettings settings;
    private final TransactionInfo info;
    private final BlockReferences blocks;
    private final UndoneRanges undone;
    private final Map<ObjectName, Long> eventCounts;
    private final long eventCount;

    JournalTransaction(TransactionSettings settings, TransactionInfo info, OpenTransaction.Kept kept) {
        this.settings = settings;
        this.info = info;
        this.blocks = kept.blocks;
        this.undone = kept.undone;
        Map<ObjectName, Long> counts = new LinkedHashMap<>();
        long total = kept.savepoints.total(OpenTransaction.DDL_SLOT);
        for (Map.Entry<ObjectName, Integer> slot : kept.slots.entrySet()) {
            long events = kept.savepoints.total(slot.getValue());
            if (events > 0) {
                counts.put(slot.getKey(), events);
                total += events;
            }
        }
        this.eventCounts = Collections.unmodifiableMap(counts);
        this.eventCount = total;
    }

    @Override
    public TransactionInfo info() {
        return info;
    }

    @Override
    public long eventCount() {
        return eventCount;
    }

    @Override
    public Map<ObjectName, Long> eventCounts() {
        return eventCounts;
    }

    /** First block that an iteration reads. */
    public JournalPosition firstNeeded() {
        return blocks.first();
    }

    @Override
    public EventEncoder encoder() {
        return settings.encoder();
    }

    @Override
    public Iterable<JournalEvent> events() {
        return this;
    }

    @Override
    public EventIterator iterator() {
        return new EventIterator(settings, info, blocks.cursor(), undone.cursor(), settings.onDecodeError());
    }

    /**
     * Reads the whole transaction once and checks that every wanted record can be decoded, so that a fault is known before
     * the first event goes out.
     *
     * @return records that cannot be decoded and are left out; 0 unless the policy is to skip
     * @throws RuntimeException what an iteration would throw: see {@link EventIterator#next()}
     */
    public long verify() {
        try (EventIterator events =
                new EventIterator(settings, info, blocks.cursor(), undone.cursor(), settings.onDecodeError())) {
            return events.verifyAll();
        }
    }

    @Override
    public String toString() {
        return "transaction " + info.number() + " committed at " + info.commit() + ", " + eventCount + " events";
    }
}
