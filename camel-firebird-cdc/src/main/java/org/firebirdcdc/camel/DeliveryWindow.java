package org.firebirdcdc.camel;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;

/**
 * The places of the exchanges from the oldest that is not acknowledged on. One thread takes places, any gives them back. A
 * place is free again when all taken before it are: what was handed over behind an exchange that is slow comes again after a
 * crash, and must not become ever more. After the first failure no further place is given out until all are back.
 */
final class DeliveryWindow {

    private static final long LOOK_MILLIS = 100;

    private final int size;
    private final BooleanSupplier stopped;
    private final Semaphore places;
    private final AtomicReference<Optional<Exception>> failure = new AtomicReference<>(Optional.empty());

    /** In the order in which they were taken. */
    private final Deque<Place> taken = new ArrayDeque<>();

    /** The place of one exchange. */
    static final class Place {
        private boolean occupied;
        private boolean back;
    }

    /**
     * @param stopped whether capture is stopped: nobody waits any longer then
     */
    DeliveryWindow(int size, BooleanSupplier stopped) {
        this.size = size;
        this.stopped = stopped;
        this.places = new Semaphore(size);
    }

    /** Waits for a free place and takes it; empty if there was a failure, or capture is stopped. */
    Optional<Place> take() throws InterruptedException {
        if (!acquire(1)) {
            return Optional.empty();
        }
        if (failure.get().isPresent()) {
            places.release();
            return Optional.empty();
        }
        Place place = new Place();
        synchronized (taken) {
            taken.addLast(place);
        }
        return Optional.of(place);
    }

    /** From now on an exchange is there. */
    void occupy(Place place) {
        synchronized (taken) {
            place.occupied = true;
        }
    }

    void giveBack(Place place) {
        synchronized (taken) {
            place.back = true;
            while (!taken.isEmpty() && taken.peekFirst().back) {
                taken.removeFirst();
                places.release();
            }
        }
    }

    void giveBack(Place place, Exception why) {
        failure.updateAndGet(first -> first.isPresent() ? first : Optional.of(why));
        giveBack(place);
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
        while (!stopped.getAsBoolean()) {
            if (places.tryAcquire(count, LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
                return true;
            }
        }
        return false;
    }

    /** How many exchanges are not acknowledged. */
    int pending() {
        synchronized (taken) {
            return (int) taken.stream()
                    .filter(place -> place.occupied && !place.back)
                    .count();
        }
    }

    /** The first failure since the last call. */
    Optional<Exception> takeFailure() {
        return failure.getAndSet(Optional.empty());
    }
}
