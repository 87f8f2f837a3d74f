package org.firebirdcdc.camel;

import java.io.Closeable;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.apache.camel.CamelContext;
import org.apache.camel.Message;
import org.firebirdcdc.journal.ObjectName;
import org.firebirdcdc.transaction.CommittedTransaction;
import org.firebirdcdc.transaction.EventEncoder;
import org.firebirdcdc.transaction.EventIterator;
import org.firebirdcdc.transaction.JournalEvent;
import org.firebirdcdc.transaction.JournalTransaction;
import org.firebirdcdc.transaction.TransactionInfo;

/**
 * The body of an exchange: a committed transaction that is read while it is consumed and holds no rows.
 *
 * <p>Code asks for {@link #events()}. Camel's own patterns, such as {@code split: ${body}}, iterate the body itself and get
 * a {@link Message} per event: Camel takes such an element as the message of its sub-exchange, so that each carries the
 * headers of {@link FirebirdCdcConstants}. Headers that the route has put on the message of the transaction are not seen
 * there, properties and variables of the exchange are.
 *
 * <p>Every iteration begins anew, so redelivery and several readers are right. Nothing here depends on the exchange. An
 * iteration ends with {@link CaptureStoppedException} when capture is stopped by force.
 */
public final class FirebirdCdcTransaction implements CommittedTransaction, Iterable<Message> {

    private final JournalTransaction transaction;
    private final CamelContext context;
    private final BooleanSupplier stopped;
    private final Set<Reader> open = ConcurrentHashMap.newKeySet();

    /**
     * @param stopped tells whether capture has been stopped
     */
    FirebirdCdcTransaction(JournalTransaction transaction, CamelContext context, BooleanSupplier stopped) {
        this.transaction = transaction;
        this.context = context;
        this.stopped = stopped;
    }

    @Override
    public TransactionInfo info() {
        return transaction.info();
    }

    @Override
    public long eventCount() {
        return transaction.eventCount();
    }

    @Override
    public Map<ObjectName, Long> eventCounts() {
        return transaction.eventCounts();
    }

    @Override
    public EventEncoder encoder() {
        return transaction.encoder();
    }

    @Override
    public Iterable<JournalEvent> events() {
        return this::read;
    }

    @Override
    public Iterator<Message> iterator() {
        return new Mapped<>(read(), reader -> new EventMessage(context, reader.next()));
    }

    /**
     * The messages in lists, for {@code split: ${body.batches(1000)}}: fewer and larger exchanges than one per event.
     *
     * @param size messages in a list, the last one may have fewer
     */
    public Iterable<List<Message>> batches(int size) {
        if (size < 1) {
            throw new IllegalArgumentException("batches(" + size + "): give a number from 1 on");
        }
        return () -> new Mapped<>(read(), reader -> {
            List<Message> batch = new ArrayList<>();
            while (batch.size() < size && reader.hasNext()) {
                batch.add(new EventMessage(context, reader.next()));
            }
            return batch;
        });
    }

    private Reader read() {
        Reader reader = new Reader(transaction.iterator());
        open.add(reader);
        return reader;
    }

    /** Closes the files of iterations that nobody goes on with. */
    void abort() {
        open.forEach(Reader::close);
    }

    /** What it is, without values. */
    @Override
    public String toString() {
        return transaction.toString();
    }

    /** The events of one iteration. */
    private final class Reader implements Iterator<JournalEvent>, Closeable {

        private final EventIterator events;
        private volatile boolean closed;

        Reader(EventIterator events) {
            this.events = events;
        }

        @Override
        public boolean hasNext() {
            if (stopped.getAsBoolean()) {
                close();
                throw new CaptureStoppedException(info().number());
            }
            if (closed) {
                // an early end must not look like the end of the transaction
                throw new IllegalStateException(
                        "the reader of transaction " + info().number() + " is closed, its exchange has failed");
            }
            boolean more = events.hasNext();
            if (!more) {
                open.remove(this);
            }
            return more;
        }

        @Override
        public JournalEvent next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            return events.next();
        }

        @Override
        public void close() {
            closed = true;
            open.remove(this);
            events.close();
        }
    }

    /** Something made of the events of an iteration. */
    private static final class Mapped<T> implements Iterator<T>, Closeable {

        private final Reader reader;
        private final Function<Reader, T> next;

        Mapped(Reader reader, Function<Reader, T> next) {
            this.reader = reader;
            this.next = next;
        }

        @Override
        public boolean hasNext() {
            return reader.hasNext();
        }

        @Override
        public T next() {
            if (!reader.hasNext()) {
                throw new NoSuchElementException();
            }
            return next.apply(reader);
        }

        @Override
        public void close() {
            reader.close();
        }
    }
}
