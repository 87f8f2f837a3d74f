package org.firebirdcdc.camel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.firebirdcdc.camel.Endpoints.BASICS;
import static org.firebirdcdc.camel.Endpoints.BASICS_TRANSACTIONS;
import static org.firebirdcdc.camel.Endpoints.CUSTOMERS;
import static org.firebirdcdc.camel.Endpoints.CUSTOMERS_BEFORE_GAP;
import static org.firebirdcdc.camel.Endpoints.CUSTOMERS_TRANSACTIONS;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.apache.camel.Exchange;
import org.apache.camel.health.HealthCheck;
import org.apache.camel.impl.DefaultCamelContext;
import org.firebirdcdc.testing.Corpus;
import org.firebirdcdc.testing.FailingStore;
import org.firebirdcdc.testing.MemoryCheckpointStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is missing or wrong around an endpoint: told with advice, and delivery goes on by itself when it is gone. */
class RecoveryTest {

    @TempDir
    Path directory;

    private final List<Long> delivered = new CopyOnWriteArrayList<>();

    private void take(Exchange exchange) {
        delivered.add(Endpoints.transaction(exchange));
    }

    private DefaultCamelContext started(String uri) throws Exception {
        DefaultCamelContext context = Endpoints.context();
        context.addRoutes(Endpoints.route(uri, route -> route.process(this::take)));
        context.start();
        return context;
    }

    private static String awaitError(DefaultCamelContext context) {
        await().until(() -> Endpoints.health(context).getError().isPresent());
        assertThat(Endpoints.isDown(context)).isTrue();
        return Endpoints.health(context).getError().orElseThrow().getMessage();
    }

    private void awaitAll(DefaultCamelContext context, List<Long> transactions) {
        await().untilAsserted(() -> assertThat(delivered).isEqualTo(transactions));
        await().until(() -> Endpoints.isUp(context));
    }

    @Test
    void aMissingDirectoryFailsThePollUntilItIsThere() throws Exception {
        Path archive = directory.resolve("archive");
        try (DefaultCamelContext context = started(Endpoints.uri(archive, BASICS))) {
            assertThat(awaitError(context)).contains(archive.toString());
            Corpus.copy(BASICS.segments(directory), archive);
            awaitAll(context, BASICS_TRANSACTIONS);
        }
    }

    @Test
    void aDirectoryThatGoesAwayFailsThePollUntilItIsBack() throws Exception {
        Path archive = directory.resolve("archive");
        Path away = directory.resolve("away");
        Path checkpoints = directory.resolve("checkpoints");
        Corpus.copy(BASICS.segments(directory), archive);
        try (DefaultCamelContext context =
                started(Endpoints.uri(archive, BASICS, "checkpointDirectory=" + checkpoints))) {
            awaitAll(context, BASICS_TRANSACTIONS);
            Files.move(archive, away);
            assertThat(awaitError(context)).contains(archive.toString());
            Files.move(away, archive);
            await().until(() -> Endpoints.isUp(context));
        }
        assertThat(delivered).isEqualTo(BASICS_TRANSACTIONS);
    }

    @Test
    void anEmptyDirectoryIsNoFault() throws Exception {
        try (DefaultCamelContext context = started(Endpoints.uri(directory, BASICS))) {
            await().until(() -> Endpoints.isUp(context));
            Corpus.copy(BASICS.segments(directory), directory);
            awaitAll(context, BASICS_TRANSACTIONS);
        }
    }

    @Test
    void aMissingCatalogFileFailsThePollUntilItIsThere() throws Exception {
        Corpus.copy(BASICS.segments(directory), directory);
        Path catalog = directory.resolve("catalog.json");
        try (DefaultCamelContext context = started(Endpoints.uri(directory, List.of("catalogFiles=" + catalog)))) {
            assertThat(awaitError(context)).contains(catalog.toString());
            Files.copy(BASICS.folder().resolve("catalog.json"), catalog);
            awaitAll(context, BASICS_TRANSACTIONS);
        }
    }

    @Test
    void aDatabaseThatDoesNotAnswerFailsThePollWithAdviceAndWithoutThePassword() throws Exception {
        Corpus.copy(BASICS.segments(directory), directory);
        try (DefaultCamelContext context = started(Endpoints.uri(
                directory, List.of("database=localhost:1/none", "username=SYSDBA", "password=top-secret")))) {
            assertThat(awaitError(context))
                    .contains("jdbc:firebird://localhost:1/none")
                    .contains("check host and port")
                    .doesNotContain("top-secret");
        }
        assertThat(delivered).isEmpty();
    }

    @Test
    void aMissingSegmentTakesHealthDownByItsNumberWithoutFailingPolls() throws Exception {
        Corpus.copy(CUSTOMERS.segments(directory), directory);
        Path third = directory.resolve("customers.fdb.journal-000000003");
        Path away = directory.resolve("away");
        Files.move(third, away);
        try (DefaultCamelContext context = started(Endpoints.uri(directory, CUSTOMERS))) {
            await().until(() -> Endpoints.isDown(context)
                    && Endpoints.consumer(context).isConsumerReady()
                    && Endpoints.health(context).getMessage().isPresent());
            HealthCheck.Result down = Endpoints.health(context);
            assertThat(down.getMessage().orElseThrow()).contains("segment 3").contains("Copy it to");
            assertThat(down.getDetails())
                    .containsEntry("firebird.segment", 3L)
                    .containsEntry("firebird.problem", down.getMessage().orElseThrow())
                    .containsKey("firebird.guid");
            assertThat(Endpoints.consumer(context).getErrorCounter()).isZero();
            assertThat(delivered).isEqualTo(CUSTOMERS_BEFORE_GAP);
            Files.move(away, third);
            awaitAll(context, CUSTOMERS_TRANSACTIONS);
        }
    }

    @Test
    void aGapFailsThePollWhenThatIsWanted() throws Exception {
        Corpus.copy(CUSTOMERS.segments(directory), directory);
        Files.delete(directory.resolve("customers.fdb.journal-000000003"));
        try (DefaultCamelContext context = started(Endpoints.uri(directory, CUSTOMERS, "onGap=fail"))) {
            assertThat(awaitError(context)).contains("segment 3");
        }
        assertThat(delivered).isEqualTo(CUSTOMERS_BEFORE_GAP);
    }

    @Test
    void aSecondConsumerOfTheDatabaseIsRefusedAndTakesOverWhenTheFirstIsGone() throws Exception {
        Corpus.copy(BASICS.segments(directory), directory);
        DefaultCamelContext first = started(Endpoints.uri(directory, BASICS));
        awaitAll(first, BASICS_TRANSACTIONS);
        try (DefaultCamelContext second = started(Endpoints.uri(directory, BASICS))) {
            assertThat(awaitError(second)).contains("another consumer in this process captures this database already");
            assertThat(Endpoints.isUp(first)).isTrue();
            first.stop();
            await().until(() -> Endpoints.isUp(second));
        }
        assertThat(delivered).isEqualTo(BASICS_TRANSACTIONS);
    }

    @Test
    void aCheckpointThatCannotBeWrittenHoldsDeliveryUntilItCan() throws Exception {
        Corpus.copy(BASICS.segments(directory), directory);
        FailingStore store = new FailingStore(new MemoryCheckpointStore());
        try (DefaultCamelContext context = Endpoints.context()) {
            context.getRegistry().bind("store", store);
            context.addRoutes(Endpoints.route(
                    Endpoints.uri(directory, BASICS, "checkpointStore=#store", "checkpointInterval=0"),
                    route -> route.process(e -> {
                        take(e);
                        if (delivered.size() == 2) {
                            store.fail(true);
                        }
                    })));
            context.start();
            assertThat(awaitError(context)).contains("no space left");
            await().until(() -> Endpoints.consumer(context).getErrorCounter() > 2);
            assertThat(delivered).containsExactly(13L, 15L);
            store.fail(false);
            awaitAll(context, BASICS_TRANSACTIONS);
        }
    }

    // ------------------------------------------------------------------------------------------------ damaged

    /** A directory that is not as it should be, and what a sound reader does there. */
    record Case(String name, String verdict, int atLeast, int atMost) {

        /** Something that an operator has to see to; a journal directory in the place of an archive is. */
        boolean isFault() {
            return verdict.equals("gap") || verdict.equals("corrupt") || name.equals("22-state-free");
        }

        @Override
        public String toString() {
            return name + " (" + verdict + ")";
        }
    }

    static Stream<Case> cases() {
        List<Case> all = new ArrayList<>();
        for (JsonNode json : CUSTOMERS.json("cases.json")) {
            all.add(new Case(
                    json.get("case").asText(),
                    json.get("verdict").asText(),
                    json.get("at_least").asInt(),
                    json.get("transactions").asInt()));
        }
        return all.stream();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void anOddDirectoryIsReadAsFarAsItIsSound(Case given) throws Exception {
        copyCase(given);
        try (DefaultCamelContext context = started(Endpoints.uri(directory, CUSTOMERS, "greedy=false"))) {
            // the first poll delivers what there is, the second tells what it waits for
            await().until(() -> Endpoints.consumer(context).getCounter() > 2);
            await().until(() -> given.isFault() ? Endpoints.isDown(context) : Endpoints.isUp(context));
        }
        assertThat(delivered).doesNotHaveDuplicates();
        assertThat(delivered.size()).isBetween(given.atLeast(), given.atMost());
    }

    private void copyCase(Case given) throws IOException {
        Path folder = CUSTOMERS.folder().resolve("cases").resolve(given.name());
        if (Files.isDirectory(folder)) {
            Corpus.copy(folder, directory);
        }
    }
}
