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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.impl.DefaultCamelContext;
import org.firebirdcdc.checkpoint.FileCheckpointStore;
import org.firebirdcdc.journal.DatabaseGuid;
import org.firebirdcdc.testing.Corpus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is wrong with the checkpoint stops delivery with advice, and never means "begin anew". */
class CheckpointTroubleTest {

    private static final DatabaseGuid OTHER = DatabaseGuid.parse("{2DA66FB7-7024-4F4C-839F-CBDD2DC5842A}");

    @TempDir
    Path home;

    private final List<Long> delivered = new CopyOnWriteArrayList<>();

    private Path archive() {
        return home.resolve("archive");
    }

    private Path checkpoints() {
        return home.resolve("checkpoints");
    }

    private static DatabaseGuid guid() {
        return CUSTOMERS.catalogs().get(0).database().guid().orElseThrow();
    }

    private Path checkpoint() {
        return checkpoints().resolve("firebird-cdc-" + guid() + ".json");
    }

    private Path schema() {
        return checkpoints().resolve("firebird-cdc-" + guid() + ".schema.json");
    }

    /** Segments from a number on; the others were delivered before. */
    private void copySegments(int from, int to) {
        Path segments = CUSTOMERS.segments(home);
        try {
            Files.createDirectories(archive());
            for (int number = from; number <= to; number++) {
                String name = "customers.fdb.journal-00000000" + number;
                Files.copy(segments.resolve(name), archive().resolve(name));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private DefaultCamelContext started(String... options) throws Exception {
        List<String> all = new ArrayList<>(List.of(options));
        if (all.stream().noneMatch(o -> o.startsWith("checkpoint"))) {
            all.add("checkpointDirectory=" + checkpoints());
        }
        DefaultCamelContext context = Endpoints.context();
        context.addRoutes(Endpoints.route(
                Endpoints.uri(archive(), CUSTOMERS, all.toArray(String[]::new)),
                route -> route.process(e -> delivered.add(Endpoints.transaction(e)))));
        context.start();
        return context;
    }

    private static void awaitSegment(DefaultCamelContext context, long segment) {
        await().until(() -> Endpoints.consumer(context)
                .status()
                .filter(s -> s.position().segment() == segment)
                .isPresent());
    }

    private static String awaitError(DefaultCamelContext context) {
        await().until(() -> Endpoints.consumer(context).getErrorCounter() > 2);
        assertThat(Endpoints.isDown(context)).isTrue();
        return Endpoints.health(context).getError().orElseThrow().getMessage();
    }

    /** What can happen to the file of a checkpoint, and what is said of it. */
    enum Damage {
        TRUNCATED(text -> text.substring(0, text.length() / 2), "it was cut off or edited"),
        EMPTIED(text -> "", "it was cut off or edited"),
        ZEROED(text -> "\0".repeat(text.length()), "it was cut off or edited"),
        OF_ANOTHER_DATABASE(text -> text.replace(guid().toString(), OTHER.toString()), "is of database " + OTHER),
        OF_A_NEWER_VERSION(text -> text.replace("\"version\" : 1", "\"version\" : 99"), "Run the newer program");

        private final UnaryOperator<String> change;
        private final String said;

        Damage(UnaryOperator<String> change, String said) {
            this.change = change;
            this.said = said;
        }
    }

    @ParameterizedTest
    @EnumSource(Damage.class)
    void aCheckpointThatIsNotOneStopsDeliveryUntilTheRightOneIsBack(Damage damage) throws Exception {
        copySegments(1, 2);
        try (DefaultCamelContext context = started()) {
            awaitSegment(context, 3);
        }
        copySegments(3, 5);
        String sound = Files.readString(checkpoint());
        Files.writeString(checkpoint(), damage.change.apply(sound));
        try (DefaultCamelContext context = started()) {
            assertThat(awaitError(context))
                    .contains(checkpoint().toString())
                    .contains(damage.said)
                    .containsAnyOf("move the file away", "move this one away", "another value");
            assertThat(delivered).isEqualTo(CUSTOMERS_BEFORE_GAP);
            Files.writeString(checkpoint(), sound);
            awaitSegment(context, 6);
            await().until(() -> Endpoints.isUp(context));
        }
        assertThat(delivered).isEqualTo(CUSTOMERS_TRANSACTIONS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "{\"version\":1}", "[]", "null"})
    void aSchemaHistoryThatIsNotOneStopsDeliveryUntilTheRightOneIsBack(String content) throws Exception {
        copySegments(1, 2);
        try (DefaultCamelContext context = started()) {
            awaitSegment(context, 3);
        }
        copySegments(3, 5);
        String sound = Files.readString(schema());
        Files.writeString(schema(), content);
        try (DefaultCamelContext context = started()) {
            assertThat(awaitError(context)).contains("schema history", "bring it back from a backup");
            assertThat(delivered).isEqualTo(CUSTOMERS_BEFORE_GAP);
            Files.writeString(schema(), sound);
            awaitSegment(context, 6);
        }
        assertThat(delivered).isEqualTo(CUSTOMERS_TRANSACTIONS);
    }

    /** A bean is one object for all routes that name it. */
    @Test
    void oneStoreForTwoRoutesOnOneDirectoryLetsOnlyOneCapture() throws Exception {
        copySegments(1, 5);
        List<Long> second = new CopyOnWriteArrayList<>();
        try (DefaultCamelContext context = Endpoints.context()) {
            context.getRegistry().bind("store", new FileCheckpointStore(checkpoints()));
            String uri = Endpoints.uri(archive(), CUSTOMERS, "checkpointStore=#store");
            context.addRoutes(new RouteBuilder() {
                @Override
                public void configure() {
                    from(uri).routeId("cdc").process(e -> delivered.add(Endpoints.transaction(e)));
                    // other parameters, another endpoint
                    from(uri + "&greedy=true")
                            .routeId("other")
                            .autoStartup(false)
                            .process(e -> second.add(Endpoints.transaction(e)));
                }
            });
            context.start();
            awaitSegment(context, 6);
            context.getRouteController().startRoute("other");
            FirebirdCdcConsumer other =
                    (FirebirdCdcConsumer) context.getRoute("other").getConsumer();
            await().until(() -> other.getErrorCounter() > 2);
            assertThat(other.getHealthCheck().callReadiness().getError().orElseThrow())
                    .hasMessageContaining("another consumer in this process captures this database already");
            context.getRouteController().stopRoute("other");
            assertThat(Endpoints.isUp(context)).isTrue();
            // the one that was refused has not taken the lock away
            try (DefaultCamelContext third = started()) {
                assertThat(awaitError(third)).contains("another consumer in this process");
            }
        }
        assertThat(second).isEmpty();
        assertThat(delivered).isEqualTo(CUSTOMERS_TRANSACTIONS);
    }

    @Test
    void aRouteThatLeavesItsThreadInterruptedLosesNothing() throws Exception {
        copySegments(1, 5);
        try (DefaultCamelContext context = Endpoints.context()) {
            context.addRoutes(Endpoints.route(
                    Endpoints.uri(archive(), CUSTOMERS, "checkpointDirectory=" + checkpoints(), "checkpointInterval=0"),
                    route -> route.process(e -> {
                        long transaction = Endpoints.transaction(e);
                        boolean first = !delivered.contains(transaction);
                        delivered.add(transaction);
                        if (first && transaction % 3 == 0) {
                            Thread.currentThread().interrupt();
                        }
                    })));
            context.start();
            awaitSegment(context, 6);
            await().until(() -> Endpoints.isUp(context));
        }
        assertThat(delivered.stream().distinct().toList()).isEqualTo(CUSTOMERS_TRANSACTIONS);
    }

    @Test
    void twoContextsShareACheckpointDirectoryForTwoDatabases() throws Exception {
        copySegments(1, 5);
        Path basics = home.resolve("basics");
        Corpus.copy(Endpoints.BASICS.segments(home), basics);
        List<Long> second = new CopyOnWriteArrayList<>();
        try (DefaultCamelContext context = started();
                DefaultCamelContext other = Endpoints.context()) {
            awaitSegment(context, 6);
            other.addRoutes(Endpoints.route(
                    Endpoints.uri(basics, Endpoints.BASICS, "checkpointDirectory=" + checkpoints()),
                    route -> route.process(e -> second.add(Endpoints.transaction(e)))));
            other.start();
            assertThat(awaitError(other)).contains("databaseGuid", guid().toString());
            assertThat(Endpoints.isUp(context)).isTrue();
        }
        DatabaseGuid its = Endpoints.BASICS.catalogs().get(0).database().guid().orElseThrow();
        try (DefaultCamelContext context = Endpoints.context()) {
            context.addRoutes(Endpoints.route(
                    Endpoints.uri(
                            basics, Endpoints.BASICS, "checkpointDirectory=" + checkpoints(), "databaseGuid=" + its),
                    route -> route.process(e -> second.add(Endpoints.transaction(e)))));
            context.start();
            awaitSegment(context, 2);
        }
        assertThat(delivered).isEqualTo(CUSTOMERS_TRANSACTIONS);
        assertThat(second).isEqualTo(Endpoints.BASICS_TRANSACTIONS);
    }
}
