package org.firebirdcdc.camel;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.camel.AsyncCallback;
import org.apache.camel.Exchange;
import org.firebirdcdc.capture.Delivery;

/**
 * One exchange on its way through the route. What became of it is decided here, when the whole unit of work is over: a
 * completion that was registered on the exchange is also told of success when a commit at its end has failed. Called on
 * whatever thread the route ends, perhaps more than once; only the first call counts, since afterwards the exchange may
 * serve another.
 */
final class Handover implements AsyncCallback {

    private final FirebirdCdcConsumer consumer;
    private final DeliveryWindow window;
    private final DeliveryWindow.Place place;
    private final CaptureSession session;
    private final Delivery delivery;
    private final Exchange exchange;
    private final Optional<FirebirdCdcTransaction> body;
    private final AtomicBoolean over = new AtomicBoolean();

    Handover(
            FirebirdCdcConsumer consumer,
            DeliveryWindow window,
            DeliveryWindow.Place place,
            CaptureSession session,
            Delivery delivery,
            Exchange exchange,
            Optional<FirebirdCdcTransaction> body) {
        this.consumer = consumer;
        this.window = window;
        this.place = place;
        this.session = session;
        this.delivery = delivery;
        this.exchange = exchange;
        this.body = body;
    }

    @Override
    public void done(boolean doneSync) {
        if (over.compareAndSet(false, true)) {
            Optional<Exception> failure;
            try {
                failure = failure();
                consumer.releaseExchange(exchange, false);
                if (failure.isEmpty()) {
                    session.done(delivery);
                }
            } catch (RuntimeException e) {
                // the checkpoint could not be written
                failure = Optional.of(e);
            }
            if (failure.isPresent()) {
                body.ifPresent(FirebirdCdcTransaction::abort);
                window.giveBack(place, failure.get());
            } else {
                window.giveBack(place);
            }
        }
    }

    /** The route threw something instead of telling the callback. */
    void thrown(Exception e) {
        if (!over.get()) {
            exchange.setException(e);
            done(true);
        }
    }

    private Optional<Exception> failure() {
        if (exchange.getException() != null) {
            Exception cause = exchange.getException();
            return Optional.of(new DeliveryFailedException(what(), "failed in the route: " + reason(cause), cause));
        }
        return exchange.isRollbackOnly() || exchange.isRollbackOnlyLast()
                ? Optional.of(new DeliveryFailedException(what(), "was marked for rollback by the route"))
                : Optional.empty();
    }

    /** The outer message names the step, the inmost one often the reason. */
    private static String reason(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        String outer = text(failure);
        String inner = text(root);
        String reason = outer.contains(inner) ? outer : outer + ": " + inner;
        // the identity of an exchange means nothing to people, and would make each attempt look like another failure
        return reason.replaceAll("\\.? Exchange\\[[^]]*]", "").replaceFirst("\\.$", "");
    }

    private static String text(Throwable failure) {
        return failure.getMessage() == null ? failure.getClass().getName() : failure.getMessage();
    }

    private String what() {
        return delivery.transaction()
                .map(t -> "Transaction " + t.info().number() + " (commit in segment "
                        + t.info().commit().segment() + ", offset "
                        + t.info().commit().offset() + ")")
                .orElse("Sequence value (segment " + delivery.position().segment() + ", offset "
                        + delivery.position().offset() + ")");
    }
}
