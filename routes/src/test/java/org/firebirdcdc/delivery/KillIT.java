package org.firebirdcdc.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.firebirdcdc.examples.kafka.EmbeddedKafka;
import org.firebirdcdc.journal.JournalPosition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The runnable jar streams a journal to a real broker and is killed at random instants, over and over. So many times in
 * all: {@code -Dfirebird.cdc.kills=100}; a run is repeated, up to the timing of the machine, by
 * {@code -Dfirebird.cdc.seed=...}, which each run prints.
 */
class KillIT {

    private static final int KILLS = Integer.getInteger("firebird.cdc.kills", 10);

    /** So many rows are inserted and changed again for each kill. */
    private static final int ROWS_PER_KILL = 60;

    private static final int MOST_ROWS = 2_500;

    private static final Logger LOG = LoggerFactory.getLogger(KillIT.class);
    private static final ObjectMapper MAPPER = new ObjectMapper();

    @TempDir
    Path scratch;

    private final long seed = Long.getLong("firebird.cdc.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private Path archive;
    private EmbeddedKafka kafka;
    private TopicReader topic;
    private OrdersJournal journal;
    private int fed;

    @BeforeEach
    void startTheBroker() throws IOException {
        archive = Files.createDirectories(scratch.resolve("archive"));
        kafka = EmbeddedKafka.start(scratch.resolve("kafka"));
        topic = new TopicReader(kafka.bootstrapServers(), OrdersJournal.TOPIC);
    }

    @AfterEach
    void stopTheBroker() {
        topic.close();
        kafka.close();
    }

    @ParameterizedTest(name = "maxInFlight={0}")
    @ValueSource(ints = {1, 64})
    void nothingIsLostAndLittleRepeatedWhenTheProcessIsKilled(int maxInFlight) throws Exception {
        int kills = Math.max(1, KILLS / 2);
        LOG.info("Killing {} times: -Dfirebird.cdc.kills={} -Dfirebird.cdc.seed={}", kills, KILLS, seed);
        journal = new OrdersJournal(scratch, Math.min(MOST_ROWS, kills * ROWS_PER_KILL), 3, 100, random);
        RunningJar.Command command = new RunningJar.Command(
                        scratch,
                        archive + "?initialDelay=0&delay=50",
                        OrdersJournal.catalog(),
                        kafka.bootstrapServers())
                .property("camel.component.firebird-cdc.maxInFlight", Integer.toString(maxInFlight))
                .property("camel.component.firebird-cdc.checkpointInterval", "0")
                .property("camel.component.firebird-cdc.processed", "delete");

        for (int kill = 0; kill < kills; kill++) {
            try (RunningJar jar = command.start()) {
                liveForAWhile(jar, journal.segmentCount() * (kill + 1) / (kills + 1));
                jar.kill();
            }
            noNeededSegmentIsDeleted();
        }
        try (RunningJar jar = command.start()) {
            feedUpTo(journal.segmentCount());
            await().atMost(Duration.ofMinutes(5))
                    .pollInterval(Duration.ofMillis(100))
                    .untilAsserted(() -> assertThat(segments())
                            .as("segments left; the process says:%n%s", jar.log())
                            .isEmpty());
            jar.terminate();
        }

        Arrival arrival = new Arrival(journal, topic.all());
        arrival.isComplete();
        arrival.repeatsAreEqual();
        arrival.tableEqualsSource();
        int repeats = arrival.repeatedTransactions();
        LOG.info(
                "{} of {} transactions came again after {} kills",
                repeats,
                journal.transactions().size(),
                kills);
        assertThat(repeats).isLessThanOrEqualTo(kills * maxInFlight);
    }

    /** Most kills hit a process that delivers, some one that starts. Segments arrive meanwhile. */
    private void liveForAWhile(RunningJar jar, int segmentsToFeed) {
        boolean whileStarting = random.nextInt(4) == 0;
        if (!whileStarting) {
            long before = topic.size();
            feedUpTo(fed + (segmentsToFeed - fed + 1) / 2);
            await().atMost(RunningJar.PATIENCE)
                    .pollInterval(Duration.ofMillis(20))
                    .untilAsserted(() -> assertThat(topic.size()).as(jar.log()).isGreaterThan(before));
        }
        int steps = 1 + Math.max(0, segmentsToFeed - fed);
        int millis = random.nextInt(whileStarting ? 3_000 : 1_500);
        for (int step = 0; step < steps; step++) {
            jar.goOnFor(Duration.ofNanos(millis * 1_000_000L / steps));
            feedUpTo(Math.min(fed + 1, segmentsToFeed));
        }
    }

    private void feedUpTo(int sequence) {
        while (fed < sequence) {
            journal.feed(++fed, archive);
        }
    }

    /** What the checkpoint needs to go on from is there. */
    private void noNeededSegmentIsDeleted() throws IOException {
        List<Path> checkpoints = files("firebird-cdc-\\{.*}\\.json");
        if (!checkpoints.isEmpty()) {
            JsonNode checkpoint = MAPPER.readTree(checkpoints.get(0).toFile());
            long neededFrom =
                    JournalPosition.parse(checkpoint.get("position").asText()).segment();
            for (JsonNode open : checkpoint.get("open")) {
                neededFrom = Math.min(
                        neededFrom,
                        JournalPosition.parse(open.get("firstNeeded").asText()).segment());
            }
            assertThat(segments())
                    .containsAll(LongStream.rangeClosed(neededFrom, fed)
                            .mapToObj(OrdersJournal::fileName)
                            .toList());
        }
    }

    private List<String> segments() throws IOException {
        return files(".*\\.journal-\\d+").stream()
                .map(p -> p.getFileName().toString())
                .toList();
    }

    private List<Path> files(String pattern) throws IOException {
        try (Stream<Path> files = Files.list(archive)) {
            return files.filter(p -> p.getFileName().toString().matches(pattern))
                    .toList();
        }
    }
}
