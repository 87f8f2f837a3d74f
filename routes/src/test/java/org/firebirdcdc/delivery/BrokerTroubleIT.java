package org.firebirdcdc.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.firebirdcdc.testing.SegmentBuilder.segment;
import static org.firebirdcdc.testing.SmallTables.NULL;
import static org.firebirdcdc.testing.SmallTables.T;
import static org.firebirdcdc.testing.SmallTables.row;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.firebirdcdc.delivery.TopicReader.TopicRecord;
import org.firebirdcdc.examples.kafka.EmbeddedKafka;
import org.firebirdcdc.schema.CatalogFile;
import org.firebirdcdc.testing.SmallTables;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The broker is away, or refuses. */
class BrokerTroubleIT {

    @TempDir
    Path scratch;

    private Path archive;
    private EmbeddedKafka kafka;

    @BeforeEach
    void startTheBroker() throws IOException {
        archive = Files.createDirectories(scratch.resolve("archive"));
        kafka = EmbeddedKafka.start(scratch.resolve("kafka"));
    }

    @AfterEach
    void stopTheBroker() {
        kafka.close();
    }

    private RunningJar.Command command(Path catalog) {
        return new RunningJar.Command(scratch, archive + "?initialDelay=0&delay=50", catalog, kafka.bootstrapServers());
    }

    @Test
    void whatFailsWhileTheBrokerIsAwayComesAgainInOrderWhenItIsBack() {
        OrdersJournal journal = new OrdersJournal(scratch, 100, 0, 100, new Random(7));
        // the client gives up soon, so that exchanges do fail
        RunningJar.Command command = command(OrdersJournal.catalog())
                .property("camel.component.kafka.deliveryTimeoutMs", "1500")
                .property("camel.component.kafka.requestTimeoutMs", "1000")
                .property("camel.component.kafka.maxBlockMs", "1500");
        try (TopicReader topic = new TopicReader(kafka.bootstrapServers(), OrdersJournal.TOPIC)) {
            journal.feed(1, archive);
            try (RunningJar jar = command.start()) {
                await().atMost(RunningJar.PATIENCE)
                        .untilAsserted(
                                () -> assertThat(topic.size()).as(jar.log()).isPositive());
                kafka.stop();
                journal.feedAll(archive);
                jar.awaitLog("failed in the route");
                kafka.start();
                Arrival.await(journal, topic, jar);
                jar.terminate();
            }
            Arrival arrival = new Arrival(journal, topic.all());
            arrival.isComplete();
            arrival.repeatsAreEqual();
            arrival.tableEqualsSource();
        }
    }

    @Test
    void nothingBehindARecordThatIsTooLargeIsSentUntilTheBrokerTakesIt() {
        Path catalog = scratch.resolve("catalog.json");
        CatalogFile.write(catalog, SmallTables.catalog());
        segment(1)
                .committed(10, o -> o.insert(T, row(1)))
                .committed(11, o -> o.blob(5, incompressible(30_000)).insert(T, row(2, 5, NULL)))
                .committed(12, o -> o.insert(T, row(3)))
                .write(archive);
        try (TopicReader topic = new TopicReader(kafka.bootstrapServers(), "firebird.T")) {
            topic.setLargestRecord(10_000);
            try (RunningJar jar = command(catalog).start()) {
                jar.awaitLog("Transaction 11 (commit in segment 1");
                assertThat(jar.log()).contains("larger than the max message size");
                assertThat(topic.all()).extracting(TopicRecord::what).containsExactly("c 1");
                topic.setLargestRecord(1_000_000);
                await().atMost(RunningJar.PATIENCE).untilAsserted(() -> assertThat(topic.all())
                        .as(jar.log())
                        .extracting(TopicRecord::what)
                        .isEqualTo(List.of("c 1", "c 2", "c 3")));
                jar.terminate();
            }
        }
    }

    private static String incompressible(int length) {
        return new Random(3)
                .ints(length, 'a', 'z' + 1)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }
}
