package org.firebirdcdc.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.firebirdcdc.examples.kafka.EmbeddedKafka;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two processes for one archive directory, by mistake or on purpose. */
class TwoProcessesIT {

    @TempDir
    Path scratch;

    private Path archive;
    private EmbeddedKafka kafka;
    private TopicReader topic;
    private OrdersJournal journal;

    @BeforeEach
    void startTheBroker() throws IOException {
        archive = Files.createDirectories(scratch.resolve("archive"));
        kafka = EmbeddedKafka.start(scratch.resolve("kafka"));
        topic = new TopicReader(kafka.bootstrapServers(), OrdersJournal.TOPIC);
        journal = new OrdersJournal(scratch, 100, 0, 100, new Random(5));
    }

    @AfterEach
    void stopTheBroker() {
        topic.close();
        kafka.close();
    }

    private RunningJar.Command command() {
        return new RunningJar.Command(
                scratch, archive + "?initialDelay=0&delay=50", OrdersJournal.catalog(), kafka.bootstrapServers());
    }

    @Test
    void secondIsRefusedWithAMessageAndTakesOverByItselfWhenTheFirstIsGone() {
        journal.feed(1, archive);
        RunningJar.Command command = command();
        try (RunningJar first = command.start()) {
            await().atMost(RunningJar.PATIENCE)
                    .untilAsserted(
                            () -> assertThat(topic.size()).as(first.log()).isPositive());
            try (RunningJar second = command.start()) {
                second.awaitLog("another process captures this database already");
                first.kill();
                journal.feedAll(archive);
                Arrival.await(journal, topic, second);
                second.terminate();
            }
        }
        Arrival arrival = new Arrival(journal, topic.all());
        arrival.isComplete();
        arrival.tableEqualsSource();
    }

    @Test
    void standbyUnderMasterTakesOverWhenTheActiveOneIsKilled() {
        journal.feed(1, archive);
        RunningJar.Command command = command()
                .property("firebird.master", "master:shop:")
                .property(
                        "camel.beans.cluster", "#class:org.apache.camel.component.file.cluster.FileLockClusterService")
                .property("camel.beans.cluster.root", scratch.resolve("cluster").toString())
                .property("camel.beans.cluster.acquireLockInterval", "1")
                .property(
                        "camel.component.firebird-cdc.checkpointDirectory",
                        scratch.resolve("checkpoint").toString())
                .property("camel.component.firebird-cdc.processed", "delete");
        try (RunningJar active = command.start()) {
            await().atMost(RunningJar.PATIENCE)
                    .untilAsserted(
                            () -> assertThat(topic.size()).as(active.log()).isPositive());
            try (RunningJar standby = command.start()) {
                standby.awaitLog("started");
                active.kill();
                journal.feedAll(archive);
                Arrival.await(journal, topic, standby);
                assertThat(standby.log()).doesNotContain("another process captures this database");
                standby.terminate();
            }
        }
        Arrival arrival = new Arrival(journal, topic.all());
        arrival.isComplete();
        arrival.tableEqualsSource();
    }
}
