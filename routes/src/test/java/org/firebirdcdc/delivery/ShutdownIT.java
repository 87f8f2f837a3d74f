package org.firebirdcdc.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.firebirdcdc.examples.kafka.EmbeddedKafka;
import org.firebirdcdc.testing.Corpus;
import org.firebirdcdc.testing.Corpus.Recording;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A shutdown while a huge transaction is on its way. */
class ShutdownIT {

    /** One transaction that inserts rows 1 to 200 000. */
    private static final Recording HUGE = Corpus.recording("fb40/12a-bulk-one-transaction");

    private static final int ROWS = 200_000;

    /** Bytes in a second; the transaction has some ten million. */
    private static final double SLOW = 500_000;

    @TempDir
    Path scratch;

    @Test
    void endsInsideAHugeTransactionWithinItsTimeoutAndLosesNothing() throws IOException {
        Path archive = HUGE.segments(scratch);
        try (EmbeddedKafka kafka = EmbeddedKafka.start(scratch.resolve("kafka"));
                TopicReader topic = new TopicReader(kafka.bootstrapServers(), OrdersJournal.TOPIC)) {
            RunningJar.Command command = new RunningJar.Command(
                            scratch,
                            archive + "?initialDelay=0",
                            HUGE.folder().resolve("catalog.json"),
                            kafka.bootstrapServers())
                    .property("camel.component.firebird-cdc.processed", "delete")
                    .property("camel.main.shutdownTimeout", "1");
            // so the transaction takes longer than a shutdown may, on the fastest machine
            topic.limitTraffic(SLOW);
            try (RunningJar jar = command.start()) {
                await().atMost(RunningJar.PATIENCE)
                        .untilAsserted(
                                () -> assertThat(topic.size()).as(jar.log()).isPositive());
                jar.terminate();
            }
            topic.unlimitTraffic();
            assertThat(topic.size()).isLessThan(ROWS);
            assertThat(segments(archive)).isEqualTo(5);

            try (RunningJar jar = command.start()) {
                await().atMost(RunningJar.PATIENCE)
                        .untilAsserted(() ->
                                assertThat(segments(archive)).as(jar.log()).isZero());
                jar.terminate();
            }
            AtomicLong next = new AtomicLong(1);
            topic.forEach(r -> {
                assertThat(r.rowId()).isLessThanOrEqualTo(next.get());
                next.compareAndSet(r.rowId(), r.rowId() + 1);
            });
            assertThat(next.get()).isEqualTo(ROWS + 1L);
        }
    }

    private static long segments(Path archive) throws IOException {
        try (var files = Files.list(archive)) {
            return files.filter(f -> f.getFileName().toString().contains(".journal-"))
                    .count();
        }
    }
}
