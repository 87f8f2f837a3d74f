package org.firebirdcdc.camel;

import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The places of the exchanges that are handed over and not acknowledged. One thread takes places, any gives them back; after
 * the first failure no further one is given out until all are back.
 */
final class DeliveryWindow {

    private static final long LOOK_MILLIS = 100;

    private final int size;
    private final CaptureSession session;
    private final Semaphore places;
    private final AtomicReference<Optional<Exception>> failure = new AtomicReference<>(Optional.empty());

    DeliveryWindow(int size, CaptureSession session) {
        this.size = size;
        this.session = session;
        this.places = new Semaphore(size);
    }

    /** Waits for a free place and takes it; false if there was a failure, or capture is stopped. */
    boolean take() throws InterruptedException {
        boolean taken = acquire(1);
        if (taken && failure.get().isPresent()) {
            places.release();
            return false;
        }
        return taken;
    }

    void giveBack() {
        places.release();
    }

    void giveBack(Exception why) {
        failure.updateAndGet(first -> first.isPresent() ? first : Optional.of(why));
        places.release();
    }

    /**
     * Waits until all places are free.
     *
     * @return false if capture is stopped before
     */
    boolean awaitAll() throws InterruptedException {
        boolean all = acquire(size);
        if (all) {
            places.release(size);
        }
        return all;
    }

    private boolean acquire(int count) throws InterruptedException {
        while (!session.isStopped()) {
            if (places.tryAcquire(count, LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
                return true;
            }
        }
        return false;
    }

    /** How many places are taken. */
    int taken() {
        return size - places.availablePermits();
    }

    /** The first failure since the last call. */
    Optional<Exception> takeFailure() {
        return failure.getAndSet(Optional.empty());
    }
}
