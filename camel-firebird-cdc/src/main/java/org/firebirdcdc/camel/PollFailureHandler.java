package org.firebirdcdc.camel;

import java.time.Clock;
import java.time.Duration;
import org.apache.camel.Exchange;
import org.apache.camel.spi.ExceptionHandler;
import org.firebirdcdc.capture.CaptureException;
import org.firebirdcdc.checkpoint.CheckpointException;
import org.firebirdcdc.journal.JournalException;
import org.firebirdcdc.schema.MetadataException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs failed polls where no other handler is set. A failure that lasts is met again at every poll: it is logged when it
 * begins and then sparsely. Failures whose message says what to do are logged without the stack.
 */
final class PollFailureHandler implements ExceptionHandler {

    private static final Logger LOG = LoggerFactory.getLogger(FirebirdCdcConsumer.class);

    private static final Duration REPEAT = Duration.ofMinutes(10);

    private final String routeId;
    private final Clock clock;
    private String last = "";
    private long lastMillis;

    PollFailureHandler(String routeId, Clock clock) {
        this.routeId = routeId;
        this.clock = clock;
    }

    @Override
    public void handleException(Throwable exception) {
        handleException("", exception);
    }

    @Override
    public void handleException(String message, Exchange exchange, Throwable exception) {
        handleException(message, exception);
    }

    @Override
    public void handleException(String message, Throwable exception) {
        if (isNew(String.valueOf(exception.getMessage()))) {
            if (saysWhatToDo(exception)) {
                LOG.warn("Route {}: {}", routeId, exception.getMessage());
            } else {
                LOG.warn("Route {}: the poll failed, it is tried again", routeId, exception);
            }
            LOG.debug("Route {}: the poll failed", routeId, exception);
        }
    }

    private synchronized boolean isNew(String failure) {
        long now = clock.millis();
        boolean fresh = !failure.equals(last) || Math.abs(now - lastMillis) >= REPEAT.toMillis();
        if (fresh) {
            last = failure;
            lastMillis = now;
        }
        return fresh;
    }

    /** The stack of what happened in a route has been logged by the route's error handler. */
    private static boolean saysWhatToDo(Throwable exception) {
        return exception instanceof DeliveryFailedException
                || exception instanceof CaptureException
                || exception instanceof CheckpointException
                || exception instanceof MetadataException
                || exception instanceof JournalException;
    }

    /** What failed before is over: the same again is news. */
    synchronized void recovered() {
        if (!last.isEmpty()) {
            LOG.info("Route {}: polling works again", routeId);
            last = "";
        }
    }
}
