package org.firebirdcdc.routes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.apache.camel.health.HealthCheck;
import org.apache.camel.processor.errorhandler.DefaultErrorHandler;
import org.firebirdcdc.camel.FirebirdCdcConsumer;
import org.firebirdcdc.examples.kafka.EmbeddedKafka;
import org.firebirdcdc.testing.Corpus;
import org.firebirdcdc.testing.Corpus.Recording;
import org.firebirdcdc.testing.LogCapture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What is not there when a route starts: it says so, goes on running, and goes on delivering when it has come. */
@ExtendWith(SharedKafka.class)
class BadInputTest {

    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final Recording BASICS = Corpus.recording("fb40/01-basics");

    @TempDir
    Path directory;

    @Test
    void aDirectoryThatIsNotThere(EmbeddedKafka kafka) {
        Path archive = directory.resolve("archive");
        try (RouteRun run = RouteRun.start(RouteRun.BULK, RouteRun.settings(BASICS, archive, kafka, "bad-directory"))) {
            awaitDown(run, archive.toString(), "no such directory", "journal_archive_directory");

            Corpus.copy(BASICS.segments(directory), archive);
            awaitDelivered(run);
        }
    }

    @Test
    void aCatalogFileThatIsNotThere(EmbeddedKafka kafka) throws IOException {
        Path catalog = directory.resolve("catalog.json");
        Map<String, String> settings = RouteRun.settings(BASICS, archive(), kafka, "bad-catalog");
        settings.put("camel.component.firebird-cdc.catalog-files", catalog.toString());
        try (RouteRun run = RouteRun.start(RouteRun.BULK, settings)) {
            awaitDown(run, catalog.toString(), "no such file");

            Files.copy(BASICS.folder().resolve("catalog.json"), catalog);
            awaitDelivered(run);
        }
    }

    @Test
    void aDatabaseThatIsNotThere(EmbeddedKafka kafka) {
        Map<String, String> settings = RouteRun.settings(archive(), kafka, "bad-database");
        settings.put("camel.component.firebird-cdc.database", "localhost:1/shop");
        settings.put("camel.component.firebird-cdc.username", "SYSDBA");
        settings.put("camel.component.firebird-cdc.password", "hidden");
        try (RouteRun run = RouteRun.start(RouteRun.BULK, settings)) {
            awaitDown(run, "localhost:1/shop", "check host and port");
            assertThat(run.health().getError().orElseThrow().toString()).doesNotContain("hidden");
        }
    }

    @Test
    void aBrokerWhoseNameIsNotKnown(EmbeddedKafka kafka) {
        Map<String, String> settings = RouteRun.settings(BASICS, archive(), kafka, "bad-broker");
        settings.put("camel.component.kafka.brokers", "broker.invalid:9092");
        for (Path route : new Path[] {RouteRun.BULK, RouteRun.SPLIT}) {
            try (LogCapture routeLog = LogCapture.of(DefaultErrorHandler.class);
                    LogCapture log = LogCapture.of(FirebirdCdcConsumer.class);
                    RouteRun run = RouteRun.start(route, settings)) {
                awaitDown(run, "Transaction 13 ", "bootstrap", "delivered again");
                await().atMost(PATIENCE)
                        .untilAsserted(() ->
                                assertThat(run.consumer().getErrorCounter()).isGreaterThan(3));
                assertThat(run.consumer().getDeliveredTransactions()).isZero();
                // told once, not at each attempt
                assertThat(log.warnings()).singleElement().asString().contains("Transaction 13 ", "bootstrap");
                assertThat(routeLog.messages()).isEmpty();
            }
        }
    }

    @Test
    void aDamagedSegment(EmbeddedKafka kafka) throws IOException {
        Path archive = archive();
        Path segment = archive.resolve("basics.fdb.journal-000000001");
        byte[] sound = Files.readAllBytes(segment);
        byte[] damaged = sound.clone();
        // the length of the first block
        damaged[60] = (byte) 0x7F;
        damaged[61] = (byte) 0x7F;
        damaged[62] = (byte) 0x7F;
        Files.write(segment, damaged);
        try (RouteRun run = RouteRun.start(RouteRun.BULK, RouteRun.settings(BASICS, archive, kafka, "bad-segment"));
                Topics topics = new Topics(kafka, "bad-segment")) {
            awaitDown(run, "segment 1");
            assertThat(topics.read()).isEmpty();

            Files.write(segment, sound);
            awaitDelivered(run);
            assertThat(topics.read()).hasSize(8);
        }
    }

    private Path archive() {
        Path archive = directory.resolve("archive");
        Corpus.copy(BASICS.segments(directory), archive);
        return archive;
    }

    private static void awaitDown(RouteRun run, String... message) {
        await().atMost(PATIENCE).untilAsserted(() -> {
            HealthCheck.Result health = run.health();
            assertThat(health.getState()).isEqualTo(HealthCheck.State.DOWN);
            assertThat(health.getError().map(Throwable::getMessage).or(health::getMessage))
                    .hasValueSatisfying(text -> assertThat(text).contains(message));
        });
    }

    private static void awaitDelivered(RouteRun run) {
        await().atMost(PATIENCE).untilAsserted(() -> {
            assertThat(run.consumer().getDeliveredTransactions()).isEqualTo(5);
            assertThat(run.health().getState()).isEqualTo(HealthCheck.State.UP);
        });
    }
}
