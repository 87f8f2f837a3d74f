package org.firebirdcdc.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.firebirdcdc.testing.Captures.texts;
import static org.firebirdcdc.testing.SegmentBuilder.segment;
import static org.firebirdcdc.testing.SmallTables.T;
import static org.firebirdcdc.testing.SmallTables.X;
import static org.firebirdcdc.testing.SmallTables.row;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.firebirdcdc.journal.DatabaseGuid;
import org.firebirdcdc.journal.JournalFormatException;
import org.firebirdcdc.journal.JournalPosition;
import org.firebirdcdc.testing.Captures;
import org.firebirdcdc.testing.EventText;
import org.firebirdcdc.testing.LogCapture;
import org.firebirdcdc.testing.MemoryCheckpointStore;
import org.firebirdcdc.testing.SegmentBuilder;
import org.firebirdcdc.testing.SmallTables;
import org.firebirdcdc.testing.TestClock;
import org.firebirdcdc.transaction.EventSelection;
import org.firebirdcdc.transaction.Operation;
import org.firebirdcdc.transaction.UnknownTransactionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two things go wrong at once, or one decision meets another. */
class TroubleUponTroubleTest {

    private static final DatabaseGuid OTHER = DatabaseGuid.parse("{2DA66FB7-7024-4F4C-839F-CBDD2DC5842A}");

    @TempDir
    Path directory;

    private final MemoryCheckpointStore store = new MemoryCheckpointStore();
    private final TestClock clock = new TestClock();

    private TestSettings settings() {
        return new TestSettings(directory).clock(clock);
    }

    private JournalCapture open(TestSettings settings) {
        EventSelection selection = new EventSelection(t -> !t.equals(X), Set.of(Operation.values()), false, false);
        return Captures.open(settings.settings(), Captures.events(selection), List.of(SmallTables.catalog()), store);
    }

    private static SegmentBuilder small(long sequence) {
        return segment(sequence).committed(100 + sequence, o -> o.insert(T, row((int) sequence)));
    }

    private static String text(long sequence) {
        return 100 + sequence + ": c T " + sequence;
    }

    private Path file(long sequence) {
        return directory.resolve(segment(sequence).fileName());
    }

    private JournalPosition saved() {
        return store.load(SegmentBuilder.GUID).orElseThrow().position();
    }

    /** Its time is now, by the clock of the test. */
    private void writeNow(SegmentBuilder segment) throws IOException {
        Files.setLastModifiedTime(segment.write(directory), FileTime.from(clock.instant()));
    }

    // ------------------------------------------------------------------------------------------------ waiting

    @Test
    void whileASegmentIsMissingNoTransactionIsTooOld() throws IOException {
        writeNow(segment(1).begin(50, o -> o.insert(T, row(1))));
        writeNow(small(3));
        try (JournalCapture capture = open(settings().abandonAfter(Duration.ofHours(1)))) {
            assertThat(texts(capture)).isEmpty();
            clock.advance(Duration.ofHours(2));
            // its end may be in the one that is missing
            assertThat(texts(capture)).isEmpty();
            assertThat(capture.status().open()).hasSize(1);
            writeNow(segment(2).more(50, o -> o.insert(T, row(2))).commit(50));
            assertThat(texts(capture)).containsExactly("50: c T 1, c T 2", text(3));
            assertThat(capture.status().counters().abandoned()).isZero();
        }
    }

    @Test
    void aSegmentInUseWithLaterOnesBehindItIsAGap() {
        small(1).state(1).write(directory);
        try (JournalCapture capture = open(settings())) {
            assertThat(texts(capture)).containsExactly(text(1));
            assertThat(capture.status().problem()).isEmpty();
            small(2).write(directory);
            assertThat(texts(capture)).isEmpty();
            assertThat(capture.status().problem().orElseThrow())
                    .contains("segment 1", "still in use", "later ones are there", "next: 2");
            small(1).write(directory);
            assertThat(texts(capture)).containsExactly(text(2));
            assertThat(capture.status().problem()).isEmpty();
        }
    }

    @Test
    void aSegmentInUseThatIsNeverFinishedIsPassedOverByDecisionOnly() {
        small(1).state(1).write(directory);
        try (JournalCapture capture = open(settings().onGap(OnGap.SKIP))) {
            assertThat(texts(capture)).containsExactly(text(1));
            small(2).write(directory);
            assertThat(texts(capture)).containsExactly(text(2));
        }
        try (JournalCapture capture = open(settings().onGap(OnGap.SKIP))) {
            assertThat(texts(capture)).isEmpty();
        }
    }

    @Test
    void aSegmentInUseThatVanishesIsTold() throws IOException {
        small(1).state(1).write(directory);
        try (JournalCapture capture = open(settings())) {
            assertThat(texts(capture)).containsExactly(text(1));
            Files.delete(file(1));
            assertThat(texts(capture)).isEmpty();
            assertThat(capture.status().problem().orElseThrow()).contains("segment 1 was read up to offset", "gone");
            Files.writeString(file(1), "x".repeat(100));
            assertThatThrownBy(capture::next).isInstanceOf(JournalFormatException.class);
            small(1).write(directory);
            assertThat(texts(capture)).isEmpty();
            assertThat(capture.status().problem()).isEmpty();
            assertThat(capture.status().position()).isEqualTo(new JournalPosition(2, 0));
        }
    }

    @Test
    void aSegmentThatVanishesHalfReadWithLaterOnesBehindItIsAGap() throws IOException {
        small(1).state(1).write(directory);
        try (JournalCapture capture = open(settings().onGap(OnGap.FAIL))) {
            assertThat(texts(capture)).containsExactly(text(1));
            Files.delete(file(1));
            small(2).write(directory);
            assertThatThrownBy(capture::next)
                    .isInstanceOfSatisfying(
                            CaptureException.class, e -> assertThat(e.reason()).isEqualTo(CaptureException.Reason.GAP))
                    .hasMessageContaining("segment 1");
        }
    }

    @Test
    void thatTheNextNumberIsOfAnotherDatabaseIsTold() {
        small(1).write(directory);
        small(2).guid(OTHER).write(directory);
        try (JournalCapture capture = open(settings())) {
            assertThat(texts(capture)).containsExactly(text(1));
            assertThat(capture.status().note().orElseThrow()).contains("segment 2", "is of database " + OTHER);
            small(3).write(directory);
            assertThat(texts(capture)).isEmpty();
            assertThat(capture.status().problem().orElseThrow())
                    .contains("segment 2 is missing", "is of database " + OTHER);
            small(2).write(directory, small(2).fileName("right.fdb"));
            assertThat(texts(capture)).containsExactly(text(2), text(3));
            assertThat(capture.status().problem()).isEmpty();
            assertThat(capture.status().note()).isEmpty();
        }
    }

    @Test
    void aLeftOverBehindWhichTheServerHasGoneOnIsAGap() throws IOException {
        segment(1).begin(50, o -> o.insert(T, row(1))).write(directory);
        segment(2).cleanupAll().committed(60, o -> o.insert(T, row(2))).write(directory);
        segment(3).more(50, o -> o.insert(T, row(3))).write(directory);
        segment(4).more(50, o -> o.insert(T, row(4))).write(directory);
        try (JournalCapture capture = open(settings())) {
            assertThat(texts(capture)).containsExactly("60: c T 2");
            assertThat(capture.status().problem()).isEmpty();
            assertThat(capture.status().note().orElseThrow()).contains("segment 3", "left over");
            small(5).write(directory);
            assertThat(texts(capture)).isEmpty();
            assertThat(capture.status().problem().orElseThrow())
                    .contains("segment 3", "left over", "in its place is missing", "later ones are there");
            small(3).write(directory);
            small(4).write(directory);
            assertThat(texts(capture)).containsExactly(text(3), text(4), text(5));
            assertThat(capture.status().problem()).isEmpty();
        }
    }

    @Test
    void aLeftOverThatIsPassedOverHoldsNoLaterSegmentBack() throws IOException {
        segment(1).begin(50, o -> o.insert(T, row(1))).write(directory);
        segment(2).cleanupAll().committed(60, o -> o.insert(T, row(2))).write(directory);
        segment(3).more(50, o -> o.insert(T, row(3))).write(directory);
        segment(4).more(50, o -> o.insert(T, row(4))).write(directory);
        small(5).write(directory);
        TestSettings skipping = settings().onGap(OnGap.SKIP).processed(Processed.DELETE);
        try (JournalCapture capture = open(skipping)) {
            assertThat(texts(capture)).containsExactly("60: c T 2", text(5));
            small(6).write(directory);
            assertThat(texts(capture)).containsExactly(text(6));
            assertThat(file(5)).doesNotExist();
            assertThat(file(6)).doesNotExist();
        }
    }

    // ------------------------------------------------------------------------------------------------ gone

    @Test
    void anAbandonedTransactionNeedsNoSegmentThatIsGone() throws IOException {
        segment(1).begin(50, o -> o.insert(T, row(1))).write(directory);
        segment(2).more(50, o -> o.insert(T, row(2))).write(directory);
        segment(3).begin(60, o -> o.insert(T, row(3))).write(directory);
        small(4).write(directory);
        try (JournalCapture capture = open(settings())) {
            assertThat(texts(capture)).containsExactly(text(4));
        }
        Files.delete(file(1));
        Files.delete(file(2));
        segment(5).commit(60).write(directory);
        try (JournalCapture capture = open(settings())) {
            assertThatThrownBy(capture::next)
                    .isInstanceOf(CaptureException.class)
                    .hasMessageContaining("segment 1 is gone")
                    .hasMessageContaining("transaction(s) 50 ");
            assertThat(capture.abandon(50)).isPresent();
            assertThat(texts(capture)).containsExactly("60: c T 3");
        }
    }

    @Test
    void severalSegmentsThatAreGoneDropOnlyWhatBeganThere() throws IOException {
        segment(1).begin(50, o -> o.insert(T, row(1))).write(directory);
        segment(2).begin(60, o -> o.insert(T, row(2))).write(directory);
        segment(3).begin(70, o -> o.insert(T, row(3))).write(directory);
        segment(4)
                .committed(104, o -> o.insert(T, row(4)))
                .committed(105, o -> o.insert(T, row(5)))
                .write(directory);
        JournalPosition before;
        try (JournalCapture capture = open(settings())) {
            capture.done(capture.next().orElseThrow());
            capture.flush();
            before = saved();
        }
        Files.delete(file(1));
        Files.delete(file(2));
        segment(5).commit(70).commit(60).commit(50).write(directory);
        TestSettings lenient =
                settings().unknownTransaction(UnknownTransaction.WARN).onGap(OnGap.SKIP);
        try (JournalCapture capture = open(lenient)) {
            Delivery next = capture.next().orElseThrow();
            assertThat(EventText.of(next.transaction().orElseThrow())).isEqualTo("105: c T 5");
            capture.flush();
            assertThat(saved()).isEqualTo(before);
            capture.done(next);
            assertThat(texts(capture)).containsExactly("70: c T 3");
        }
    }

    // ------------------------------------------------------------------------------------------------ damaged

    @Test
    void aSoundCopyIsReadThoughItHasSizeAndTimeOfTheDamagedOne() throws IOException {
        byte[] damaged = small(1).bytes();
        damaged[48 + 16] = (byte) 0xEE;
        FileTime time = FileTime.from(clock.instant());
        Files.write(file(1), damaged);
        Files.setLastModifiedTime(file(1), time);
        try (JournalCapture capture = open(settings())) {
            for (int poll = 0; poll < 2; poll++) {
                assertThatThrownBy(capture::next).isInstanceOf(JournalFormatException.class);
            }
            small(1).write(directory);
            Files.setLastModifiedTime(file(1), time);
            clock.advance(Duration.ofSeconds(10));
            assertThat(texts(capture)).containsExactly(text(1));
        }
    }

    // ------------------------------------------------------------------------------------------------ rewound

    @Test
    void whatARewindNeedsAgainIsNotRemoved() throws IOException {
        segment(1).begin(50, o -> o.insert(X, row(1))).write(directory);
        small(2).write(directory);
        segment(3).more(50, o -> o.insert(T, row(3))).write(directory);
        // a kill between the checkpoint and the removal leaves the same behind
        try (JournalCapture capture = open(settings())) {
            assertThat(texts(capture)).containsExactly(text(2));
        }
        Files.setLastModifiedTime(
                segment(3).cleanupAll().committed(60, o -> o.insert(T, row(6))).write(directory),
                FileTime.fromMillis(System.currentTimeMillis() + 60_000));
        try (JournalCapture capture = open(settings().processed(Processed.DELETE))) {
            assertThat(texts(capture)).containsExactly("60: c T 6");
        }
    }

    // ------------------------------------------------------------------------------------------------ log

    @Test
    void whatIsOddBeforeAFaultIsToldOnceHoweverOftenItIsReadAgain() {
        segment(1).begin(70, o -> o.insert(T, row(1)).release()).write(directory);
        segment(2)
                .begin(50, o -> o.insert(X, row(1)))
                .begin(51, o -> o.insert(X, row(1)))
                .cleanupAll()
                .begin(60, o -> o.release())
                .end(60, o -> o.savepoint().insert(X, row(2)).commit())
                .commit(999)
                .write(directory);
        try (LogCapture log = LogCapture.of(JournalCapture.class);
                JournalCapture capture = open(settings())) {
            for (int poll = 0; poll < 3; poll++) {
                assertThatThrownBy(capture::next).isInstanceOf(UnknownTransactionException.class);
            }
            for (String what : List.of(
                    "transaction 50 with 1 row",
                    "transaction 51 with 1 row",
                    "transaction 60 ends a savepoint",
                    "transaction 60 commits with 1 savepoint(s) open",
                    "transaction 70 ends a savepoint")) {
                assertThat(log.messages())
                        .as(what)
                        .filteredOn(m -> m.contains(what))
                        .hasSize(1);
            }
            assertThat(capture.status().counters().cleanedUp()).isEqualTo(3);
        }
    }
}
