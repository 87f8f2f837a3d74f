package org.firebirdcdc.routes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.camel.health.HealthCheck;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.config.ConfigResource;
import org.firebirdcdc.examples.kafka.EmbeddedKafka;
import org.firebirdcdc.routes.RecordedChanges.Change;
import org.firebirdcdc.testing.Corpus;
import org.firebirdcdc.testing.Corpus.Recording;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of records that Kafka does not take, and of a broker that goes away. */
@ExtendWith(SharedKafka.class)
class KafkaFailuresTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private static final Recording TRIGGERS = Corpus.recording("fb40/08-triggers-keys");

    private static final String LIMIT = "max.message.bytes";

    @TempDir
    Path directory;

    private Path archive;

    @BeforeEach
    void makeArchive() throws IOException {
        archive = Files.createDirectory(directory.resolve("archive"));
    }

    @Test
    void aRecordTooLargeForTheBrokerHoldsBackEverythingBehindIt(EmbeddedKafka kafka) throws Exception {
        Recording blobs = Corpus.recording("fb40/04-blobs");
        Corpus.copy(blobs.segments(directory), archive);
        List<List<Change>> transactions = RecordedChanges.transactions(blobs, archive);
        Map<String, String> settings = RouteRun.settings(blobs, archive, kafka, "large");
        try (Admin admin = admin(kafka)) {
            // one row holds five megabytes, which compress well
            createTopic(admin, "large.BIG", 60_000);

            try (RouteRun run = RouteRun.start(RouteRun.BULK, settings);
                    Topics topics = new Topics(kafka, "large")) {
                // further attempts of the same transaction, and none of a later one
                await().atMost(PATIENCE)
                        .untilAsserted(() ->
                                assertThat(run.consumer().getErrorCounter()).isGreaterThan(2));
                assertThat(run.health().getState()).isEqualTo(HealthCheck.State.DOWN);
                assertThat(run.health().getError().orElseThrow().getMessage())
                        .contains("Transaction ", "commit in segment ", "larger than");
                int delivered = (int) run.consumer().getDeliveredTransactions();
                Set<String> reached = ids(topics.read());
                assertThat(transactions.get(delivered))
                        .anyMatch(change -> change.topic().equals("BIG"));
                assertThat(reached).containsAll(ids(transactions.subList(0, delivered)));
                assertThat(reached)
                        .doesNotContainAnyElementsOf(ids(transactions.subList(delivered + 1, transactions.size())));

                limit(admin, "large.BIG", 16_777_216);
                await().atMost(PATIENCE)
                        .untilAsserted(() -> assertThat(run.consumer().getDeliveredTransactions())
                                .isEqualTo(transactions.size()));
                await().untilAsserted(() -> assertThat(run.health().getState()).isEqualTo(HealthCheck.State.UP));
                assertThat(lastOfEach(topics.read())).isEqualTo(RecordedChanges.byTopic("large.", transactions));
            }
        }
    }

    @Test
    void redeliveryByAnErrorHandlerSendsTheSameRecordsToTheSameTopics(EmbeddedKafka kafka) throws Exception {
        Corpus.copy(TRIGGERS.segments(directory), archive);
        List<List<Change>> transactions = RecordedChanges.transactions(TRIGGERS, archive);
        int first = firstWith("GRANDCHILD", transactions);
        Map<String, String> settings = RouteRun.settings(TRIGGERS, archive, kafka, "again");
        try (Admin admin = admin(kafka)) {
            createTopic(admin, "again.GRANDCHILD", 100);

            try (RouteRun run = RouteRun.start(Path.of("src/test/resources/routes/redelivering.camel.yaml"), settings);
                    Topics topics = new Topics(kafka, "again")) {
                // records of the transaction that fit are there more than once: it was sent again
                await().atMost(PATIENCE)
                        .untilAsserted(() -> assertThat(repeats(topics.read())).isNotEmpty());
                assertThat(run.consumer().getDeliveredTransactions()).isEqualTo(first);

                limit(admin, "again.GRANDCHILD", 1_000_000);
                await().atMost(PATIENCE)
                        .untilAsserted(() -> assertThat(run.consumer().getDeliveredTransactions())
                                .isEqualTo(transactions.size()));
                List<KafkaRecord> records = topics.read();
                assertThat(lastOfEach(records)).isEqualTo(RecordedChanges.byTopic("again.", transactions));
                assertThat(different(records)).isEmpty();
                assertThat(admin.listTopics().names().get()).doesNotContain("firebird");
            }
        }
    }

    @Test
    void whileTheBrokerIsAwayNothingIsLostAndNothingComesOutOfOrder() throws Exception {
        Recording recording = Corpus.recording("fb40/12b-bulk-small-transactions");
        Path segments = recording.segments(directory);
        copy(segments, 1, 3);
        try (EmbeddedKafka kafka = EmbeddedKafka.start(directory.resolve("kafka"))) {
            Map<String, String> settings = RouteRun.settings(recording, archive, kafka, "away");
            // a client that gives up soon; by default it tries for two minutes, which the route survives as well
            settings.put("camel.component.kafka.request-timeout-ms", "1000");
            settings.put("camel.component.kafka.delivery-timeout-ms", "2000");
            settings.put("camel.component.kafka.max-block-ms", "2000");
            try (RouteRun run = RouteRun.start(RouteRun.BULK, settings)) {
                await().atMost(PATIENCE)
                        .untilAsserted(() -> assertThat(run.consumer().getDeliveredTransactions())
                                .isGreaterThan(20));
                kafka.stop();
                copy(segments, 4, 5);
                await().atMost(PATIENCE)
                        .untilAsserted(() -> assertThat(run.health().getState()).isEqualTo(HealthCheck.State.DOWN));
                kafka.start();

                List<List<Change>> transactions = RecordedChanges.transactions(recording, archive);
                await().atMost(PATIENCE)
                        .untilAsserted(() -> assertThat(run.consumer().getDeliveredTransactions())
                                .isEqualTo(transactions.size()));
                await().untilAsserted(() -> assertThat(run.health().getState()).isEqualTo(HealthCheck.State.UP));
                try (Topics topics = new Topics(kafka, "away")) {
                    assertThat(lastOfEach(topics.read())).isEqualTo(RecordedChanges.byTopic("away.", transactions));
                }
            }
        }
    }

    private void copy(Path segments, int first, int last) throws IOException {
        for (int number = first; number <= last; number++) {
            String name = String.format("manytx.fdb.journal-%09d", number);
            Path partial = archive.resolve("." + name);
            Files.copy(segments.resolve(name), partial);
            Files.move(partial, archive.resolve(name));
        }
    }

    private static Admin admin(EmbeddedKafka kafka) {
        return Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()));
    }

    private static void createTopic(Admin admin, String name, int bytes) throws Exception {
        NewTopic topic = new NewTopic(name, Optional.of(1), Optional.empty());
        admin.createTopics(List.of(topic.configs(Map.of(LIMIT, Integer.toString(bytes)))))
                .all()
                .get();
    }

    private static void limit(Admin admin, String topic, int bytes) throws Exception {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        Collection<AlterConfigOp> changes =
                List.of(new AlterConfigOp(new ConfigEntry(LIMIT, Integer.toString(bytes)), AlterConfigOp.OpType.SET));
        admin.incrementalAlterConfigs(Map.of(resource, changes)).all().get();
    }

    private static int firstWith(String topic, List<List<Change>> transactions) {
        for (int number = 0; number < transactions.size(); number++) {
            if (transactions.get(number).stream()
                    .anyMatch(change -> change.topic().equals(topic))) {
                return number;
            }
        }
        throw new IllegalArgumentException("no change of " + topic);
    }

    private static Set<String> ids(Collection<List<Change>> transactions) {
        Set<String> ids = new HashSet<>();
        transactions.forEach(changes -> changes.forEach(change -> ids.add(change.id())));
        return ids;
    }

    private static Set<String> ids(List<KafkaRecord> records) {
        Set<String> ids = new HashSet<>();
        records.forEach(record -> ids.add(record.eventId()));
        return ids;
    }

    /**
     * Events by topic without repeats. The last of each counts: of a transaction that failed, Kafka keeps what it took, in
     * whatever order, and then the whole transaction comes again.
     */
    private static Map<String, List<String>> lastOfEach(List<KafkaRecord> records) {
        Map<String, LinkedHashSet<String>> last = new TreeMap<>();
        for (KafkaRecord record : records) {
            LinkedHashSet<String> ids = last.computeIfAbsent(record.topic(), topic -> new LinkedHashSet<>());
            ids.remove(record.eventId());
            ids.add(record.eventId());
        }
        Map<String, List<String>> ids = new TreeMap<>();
        last.forEach((topic, its) -> ids.put(topic, List.copyOf(its)));
        return ids;
    }

    /** Identities that came more than once. */
    private static Set<String> repeats(List<KafkaRecord> records) {
        Set<String> known = new HashSet<>();
        Set<String> repeats = new HashSet<>();
        records.stream().map(KafkaRecord::id).filter(id -> !known.add(id)).forEach(repeats::add);
        return repeats;
    }

    /** Identities that stand for records which are not the same. */
    private static Set<String> different(List<KafkaRecord> records) {
        Map<String, KafkaRecord> known = new TreeMap<>();
        Set<String> different = new HashSet<>();
        for (KafkaRecord record : records) {
            KafkaRecord comparable = record.withoutTimes();
            KafkaRecord first = known.putIfAbsent(record.id(), comparable);
            if (first != null && !first.equals(comparable)) {
                different.add(record.id());
            }
        }
        return different;
    }
}
