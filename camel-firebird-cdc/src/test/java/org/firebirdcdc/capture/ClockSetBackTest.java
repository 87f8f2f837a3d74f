package org.firebirdcdc.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.firebirdcdc.testing.SegmentBuilder.segment;
import static org.firebirdcdc.testing.SmallTables.T;
import static org.firebirdcdc.testing.SmallTables.row;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.firebirdcdc.journal.JournalPosition;
import org.firebirdcdc.schema.TransactionOutcomeSource;
import org.firebirdcdc.schema.TransactionOutcomes;
import org.firebirdcdc.schema.TransactionOutcomes.Outcome;
import org.firebirdcdc.testing.Captures;
import org.firebirdcdc.testing.MemoryCheckpointStore;
import org.firebirdcdc.testing.SegmentBuilder;
import org.firebirdcdc.testing.SmallTables;
import org.firebirdcdc.testing.TestClock;
import org.firebirdcdc.transaction.OpenTransactionState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The clock of the machine is set back: nothing waits until it has caught up. */
class ClockSetBackTest {

    private static final Duration BACK = Duration.ofDays(-1);

    @TempDir
    Path directory;

    private final TestClock clock = new TestClock();
    private final MemoryCheckpointStore store = new MemoryCheckpointStore();

    private JournalCapture open(TestSettings settings) {
        return Captures.open(
                settings.clock(clock).settings(), Captures.events(), List.of(SmallTables.catalog()), store);
    }

    @Test
    void theCheckpointIsWrittenAllTheSame() {
        segment(1)
                .committed(10, o -> o.insert(T, row(1)))
                .committed(11, o -> o.insert(T, row(2)))
                .committed(12, o -> o.insert(T, row(3)))
                .write(directory);
        try (JournalCapture capture = open(new TestSettings(directory).checkpointInterval(Duration.ofSeconds(10)))) {
            capture.done(capture.next().orElseThrow());
            Delivery second = capture.next().orElseThrow();
            clock.advance(BACK);
            capture.done(second);
            assertThat(saved()).isEqualTo(second.next().position());
            // and from there on in its interval
            Delivery third = capture.next().orElseThrow();
            capture.done(third);
            assertThat(saved()).isEqualTo(second.next().position());
            clock.advance(Duration.ofSeconds(10));
            capture.done(third);
            capture.flush();
            assertThat(saved()).isEqualTo(third.next().position());
        }
    }

    private JournalPosition saved() {
        return store.load(SegmentBuilder.GUID).orElseThrow().position();
    }

    @Test
    void noTransactionIsAbandonedBeforeItsTime() throws IOException {
        Path file = segment(1).begin(10, o -> o.insert(T, row(1))).write(directory);
        Files.setLastModifiedTime(file, FileTime.from(clock.instant()));
        try (JournalCapture capture = open(new TestSettings(directory).abandonAfter(Duration.ofHours(2)))) {
            clock.advance(BACK);
            assertThat(capture.next()).isEmpty();
            assertThat(capture.status().open()).hasSize(1);
            clock.advance(BACK.negated().plusHours(3));
            assertThat(capture.next()).isEmpty();
            assertThat(capture.status().open()).isEmpty();
            assertThat(capture.status().counters().abandoned()).isEqualTo(1);
        }
    }

    @Test
    void theDatabaseIsAskedAgain() {
        List<Collection<Long>> asked = new ArrayList<>();
        TransactionOutcomeSource database = numbers -> {
            asked.add(numbers);
            return new TransactionOutcomes(Map.of(10L, Outcome.OPEN), 1);
        };
        EndlessTransactions endless = new EndlessTransactions(Optional.of(database), clock);
        List<OpenTransactionState> open = List.of(new OpenTransactionState(
                10,
                new JournalPosition(1, 48),
                clock.instant().minus(Duration.ofDays(3)).toEpochMilli(),
                Optional.empty(),
                0,
                1));
        endless.find(open, 2);
        endless.find(open, 2);
        assertThat(asked).hasSize(1);
        clock.advance(BACK);
        endless.find(open, 2);
        assertThat(asked).hasSize(2);
    }
}
