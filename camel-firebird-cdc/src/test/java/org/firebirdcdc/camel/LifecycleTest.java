package org.firebirdcdc.camel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.firebirdcdc.camel.Endpoints.CUSTOMERS;
import static org.firebirdcdc.camel.Endpoints.CUSTOMERS_BEFORE_GAP;
import static org.firebirdcdc.camel.Endpoints.CUSTOMERS_TRANSACTIONS;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.apache.camel.Exchange;
import org.apache.camel.ServiceStatus;
import org.apache.camel.impl.DefaultCamelContext;
import org.firebirdcdc.testing.Corpus;
import org.firebirdcdc.testing.Corpus.Recording;
import org.firebirdcdc.testing.MemoryCheckpointStore;
import org.firebirdcdc.transaction.CommittedTransaction;
import org.firebirdcdc.transaction.JournalEvent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Suspend, resume, stop and start at any moment: nothing lost, and nothing twice when nothing was forced. */
class LifecycleTest {

    private static final Recording BULK = Corpus.recording("fb40/12a-bulk-one-transaction");
    private static final long BULK_EVENTS = 200_000;

    @TempDir
    Path directory;

    private final List<Long> delivered = new CopyOnWriteArrayList<>();

    private void take(Exchange exchange) {
        delivered.add(Endpoints.transaction(exchange));
    }

    private void copySegments(int from, int to) {
        Path segments = CUSTOMERS.segments(directory);
        IntStream.rangeClosed(from, to)
                .mapToObj(n -> "customers.fdb.journal-00000000" + n)
                .forEach(name -> {
                    try {
                        Files.copy(segments.resolve(name), directory.resolve(name));
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                });
    }

    private DefaultCamelContext started(String... options) throws Exception {
        DefaultCamelContext context = Endpoints.context();
        context.addRoutes(
                Endpoints.route(Endpoints.uri(directory, CUSTOMERS, options), route -> route.process(this::take)));
        context.start();
        return context;
    }

    private static void awaitSegment(DefaultCamelContext context, long segment) {
        await().until(() -> Endpoints.consumer(context)
                .status()
                .filter(s -> s.position().segment() == segment)
                .isPresent());
    }

    @Test
    void aNewContextGoesOnWhereTheFormerOneEnded() throws Exception {
        copySegments(1, 2);
        try (DefaultCamelContext context = started()) {
            awaitSegment(context, 3);
        }
        assertThat(delivered).isEqualTo(CUSTOMERS_BEFORE_GAP);
        copySegments(3, 5);
        try (DefaultCamelContext context = started()) {
            awaitSegment(context, 6);
        }
        assertThat(delivered).isEqualTo(CUSTOMERS_TRANSACTIONS);
    }

    @Test
    void aStopInTheMiddleOfASegmentLosesAndRepeatsNothing() throws Exception {
        copySegments(1, 5);
        CountDownLatch reached = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        try (DefaultCamelContext context = Endpoints.context()) {
            context.addRoutes(Endpoints.route(
                    Endpoints.uri(directory, CUSTOMERS),
                    route -> route.process(e -> {
                        take(e);
                        if (Endpoints.transaction(e) == 18) {
                            reached.countDown();
                            goOn.await();
                        }
                    })));
            context.start();
            reached.await();
            Thread stop = new Thread(context::stop);
            stop.start();
            await().until(() -> Endpoints.consumer(context).isSuspended());
            goOn.countDown();
            stop.join();
            // the transaction that was on its way is finished, none is begun
            assertThat(delivered).containsExactly(13L, 15L, 17L, 18L);
        }
        try (DefaultCamelContext context = started()) {
            awaitSegment(context, 6);
        }
        assertThat(delivered).isEqualTo(CUSTOMERS_TRANSACTIONS);
    }

    @Test
    void aRestartedContextReadsTheCheckpointAnew() throws Exception {
        copySegments(1, 2);
        try (DefaultCamelContext context = started()) {
            awaitSegment(context, 3);
            context.stop();
            copySegments(3, 5);
            context.start();
            awaitSegment(context, 6);
        }
        assertThat(delivered).isEqualTo(CUSTOMERS_TRANSACTIONS);
    }

    @Test
    void aStoppedRouteKeepsItsPlace() throws Exception {
        copySegments(1, 2);
        try (DefaultCamelContext context = started()) {
            awaitSegment(context, 3);
            context.getRouteController().stopRoute("cdc");
            copySegments(3, 5);
            context.getRouteController().startRoute("cdc");
            awaitSegment(context, 6);
        }
        assertThat(delivered).isEqualTo(CUSTOMERS_TRANSACTIONS);
    }

    /** As route reload does: the same id, another definition, while a transaction is on its way. */
    @Test
    void aRouteThatIsReplacedInTheMiddleGoesOnWhereItsPredecessorEnded() throws Exception {
        copySegments(1, 5);
        CountDownLatch reached = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        List<Long> second = new CopyOnWriteArrayList<>();
        try (DefaultCamelContext context = Endpoints.context()) {
            context.addRoutes(Endpoints.route(
                    Endpoints.uri(directory, CUSTOMERS),
                    route -> route.process(e -> {
                        take(e);
                        if (Endpoints.transaction(e) == 18) {
                            reached.countDown();
                            goOn.await();
                        }
                    })));
            context.start();
            reached.await();
            FirebirdCdcConsumer former = Endpoints.consumer(context);
            AtomicReference<Exception> failure = new AtomicReference<>();
            Thread reload = new Thread(() -> {
                try {
                    context.addRoutes(Endpoints.route(
                            Endpoints.uri(directory, CUSTOMERS),
                            route -> route.process(e -> second.add(Endpoints.transaction(e)))));
                } catch (Exception e) {
                    failure.set(e);
                }
            });
            reload.start();
            await().until(former::isSuspendingOrSuspended);
            goOn.countDown();
            reload.join();
            assertThat(failure).hasNullValue();
            assertThat(Endpoints.consumer(context)).isNotSameAs(former);
            awaitSegment(context, 6);
        }
        assertThat(delivered).containsExactly(13L, 15L, 17L, 18L);
        assertThat(second).isEqualTo(CUSTOMERS_TRANSACTIONS.subList(4, CUSTOMERS_TRANSACTIONS.size()));
    }

    @Test
    void aSuspendedRouteDeliversNothingUntilItIsResumed() throws Exception {
        copySegments(1, 2);
        try (DefaultCamelContext context = started()) {
            awaitSegment(context, 3);
            context.getRouteController().suspendRoute("cdc");
            assertThat(context.getRouteController().getRouteStatus("cdc")).isEqualTo(ServiceStatus.Suspended);
            copySegments(3, 5);
            Endpoints.consumer(context).run();
            assertThat(delivered).isEqualTo(CUSTOMERS_BEFORE_GAP);
            context.getRouteController().resumeRoute("cdc");
            awaitSegment(context, 6);
        }
        assertThat(delivered).isEqualTo(CUSTOMERS_TRANSACTIONS);
    }

    @Test
    void aSuspensionTakesEffectBetweenTwoTransactions() throws Exception {
        copySegments(1, 5);
        CountDownLatch reached = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        try (DefaultCamelContext context = Endpoints.context()) {
            context.addRoutes(Endpoints.route(
                    Endpoints.uri(directory, CUSTOMERS),
                    route -> route.process(e -> {
                        take(e);
                        if (Endpoints.transaction(e) == 21) {
                            reached.countDown();
                            goOn.await();
                        }
                    })));
            context.start();
            reached.await();
            FirebirdCdcConsumer consumer = Endpoints.consumer(context);
            consumer.suspend();
            goOn.countDown();
            await().until(() -> !consumer.isPolling());
            assertThat(delivered).endsWith(21L);
            consumer.resume();
            awaitSegment(context, 6);
        }
        assertThat(delivered).isEqualTo(CUSTOMERS_TRANSACTIONS);
    }

    @Test
    void aForcedStopEndsInsideAHugeTransactionAndLosesNothing() throws Exception {
        Path segments = BULK.segments(directory);
        AtomicLong first = new AtomicLong();
        CountDownLatch reached = new CountDownLatch(1);
        DefaultCamelContext context = Endpoints.context();
        context.getShutdownStrategy().setTimeout(1);
        context.addRoutes(Endpoints.route(
                Endpoints.uri(segments, BULK),
                route -> route.process(e -> {
                    for (JournalEvent event : e.getMessage()
                            .getMandatoryBody(CommittedTransaction.class)
                            .events()) {
                        if (first.incrementAndGet() == 100) {
                            reached.countDown();
                            // nobody interrupts a route on a thread of its own
                            await().pollThread(Thread::new)
                                    .until(() -> !Endpoints.consumer(context).isRunAllowed());
                        }
                    }
                })));
        context.start();
        reached.await();
        context.stop();
        assertThat(first.get()).isBetween(100L, BULK_EVENTS - 1);

        AtomicLong second = new AtomicLong();
        try (DefaultCamelContext next = Endpoints.context()) {
            next.addRoutes(Endpoints.route(
                    Endpoints.uri(segments, BULK),
                    route -> route.process(e -> e.getMessage()
                            .getMandatoryBody(CommittedTransaction.class)
                            .events()
                            .forEach(event -> second.incrementAndGet()))));
            next.start();
            await().until(() -> Endpoints.consumer(next)
                    .status()
                    .filter(s -> s.position().segment() == 6)
                    .isPresent());
        }
        assertThat(second).hasValue(BULK_EVENTS);
    }

    @Test
    void theCheckpointIsWrittenAfterEveryTransactionOfASlowStream() throws Exception {
        copySegments(1, 1);
        MemoryCheckpointStore store = new MemoryCheckpointStore();
        DefaultCamelContext context = Endpoints.context();
        try (context) {
            context.getRegistry().bind("memory", store);
            context.addRoutes(Endpoints.route(
                    Endpoints.uri(directory, CUSTOMERS, "checkpointStore=#memory", "checkpointInterval=1h"),
                    route -> route.process(this::take)));
            context.start();
            awaitSegment(context, 2);
            // nothing has been stopped: the end of the poll wrote it
            await().until(() -> store.load(
                            CUSTOMERS.catalogs().get(0).database().guid().orElseThrow())
                    .filter(c -> c.position().segment() == 2)
                    .isPresent());
        }
        assertThat(Files.list(directory).map(f -> f.getFileName().toString()))
                .noneMatch(name -> name.startsWith("firebird-cdc-"));
    }

    @Test
    void finishedSegmentsAreDeletedWhenWanted() throws Exception {
        copySegments(1, 5);
        try (DefaultCamelContext context = started("processed=delete")) {
            awaitSegment(context, 6);
            await().until(() -> Files.list(directory)
                    .noneMatch(f -> f.getFileName().toString().startsWith("customers")));
        }
        assertThat(delivered).isEqualTo(CUSTOMERS_TRANSACTIONS);
    }

    @Test
    void finishedSegmentsAreMovedIntoTheFolderThatIsNamed() throws Exception {
        copySegments(1, 5);
        try (DefaultCamelContext context = started("processed=move", "moveTo=finished")) {
            awaitSegment(context, 6);
            await().until(() -> Files.exists(directory.resolve("finished/customers.fdb.journal-000000004")));
        }
        assertThat(delivered).isEqualTo(CUSTOMERS_TRANSACTIONS);
    }
}
