package org.firebirdcdc.camel;

import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.firebirdcdc.transaction.CommittedTransaction;
import org.firebirdcdc.transaction.EncodedRecord;
import org.firebirdcdc.transaction.JournalEvent;

/** The records of a transaction: those of its begin, of each event, of its end. */
final class TransactionRecords implements Iterator<List<EncodedRecord>> {

    private enum Part {
        BEGIN,
        EVENTS,
        OVER
    }

    private final CommittedTransaction transaction;
    private final Iterator<JournalEvent> events;
    private Part part = Part.BEGIN;

    TransactionRecords(CommittedTransaction transaction) {
        this.transaction = transaction;
        this.events = transaction.events().iterator();
    }

    @Override
    public boolean hasNext() {
        return part != Part.OVER;
    }

    @Override
    public List<EncodedRecord> next() {
        return switch (part) {
            case BEGIN -> {
                part = Part.EVENTS;
                yield transaction.encoder().begin(transaction);
            }
            case EVENTS -> {
                if (events.hasNext()) {
                    JournalEvent event = events.next();
                    yield event.encoder().records(event);
                }
                part = Part.OVER;
                yield transaction.encoder().end(transaction);
            }
            case OVER -> throw new NoSuchElementException();
        };
    }
}
