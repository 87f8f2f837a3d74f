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
    private volatile Optional<JournalCapture> capture = Optional.empty();
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

    /** How capture stands, see {@link JournalCapture#status()}; how it stood at the end after a stop. */
    Optional<CaptureStatus> status() {
        return capture.map(JournalCapture::status).or(() -> lastStatus);
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
        // Camel interrupts the thread of a shutdown that takes too long, and an interrupted thread can write no files
        boolean interrupted = Thread.interrupted();
        if (lockInTime()) {
            try {
                closeCapture();
            } finally {
                lock.unlock();
            }
        } else {
            LOG.warn("Reading has not ended within {} s; the checkpoint is written when it does", STOP_SECONDS);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean lockInTime() {
        try {
            return lock.tryLock(STOP_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
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
        lastStatus = status();
        capture = Optional.empty();
        try {
            closing.ifPresent(JournalCapture::close);
        } catch (RuntimeException e) {
            LOG.warn(
                    "The checkpoint is not written at the stop; what it does not tell comes again: {}", e.getMessage());
        }
    }
}
