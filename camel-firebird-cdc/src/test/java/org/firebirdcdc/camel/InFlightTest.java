package org.firebirdcdc.camel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.firebirdcdc.camel.Endpoints.CUSTOMERS;
import static org.firebirdcdc.camel.Endpoints.CUSTOMERS_TRANSACTIONS;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.camel.AsyncCallback;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.impl.engine.PooledExchangeFactory;
import org.apache.camel.impl.engine.PooledProcessorExchangeFactory;
import org.apache.camel.support.AsyncProcessorSupport;
import org.firebirdcdc.journal.JournalPosition;
import org.firebirdcdc.testing.Corpus;
import org.firebirdcdc.transaction.CommittedTransaction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several exchanges on their way at once. */
class InFlightTest {

    @TempDir
    Path directory;

    private final ExecutorService acknowledging = Executors.newFixedThreadPool(4);
    private final Sink sink = new Sink();

    /** What a route hands over is kept here until the test acknowledges it. */
    private static final class Sink extends AsyncProcessorSupport {

        private final List<Long> submitted = new CopyOnWriteArrayList<>();
        private final List<Held> held = Collections.synchronizedList(new ArrayList<>());

        private record Held(long transaction, Exchange exchange, AsyncCallback callback) {

            void acknowledge() {
                callback.done(false);
            }

            void fail() {
                exchange.setException(new IllegalStateException("refused"));
                callback.done(false);
            }
        }

        @Override
        public boolean process(Exchange exchange, AsyncCallback callback) {
            long transaction = Endpoints.transaction(exchange);
            // in this order: who sees that it is submitted can take it; afterwards the exchange may serve another
            held.add(new Held(transaction, exchange, callback));
            submitted.add(transaction);
            return false;
        }

        Held take(long transaction) {
            synchronized (held) {
                Held found = held.stream()
                        .filter(h -> h.transaction() == transaction)
                        .findFirst()
                        .orElseThrow();
                held.remove(found);
                return found;
            }
        }

        /** All that are held, the last one first. */
        List<Held> takeAll() {
            synchronized (held) {
                List<Held> all = new ArrayList<>(held);
                held.clear();
                Collections.reverse(all);
                return all;
            }
        }
    }

    @BeforeEach
    void copySegments() {
        Corpus.copy(CUSTOMERS.segments(directory), directory);
    }

    @AfterEach
    void stopAcknowledging() {
        acknowledging.shutdownNow();
    }

    private DefaultCamelContext started(DefaultCamelContext context, int maxInFlight) throws Exception {
        context.addRoutes(Endpoints.route(
                Endpoints.uri(directory, CUSTOMERS, "maxInFlight=" + maxInFlight, "checkpointInterval=0"),
                route -> route.process(sink)));
        context.start();
        return context;
    }

    private void acknowledgeAllFrom(DefaultCamelContext context) {
        await().until(() -> {
            sink.takeAll().forEach(h -> acknowledging.execute(h::acknowledge));
            return Endpoints.position(context).segment() == 6;
        });
    }

    @Test
    void noMoreThanTheWindowIsOnItsWayAndItIsSubmittedInCommitOrder() throws Exception {
        try (DefaultCamelContext context = started(Endpoints.context(), 4)) {
            await().until(() -> sink.submitted.size() == 4);
            assertThat(Endpoints.consumer(context).getInFlight()).isEqualTo(4);
            assertThat(sink.submitted).isEqualTo(CUSTOMERS_TRANSACTIONS.subList(0, 4));
            // behind the oldest one nothing makes room
            sink.take(17).acknowledge();
            await().until(() -> Endpoints.consumer(context).getInFlight() == 3);
            assertThat(sink.submitted).hasSize(4);
            sink.take(13).acknowledge();
            await().until(() -> sink.submitted.size() == 5);
            assertThat(Endpoints.consumer(context).getInFlight()).isEqualTo(3);
            acknowledgeAllFrom(context);
        }
        assertThat(sink.submitted).isEqualTo(CUSTOMERS_TRANSACTIONS);
    }

    @Test
    void theCheckpointFollowsTheOldestUnfinishedOne() throws Exception {
        try (DefaultCamelContext context = started(Endpoints.context(), 4)) {
            await().until(() -> sink.submitted.size() == 4);
            JournalPosition begin = Endpoints.position(context);
            sink.take(15).acknowledge();
            sink.take(17).acknowledge();
            assertThat(Endpoints.position(context)).isEqualTo(begin);
            sink.take(13).acknowledge();
            await().until(() -> begin.isBefore(Endpoints.position(context)));
            JournalPosition afterThree = Endpoints.position(context);
            sink.take(18).acknowledge();
            await().until(() -> afterThree.isBefore(Endpoints.position(context)));
            acknowledgeAllFrom(context);
        }
    }

    @Test
    void afterAFailureNothingLaterIsSubmittedUntilAllAreBackAndThenItComesAgainInOrder() throws Exception {
        try (DefaultCamelContext context = started(Endpoints.context(), 4)) {
            await().until(() -> sink.submitted.size() == 4);
            sink.take(13).acknowledge();
            await().until(() -> sink.submitted.size() == 5);
            JournalPosition afterFirst = Endpoints.position(context);
            sink.take(15).fail();
            // places are free now, but there was a failure
            sink.take(18).acknowledge();
            sink.take(19).acknowledge();
            assertThat(sink.submitted).hasSize(5);
            assertThat(Endpoints.position(context)).isEqualTo(afterFirst);
            sink.take(17).acknowledge();
            // the one that failed is tried alone
            await().until(() -> sink.submitted.size() == 6);
            assertThat(Endpoints.position(context)).isEqualTo(afterFirst);
            acknowledgeAllFrom(context);
        }
        assertThat(sink.submitted.subList(0, 5)).containsExactly(13L, 15L, 17L, 18L, 19L);
        assertThat(sink.submitted.subList(5, sink.submitted.size()))
                .isEqualTo(CUSTOMERS_TRANSACTIONS.subList(1, CUSTOMERS_TRANSACTIONS.size()));
    }

    @Test
    void aCleanStopAfterAFailureRepeatsNothing() throws Exception {
        try (DefaultCamelContext context = started(Endpoints.context(), 4)) {
            await().until(() -> sink.submitted.size() == 4);
            sink.take(13).fail();
            sink.takeAll().forEach(Sink.Held::acknowledge);
            await().until(() -> sink.submitted.size() == 5);
            acknowledgeAllFrom(context);
        }
        sink.submitted.clear();
        try (DefaultCamelContext context = started(Endpoints.context(), 4)) {
            await().until(() -> Endpoints.consumer(context).getCounter() > 1);
            assertThat(Endpoints.isUp(context)).isTrue();
        }
        assertThat(sink.submitted).isEmpty();
    }

    @Test
    void whatIsOnItsWayAtAForcedStopComesAgain() throws Exception {
        DefaultCamelContext context = Endpoints.context();
        context.getShutdownStrategy().setTimeout(1);
        started(context, 4);
        await().until(() -> sink.submitted.size() == 4);
        sink.take(13).acknowledge();
        await().until(() -> sink.submitted.size() == 5);
        context.stop();
        // too late: another consumer may have the database by now
        sink.takeAll().forEach(Sink.Held::acknowledge);
        sink.submitted.clear();
        try (DefaultCamelContext next = started(Endpoints.context(), 4)) {
            acknowledgeAllFrom(next);
        }
        assertThat(sink.submitted).isEqualTo(CUSTOMERS_TRANSACTIONS.subList(1, CUSTOMERS_TRANSACTIONS.size()));
    }

    @Test
    void aSuspensionWaitsForWhatIsOnItsWayAndAResumptionGoesOnBehindIt() throws Exception {
        try (DefaultCamelContext context = started(Endpoints.context(), 4)) {
            await().until(() -> sink.submitted.size() == 4);
            CompletableFuture<Void> suspension = CompletableFuture.runAsync(() -> suspend(context), acknowledging);
            await().until(() -> Endpoints.consumer(context).isSuspendingOrSuspended());
            assertThat(suspension).isNotDone();
            await().until(() -> {
                sink.takeAll().forEach(Sink.Held::acknowledge);
                return suspension.isDone();
            });
            suspension.get();
            List<Long> before = List.copyOf(sink.submitted);
            assertThat(before).isEqualTo(CUSTOMERS_TRANSACTIONS.subList(0, before.size()));
            Endpoints.consumer(context).run();
            assertThat(sink.submitted).isEqualTo(before);
            context.getRouteController().resumeRoute("cdc");
            acknowledgeAllFrom(context);
        }
        assertThat(sink.submitted).isEqualTo(CUSTOMERS_TRANSACTIONS);
    }

    private static void suspend(DefaultCamelContext context) {
        try {
            context.getRouteController().suspendRoute("cdc");
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** Camel's error handler has its turn with one while those behind it go on. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatTheErrorHandlerTakesInTheMiddleOfAWindowIsDone(boolean recovers) throws Exception {
        List<Long> done = new CopyOnWriteArrayList<>();
        List<Long> dead = new CopyOnWriteArrayList<>();
        List<Long> failed = new CopyOnWriteArrayList<>();
        try (DefaultCamelContext context = Endpoints.context()) {
            context.addRoutes(new RouteBuilder() {
                @Override
                public void configure() {
                    errorHandler(deadLetterChannel("direct:dead")
                            .maximumRedeliveries(3)
                            .redeliveryDelay(20)
                            .asyncDelayedRedelivery());
                    from(Endpoints.uri(directory, CUSTOMERS, "maxInFlight=4", "checkpointInterval=0"))
                            .routeId("cdc")
                            .process(e -> {
                                long transaction = Endpoints.transaction(e);
                                boolean wholeBody = e.getMessage()
                                        .getMandatoryBody(CommittedTransaction.class)
                                        .events()
                                        .iterator()
                                        .hasNext();
                                boolean attempted = Collections.frequency(failed, transaction) >= 2;
                                if (wholeBody && transaction % 2 == 0 && !(recovers && attempted)) {
                                    failed.add(transaction);
                                    throw new IllegalStateException("refused");
                                }
                                done.add(transaction);
                            });
                    from("direct:dead").process(e -> dead.add(Endpoints.transaction(e)));
                }
            });
            context.start();
            await().until(() -> Endpoints.position(context).segment() == 6);
            assertThat(Endpoints.consumer(context).getErrorCounter()).isZero();
        }
        List<Long> even =
                CUSTOMERS_TRANSACTIONS.stream().filter(t -> t % 2 == 0).toList();
        List<Long> odd = CUSTOMERS_TRANSACTIONS.stream().filter(t -> t % 2 != 0).toList();
        assertThat(dead).containsExactlyInAnyOrderElementsOf(recovers ? List.of() : even);
        assertThat(done).containsExactlyInAnyOrderElementsOf(recovers ? CUSTOMERS_TRANSACTIONS : odd);
        assertThat(failed).hasSize(even.size() * (recovers ? 2 : 4));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 8})
    void pooledExchangesServeOneTransactionAfterTheOther(int maxInFlight) throws Exception {
        DefaultCamelContext context = Endpoints.context();
        context.getCamelContextExtension().setExchangeFactory(new PooledExchangeFactory());
        context.getCamelContextExtension().setProcessorExchangeFactory(new PooledProcessorExchangeFactory());
        try (context) {
            started(context, maxInFlight);
            acknowledgeAllFrom(context);
        }
        assertThat(sink.submitted).isEqualTo(CUSTOMERS_TRANSACTIONS);
    }
}
