package org.firebirdcdc.differential;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.awaitility.Awaitility;
import org.firebirdcdc.capture.CaptureSettings;
import org.firebirdcdc.capture.Delivery;
import org.firebirdcdc.capture.JournalCapture;
import org.firebirdcdc.capture.OnGap;
import org.firebirdcdc.capture.Processed;
import org.firebirdcdc.capture.StartFrom;
import org.firebirdcdc.capture.UnknownTransaction;
import org.firebirdcdc.journal.JournalPosition;
import org.firebirdcdc.schema.CatalogSource;
import org.firebirdcdc.schema.SchemaHistory;
import org.firebirdcdc.testing.Captures;
import org.firebirdcdc.testing.MemoryCheckpointStore;
import org.firebirdcdc.testing.RebuiltTables;
import org.firebirdcdc.transaction.TransactionInfo;

/**
 * Takes what capture delivers, several at a time, and reports it as done in any order. Stops capture now and then, orderly
 * or not, and goes on with another one and the same checkpoints: what was done up to the first that was not must not come
 * again, what was not done must.
 */
final class CaptureDriver implements AutoCloseable {

    private static final Duration ARCHIVING = Duration.ofMinutes(5);

    private final CatalogSource metadata;
    private final Random random;
    private final RebuiltTables<String> tables;
    private final CaptureSettings settings;
    private final boolean restarting;
    private final MemoryCheckpointStore store = new MemoryCheckpointStore();
    private JournalCapture capture;

    /** Handed over and not applied, oldest first. */
    private final Deque<Taken> inFlight = new ArrayDeque<>();
    /** What has to come again, oldest first. */
    private final Deque<JournalPosition> dueAgain = new ArrayDeque<>();

    private JournalPosition applied = JournalPosition.START;
    private long transactions;
    private long changes;
    private long spread;
    private long restarts;

    private static final class Taken {
        private final Delivery delivery;
        private boolean done;

        Taken(Delivery delivery) {
            this.delivery = delivery;
        }
    }

    CaptureDriver(Path archive, CatalogSource metadata, Random random, RebuiltTables<String> tables) {
        this.metadata = metadata;
        this.random = random;
        this.tables = tables;
        this.restarting = random.nextBoolean();
        this.settings = new CaptureSettings(
                archive,
                Optional.empty(),
                StartFrom.EARLIEST,
                Duration.ZERO,
                random.nextBoolean() ? Processed.KEEP : Processed.DELETE,
                archive.resolve("done"),
                OnGap.WAIT,
                UnknownTransaction.FAIL,
                Optional.empty(),
                Clock.systemUTC());
        open();
    }

    private void open() {
        capture = new JournalCapture(
                settings, Captures.events(), new SchemaHistory(List.of(), Optional.of(metadata)), store);
    }

    /** Takes everything up to the end of a segment, which may not be archived yet. */
    void drainTo(long segment) {
        Awaitility.await("segment " + segment)
                .atMost(ARCHIVING)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> {
                    drain();
                    return capture.status().reading().segment() > segment;
                });
    }

    /** Takes everything that is there. */
    void drain() {
        int most = 1 + random.nextInt(4);
        while (true) {
            Optional<Delivery> next = inFlight.size() < most ? capture.next() : Optional.empty();
            if (next.isPresent()) {
                take(next.get());
            } else if (inFlight.isEmpty()) {
                break;
            } else {
                finishSome();
            }
            if (restarting && random.nextInt(60) == 0) {
                restart();
            }
        }
        assertThat(dueAgain)
                .as("deliveries that were not done and did not come again")
                .isEmpty();
        assertThat(capture.status().problem()).isEmpty();
    }

    private void take(Delivery delivery) {
        if (dueAgain.isEmpty()) {
            JournalPosition before =
                    inFlight.isEmpty() ? applied : inFlight.getLast().delivery.position();
            assertThat(delivery.position()).as("a delivery comes once").isGreaterThan(before);
        } else {
            assertThat(delivery.position()).isEqualTo(dueAgain.poll());
        }
        inFlight.add(new Taken(delivery));
    }

    /** Reports some as done, in any order. What a consumer needs of a transaction it reads before. */
    private void finishSome() {
        List<Taken> some = new ArrayList<>(inFlight);
        Collections.shuffle(some, random);
        for (Taken taken : some.subList(0, 1 + random.nextInt(some.size()))) {
            taken.done = true;
            while (!inFlight.isEmpty() && inFlight.peek().done) {
                apply(inFlight.poll().delivery);
            }
            capture.done(taken.delivery);
        }
    }

    private void apply(Delivery delivery) {
        delivery.transaction().ifPresent(transaction -> {
            tables.apply(transaction);
            long rows = transaction.eventCounts().values().stream()
                    .mapToLong(Long::longValue)
                    .sum();
            transactions += rows > 0 ? 1 : 0;
            changes += rows;
            TransactionInfo info = transaction.info();
            spread += info.begin().segment() < info.commit().segment() ? 1 : 0;
        });
        applied = delivery.position();
    }

    private void restart() {
        restarts++;
        if (random.nextBoolean()) {
            capture.close();
        }
        List<JournalPosition> due = new ArrayList<>();
        inFlight.forEach(taken -> due.add(taken.delivery.position()));
        due.addAll(dueAgain);
        dueAgain.clear();
        dueAgain.addAll(due);
        inFlight.clear();
        open();
    }

    long transactions() {
        return transactions;
    }

    long changes() {
        return changes;
    }

    long spread() {
        return spread;
    }

    long restarts() {
        return restarts;
    }

    @Override
    public void close() {
        capture.close();
    }
}
