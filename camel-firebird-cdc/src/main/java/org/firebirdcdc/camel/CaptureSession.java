package org.firebirdcdc.camel;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import org.firebirdcdc.capture.CaptureStatus;
import org.firebirdcdc.capture.Delivery;
import org.firebirdcdc.capture.JournalCapture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One run of capture, from a start of the consumer to its stop. Opened by the first poll, so that what is missing then may
 * come later. After {@link #close()} nothing is written any more, whoever still reports something. Thread-safe.
 */
final class CaptureSession {

    private static final Logger LOG = LoggerFactory.getLogger(CaptureSession.class);

    /** How long a stop waits for a step of reading to end, which may be waiting for the database. */
    private static final long STOP_SECONDS = 10;

    private final CapturePlan plan;
    private final ReentrantLock lock = new ReentrantLock();
    private Optional<JournalCapture> capture = Optional.empty();
    private volatile boolean stopped;
    private volatile Optional<CaptureStatus> lastStatus = Optional.empty();

    CaptureSession(CapturePlan plan) {
        this.plan = plan;
    }

    /** The next thing to deliver; see {@link JournalCapture#next()}. Empty after a stop. */
    Optional<Delivery> next() {
        return locked(() -> {
            if (capture.isEmpty()) {
                capture = Optional.of(plan.open());
            }
            return capture.get().next();
        });
    }

    void done(Delivery delivery) {
        with(c -> {
            c.done(delivery);
            return Optional.empty();
        });
    }

    void retry() {
        with(c -> {
            c.retry();
            return Optional.empty();
        });
    }

    /** Writes the checkpoint if something is done that it does not tell. */
    void flush() {
        with(c -> {
            c.flush();
            return Optional.empty();
        });
    }

    /** See {@link JournalCapture#abandon}. */
    Optional<Long> abandon(long transaction) {
        return with(c -> c.abandon(transaction));
    }

    /** How capture stands; while a step of reading takes long, how it stood before. Empty before the first poll. */
    Optional<CaptureStatus> status() {
        if (lock.tryLock()) {
            try {
                lastStatus = capture.map(JournalCapture::status).or(() -> lastStatus);
            } finally {
                lock.unlock();
            }
        }
        return lastStatus;
    }

    boolean isStopped() {
        return stopped;
    }

    /** Nothing is handed out any more, and iterations of what was handed out end. */
    void stop() {
        stopped = true;
    }

    /** Writes the checkpoint and gives files and lock back. */
    void close() {
        stop();
        boolean free = false;
        try {
            free = lock.tryLock(STOP_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (free) {
            try {
                closeCapture();
            } finally {
                lock.unlock();
            }
        } else {
            LOG.warn("Reading has not ended within {} s; the checkpoint is written when it does", STOP_SECONDS);
        }
    }

    private <T> Optional<T> with(Function<JournalCapture, Optional<T>> step) {
        return locked(() -> capture.flatMap(step));
    }

    private <T> Optional<T> locked(Supplier<Optional<T>> step) {
        lock.lock();
        try {
            return stopped ? Optional.empty() : step.get();
        } finally {
            try {
                if (stopped) {
                    closeCapture();
                }
            } finally {
                lock.unlock();
            }
        }
    }

    private void closeCapture() {
        Optional<JournalCapture> closing = capture;
        capture = Optional.empty();
        try {
            closing.ifPresent(c -> {
                lastStatus = Optional.of(c.status());
                c.close();
            });
        } catch (RuntimeException e) {
            LOG.warn(
                    "The checkpoint is not written at the stop; what it does not tell comes again: {}", e.getMessage());
        }
    }
}
