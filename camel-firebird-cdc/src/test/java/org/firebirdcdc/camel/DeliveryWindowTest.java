package org.firebirdcdc.camel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.firebirdcdc.camel.DeliveryWindow.Place;
import org.junit.jupiter.api.Test;

/** How far delivery may run ahead of the oldest exchange that is not acknowledged. */
class DeliveryWindowTest {

    /** How often somebody who waits for a place may look before capture is stopped. */
    private final AtomicInteger looks = new AtomicInteger(Integer.MAX_VALUE);

    private boolean stopped() {
        return looks.getAndDecrement() <= 0;
    }

    @Test
    void whatIsDoneBehindASlowExchangeGivesNoPlaceBackUntilThatOneIsDone() throws InterruptedException {
        DeliveryWindow window = new DeliveryWindow(3, this::stopped);
        Place slow = window.take().orElseThrow();
        Place second = window.take().orElseThrow();
        Place third = window.take().orElseThrow();
        window.giveBack(third);
        window.giveBack(second);

        looks.set(1);
        assertThat(window.take()).isEmpty();
        window.giveBack(slow);
        looks.set(2);
        assertThat(window.awaitAll()).isTrue();
        assertThat(window.take()).isPresent();
    }

    /** A place is taken before it is known whether there is anything to deliver. */
    @Test
    void onlyAPlaceWithAnExchangeCountsAsPending() throws InterruptedException {
        DeliveryWindow window = new DeliveryWindow(3, this::stopped);
        Place idle = window.take().orElseThrow();
        assertThat(window.pending()).isZero();
        Place first = window.take().orElseThrow();
        Place second = window.take().orElseThrow();
        window.occupy(first);
        window.occupy(second);
        assertThat(window.pending()).isEqualTo(2);
        window.giveBack(second);
        assertThat(window.pending()).isEqualTo(1);
        window.giveBack(first);
        window.giveBack(idle);
        assertThat(window.pending()).isZero();
    }

    @Test
    void afterAFailureNoPlaceIsGivenOutUntilItIsTaken() throws InterruptedException {
        DeliveryWindow window = new DeliveryWindow(2, this::stopped);
        Exception first = new IllegalStateException("first");
        Place failing = window.take().orElseThrow();
        window.giveBack(failing, first);
        window.giveBack(failing, new IllegalStateException("second"));

        assertThat(window.take()).isEmpty();
        assertThat(window.takeFailure()).containsSame(first);
        assertThat(window.take()).isPresent();
    }

    @Test
    void nobodyWaitsForAPlaceAfterAStop() throws InterruptedException {
        DeliveryWindow window = new DeliveryWindow(1, this::stopped);
        window.take();
        looks.set(0);

        assertThat(window.take()).isEmpty();
        assertThat(window.awaitAll()).isFalse();
    }
}
