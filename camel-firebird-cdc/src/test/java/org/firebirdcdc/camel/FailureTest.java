package org.firebirdcdc.camel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.firebirdcdc.camel.Endpoints.BASICS;
import static org.firebirdcdc.camel.Endpoints.BASICS_TRANSACTIONS;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.camel.Consumer;
import org.apache.camel.Endpoint;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.health.HealthCheck;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.spi.ExceptionHandler;
import org.apache.camel.support.DefaultPollingConsumerPollStrategy;
import org.apache.camel.support.LoggingExceptionHandler;
import org.firebirdcdc.capture.Delivery;
import org.firebirdcdc.record.ReplacementCounter;
import org.firebirdcdc.schema.MetadataException;
import org.firebirdcdc.testing.Corpus;
import org.firebirdcdc.testing.LogCapture;
import org.firebirdcdc.transaction.CommittedTransaction;
import org.firebirdcdc.transaction.JournalEvent;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a failing route means: the same transaction again, in order, until the route or its error handler takes it. */
class FailureTest {

    @TempDir
    Path directory;

    private final List<Long> attempts = new CopyOnWriteArrayList<>();
    private final AtomicBoolean broken = new AtomicBoolean(true);

    @BeforeEach
    void copySegments() {
        Corpus.copy(BASICS.segments(directory), directory);
    }

    /** The third transaction fails as long as the route is broken. */
    private void take(Exchange exchange) {
        attempts.add(Endpoints.transaction(exchange));
        if (Endpoints.transaction(exchange) == 18 && broken.get()) {
            throw new IllegalStateException("the sink is down");
        }
    }

    private String uri(String... options) {
        return Endpoints.uri(directory, BASICS, options);
    }

    private void awaitEnd(DefaultCamelContext context) {
        await().until(() -> Endpoints.consumer(context)
                .status()
                .filter(s -> s.position().segment() == 2)
                .isPresent());
    }

    @Test
    void aFailedTransactionComesAgainBeforeAnythingLater() throws Exception {
        try (DefaultCamelContext context = Endpoints.context()) {
            context.addRoutes(Endpoints.route(uri(), route -> route.process(this::take)));
            context.start();
            await().until(() -> attempts.size() > 4);
            assertThat(attempts.subList(0, 5)).containsExactly(13L, 15L, 18L, 18L, 18L);
            broken.set(false);
            awaitEnd(context);
        }
        assertThat(attempts.stream().distinct()).containsExactlyElementsOf(BASICS_TRANSACTIONS);
        assertThat(attempts.subList(attempts.size() - 3, attempts.size())).containsExactly(18L, 20L, 30L);
    }

    @Test
    void healthIsDownWhileTheRouteFailsAndUpAgainAfterwards() throws Exception {
        try (DefaultCamelContext context = Endpoints.context()) {
            context.addRoutes(Endpoints.route(uri(), route -> route.process(this::take)));
            context.start();
            await().until(() -> Endpoints.consumer(context).getErrorCounter() > 1);
            HealthCheck.Result down = Endpoints.health(context);
            assertThat(down.getState()).isEqualTo(HealthCheck.State.DOWN);
            assertThat(down.getError().orElseThrow())
                    .isInstanceOf(DeliveryFailedException.class)
                    .hasMessageContaining("Transaction 18 (commit in segment 1, offset ")
                    .hasMessageContaining("the sink is down")
                    .hasCauseInstanceOf(IllegalStateException.class);
            broken.set(false);
            await().until(() -> Endpoints.isUp(context));
            awaitEnd(context);
        }
    }

    @Test
    void theSameFailureInASplitIsLoggedOnce() throws Exception {
        try (LogCapture log = LogCapture.of(FirebirdCdcConsumer.class);
                DefaultCamelContext context = Endpoints.context()) {
            context.addRoutes(Endpoints.route(
                    uri(),
                    route -> route.split().simple("${body}").stopOnException().process(exchange -> {
                        throw new IllegalStateException("the sink is down");
                    })));
            context.start();
            await().until(() -> Endpoints.consumer(context).getErrorCounter() > 3);
            assertThat(log.warnings())
                    .singleElement()
                    .asString()
                    .contains("the sink is down")
                    .doesNotContain("Exchange[");
        }
    }

    @Test
    void aFailureWithoutAMessageIsToldByItsType() throws Exception {
        try (DefaultCamelContext context = Endpoints.context()) {
            context.addRoutes(Endpoints.route(
                    uri(),
                    route -> route.process(exchange -> {
                        throw new IllegalStateException(new UnsupportedOperationException());
                    })));
            context.start();
            await().untilAsserted(() -> assertThat(Endpoints.health(context).getError())
                    .hasValueSatisfying(error -> assertThat(error)
                            .hasMessageContaining("java.lang.UnsupportedOperationException")
                            .hasMessageNotContaining("null")));
        }
    }

    @Test
    void whatFailedIsNotBehindTheCheckpoint() throws Exception {
        try (DefaultCamelContext context = Endpoints.context()) {
            context.addRoutes(Endpoints.route(uri(), route -> route.process(this::take)));
            context.start();
            await().until(() -> attempts.contains(18L));
        }
        attempts.clear();
        broken.set(false);
        try (DefaultCamelContext context = Endpoints.context()) {
            context.addRoutes(Endpoints.route(uri(), route -> route.process(this::take)));
            context.start();
            awaitEnd(context);
        }
        assertThat(attempts).containsExactly(18L, 20L, 30L);
    }

    @Test
    void aHandledErrorCountsAsDone() throws Exception {
        try (DefaultCamelContext context = Endpoints.context()) {
            context.addRoutes(new RouteBuilder() {
                @Override
                public void configure() {
                    onException(IllegalStateException.class).handled(true);
                    from(uri()).routeId("cdc").process(e -> take(e));
                }
            });
            context.start();
            awaitEnd(context);
        }
        assertThat(attempts).isEqualTo(BASICS_TRANSACTIONS);
    }

    @Test
    void aDeadLetterChannelTakesTheTransactionWithItsBody() throws Exception {
        List<Long> dead = new CopyOnWriteArrayList<>();
        try (DefaultCamelContext context = Endpoints.context()) {
            context.addRoutes(new RouteBuilder() {
                @Override
                public void configure() {
                    errorHandler(deadLetterChannel("direct:dead"));
                    from(uri()).routeId("cdc").process(e -> take(e));
                    from("direct:dead")
                            .process(e -> dead.add(e.getMessage()
                                    .getMandatoryBody(CommittedTransaction.class)
                                    .eventCount()));
                }
            });
            context.start();
            awaitEnd(context);
        }
        assertThat(dead).containsExactly(1L);
        assertThat(attempts).isEqualTo(BASICS_TRANSACTIONS);
    }

    @Test
    void redeliveryByCamelReadsTheWholeTransactionAgain() throws Exception {
        List<List<String>> readings = new CopyOnWriteArrayList<>();
        AtomicInteger failures = new AtomicInteger(2);
        try (DefaultCamelContext context = Endpoints.context()) {
            context.addRoutes(new RouteBuilder() {
                @Override
                public void configure() {
                    errorHandler(defaultErrorHandler().maximumRedeliveries(3).redeliveryDelay(0));
                    from(uri()).routeId("cdc").process(e -> {
                        CommittedTransaction body = e.getMessage().getMandatoryBody(CommittedTransaction.class);
                        List<String> ids = new CopyOnWriteArrayList<>();
                        for (JournalEvent event : body.events()) {
                            ids.add(event.id());
                        }
                        if (body.info().number() == 20) {
                            readings.add(ids);
                            if (failures.getAndDecrement() > 0) {
                                throw new IllegalStateException("not yet");
                            }
                        }
                    });
                }
            });
            context.start();
            awaitEnd(context);
            assertThat(Endpoints.consumer(context).getErrorCounter()).isZero();
        }
        assertThat(readings).hasSize(3);
        assertThat(readings.get(0)).hasSize(3).isEqualTo(readings.get(1)).isEqualTo(readings.get(2));
    }

    @Test
    void aBodyThatCannotBecomeWhatTheRouteAsksForIsAFailureLikeAnyOther() throws Exception {
        try (DefaultCamelContext context = Endpoints.context()) {
            context.addRoutes(Endpoints.route(uri(), route -> route.process(e -> attempts.add(Endpoints.transaction(e)))
                    .choice()
                    .when(e -> Endpoints.transaction(e) == 18 && broken.get())
                    .convertBodyTo(Integer.class)
                    .end()));
            context.start();
            await().until(() -> attempts.size() > 4);
            assertThat(attempts.subList(0, 5)).containsExactly(13L, 15L, 18L, 18L, 18L);
            assertThat(Endpoints.health(context).getError().orElseThrow())
                    .isInstanceOf(DeliveryFailedException.class)
                    .hasMessageContaining("Transaction 18 ")
                    .hasMessageContaining("java.lang.Integer");
            broken.set(false);
            awaitEnd(context);
        }
        assertThat(attempts.stream().distinct()).containsExactlyElementsOf(BASICS_TRANSACTIONS);
    }

    @Test
    void aTransactionMarkedForRollbackComesAgain() throws Exception {
        try (DefaultCamelContext context = Endpoints.context()) {
            context.addRoutes(Endpoints.route(
                    uri(),
                    route -> route.process(e -> {
                        attempts.add(Endpoints.transaction(e));
                        e.setRollbackOnly(Endpoints.transaction(e) == 18 && broken.get());
                    })));
            context.start();
            await().until(() -> attempts.size() > 4);
            assertThat(attempts.subList(0, 5)).containsExactly(13L, 15L, 18L, 18L, 18L);
            broken.set(false);
            awaitEnd(context);
        }
        assertThat(attempts.stream().distinct()).containsExactlyElementsOf(BASICS_TRANSACTIONS);
    }

    @Test
    void bridgeErrorHandlerGivesFailedPollsToTheRouteAndFailedTransactionsOnlyOnce() throws Exception {
        List<String> polls = new CopyOnWriteArrayList<>();
        List<String> exchanges = new CopyOnWriteArrayList<>();
        Path catalog = directory.resolve("catalog.json");
        try (DefaultCamelContext context = Endpoints.context()) {
            context.addRoutes(new RouteBuilder() {
                @Override
                public void configure() {
                    onException(MetadataException.class)
                            .handled(true)
                            .process(e -> polls.add(e.getProperty(Exchange.EXCEPTION_CAUGHT, Exception.class)
                                    .getMessage()));
                    onException(Exception.class)
                            .process(e ->
                                    exchanges.add(String.valueOf(e.getMessage().getBody())));
                    from(Endpoints.uri(directory, List.of("catalogFiles=" + catalog, "bridgeErrorHandler=true")))
                            .routeId("cdc")
                            .process(e -> take(e));
                }
            });
            context.start();
            await().until(() -> polls.size() > 1);
            assertThat(polls.get(0)).contains(catalog.toString());
            assertThat(Endpoints.isDown(context)).isTrue();
            Files.copy(BASICS.folder().resolve("catalog.json"), catalog);
            await().until(() -> exchanges.size() > 1);
            broken.set(false);
            awaitEnd(context);
        }
        assertThat(exchanges).allMatch(body -> body.startsWith("transaction 18 "));
    }

    @Test
    void aCustomExceptionHandlerIsTold() throws Exception {
        List<Throwable> told = new CopyOnWriteArrayList<>();
        try (DefaultCamelContext context = Endpoints.context()) {
            ExceptionHandler handler = new LoggingExceptionHandler(context, FailureTest.class) {
                @Override
                public void handleException(String message, Throwable exception) {
                    told.add(exception);
                }
            };
            context.getRegistry().bind("mine", ExceptionHandler.class, handler);
            context.addRoutes(Endpoints.route(uri("exceptionHandler=#mine"), route -> route.process(this::take)));
            context.start();
            await().until(() -> !told.isEmpty());
            broken.set(false);
            awaitEnd(context);
        }
        assertThat(told.get(0)).isInstanceOf(DeliveryFailedException.class);
    }

    @Test
    void aPollStrategyMayAskForAnotherAttemptAtOnce() throws Exception {
        AtomicInteger rollbacks = new AtomicInteger();
        try (DefaultCamelContext context = Endpoints.context()) {
            context.getRegistry().bind("mine", new DefaultPollingConsumerPollStrategy() {
                @Override
                public boolean rollback(Consumer consumer, Endpoint endpoint, int retries, Exception cause) {
                    broken.set(rollbacks.incrementAndGet() < 2);
                    return true;
                }
            });
            context.addRoutes(Endpoints.route(uri("pollStrategy=#mine"), route -> route.process(this::take)));
            context.start();
            awaitEnd(context);
            assertThat(Endpoints.consumer(context).getErrorCounter()).isZero();
        }
        assertThat(rollbacks).hasValue(2);
        assertThat(attempts).containsExactly(13L, 15L, 18L, 18L, 18L, 20L, 30L);
    }

    @Test
    void onlyTheFirstCompletionOfAnExchangeCounts() throws Exception {
        Path archive = Files.createDirectory(directory.resolve("archive"));
        Corpus.copy(BASICS.segments(directory), archive);
        try (DefaultCamelContext context = Endpoints.context()) {
            context.addRoutes(Endpoints.route(uri(), route -> route.process(this::take)));
            context.start();
            FirebirdCdcConsumer consumer = Endpoints.consumer(context);
            FirebirdCdcConfiguration options = new FirebirdCdcConfiguration();
            options.setCatalogFiles(BASICS.folder().resolve("catalog.json").toString());
            CaptureSession session = new CaptureSession(new CapturePlan(archive, options, ReplacementCounter.NONE));
            DeliveryWindow window = new DeliveryWindow(1, session::isStopped);
            DeliveryWindow.Place place = window.take().orElseThrow();
            Delivery delivery = session.next().orElseThrow();
            Handover handover = new Handover(
                    consumer, window, place, session, delivery, consumer.createExchange(false), Optional.empty());
            window.occupy(place);
            assertThat(window.pending()).isEqualTo(1);
            handover.done(false);
            handover.done(false);
            assertThat(window.pending()).isZero();
            assertThat(session.status().orElseThrow().counters().transactions()).isEqualTo(1);
            session.close();
        }
    }
}
