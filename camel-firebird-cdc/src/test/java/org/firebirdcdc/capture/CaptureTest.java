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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.firebirdcdc.checkpoint.Checkpoint;
import org.firebirdcdc.checkpoint.CheckpointException;
import org.firebirdcdc.checkpoint.SegmentMark;
import org.firebirdcdc.journal.DatabaseGuid;
import org.firebirdcdc.journal.JournalPosition;
import org.firebirdcdc.journal.JournalReadException;
import org.firebirdcdc.record.RecordDecodeException;
import org.firebirdcdc.testing.Captures;
import org.firebirdcdc.testing.EventText;
import org.firebirdcdc.testing.FailingStore;
import org.firebirdcdc.testing.LogCapture;
import org.firebirdcdc.testing.MemoryCheckpointStore;
import org.firebirdcdc.testing.SegmentBuilder;
import org.firebirdcdc.testing.SmallTables;
import org.firebirdcdc.testing.TestClock;
import org.firebirdcdc.transaction.EventSelection;
import org.firebirdcdc.transaction.OpenTransactionState;
import org.firebirdcdc.transaction.Operation;
import org.firebirdcdc.transaction.UnknownTransactionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What capture does with a directory as it changes. */
class CaptureTest {

    private static final DatabaseGuid OTHER = DatabaseGuid.parse("{2DA66FB7-7024-4F4C-839F-CBDD2DC5842A}");

    @TempDir
    Path home;

    private final MemoryCheckpointStore store = new MemoryCheckpointStore();
    private final TestClock clock = new TestClock();
    private long touches;

    private Path directory() {
        return home.resolve("segments");
    }

    private TestSettings settings() {
        return new TestSettings(directory()).clock(clock);
    }

    private JournalCapture open(TestSettings settings) {
        EventSelection selection = new EventSelection(t -> !t.equals(X), Set.of(Operation.values()), false, false);
        return Captures.open(settings.settings(), Captures.events(selection), List.of(SmallTables.catalog()), store);
    }

    /** A segment with one small committed transaction. */
    private static SegmentBuilder small(long sequence) {
        return segment(sequence).committed(100 + sequence, o -> o.insert(T, row((int) sequence)));
    }

    private static String text(long sequence) {
        return 100 + sequence + ": c T " + sequence;
    }

    private List<Long> present() throws IOException {
        try (Stream<Path> files = Files.list(directory())) {
            return files.map(f -> f.getFileName().toString())
                    .filter(n -> n.contains(".journal-"))
                    .map(n -> Long.parseLong(n.substring(n.length() - 9)))
                    .sorted()
                    .toList();
        }
    }

    /** The time of a file moves, as it does when somebody else writes it: further each time, however fast the test is. */
    private void touch(Path file) throws IOException {
        touches++;
        Files.setLastModifiedTime(
                file, FileTime.fromMillis(Files.getLastModifiedTime(file).toMillis() + 5000 * touches));
    }

    private Checkpoint checkpoint() {
        return store.load(SegmentBuilder.GUID).orElseThrow();
    }

    // ------------------------------------------------------------------------------------------------ gaps

    @Test
    void nothingBehindAGapIsDeliveredUntilItIsFilled() {
        small(1).write(directory());
        small(2).write(directory());
        small(4).write(directory());
        try (JournalCapture capture = open(settings())) {
            assertThat(texts(capture)).containsExactly(text(1), text(2));
            assertThat(capture.status().problem().orElseThrow())
                    .contains("segment 3 is missing")
                    .contains("next: 4");
            assertThat(texts(capture)).isEmpty();
            small(3).write(directory());
            assertThat(texts(capture)).containsExactly(text(3), text(4));
            assertThat(capture.status().problem()).isEmpty();
        }
    }

    @Test
    void aGapIsLoggedOnce() {
        small(1).write(directory());
        small(3).write(directory());
        try (LogCapture log = LogCapture.of(JournalCapture.class);
                JournalCapture capture = open(settings())) {
            for (int i = 0; i < 5; i++) {
                texts(capture);
            }
            assertThat(log.warnings())
                    .filteredOn(m -> m.contains("segment 2 is missing"))
                    .hasSize(1);
        }
    }

    @Test
    void segmentsMayArriveInAnyOrder() {
        try (JournalCapture capture = open(settings().startFrom("1"))) {
            List<String> seen = new ArrayList<>();
            for (long sequence : new long[] {3, 5, 1, 4, 2}) {
                small(sequence).write(directory());
                seen.addAll(texts(capture));
            }
            assertThat(seen).containsExactly(text(1), text(2), text(3), text(4), text(5));
        }
    }

    @Test
    void skippingAGapDropsWhatWasOpenAndGoesOn() {
        small(1).begin(50, o -> o.insert(T, row(50))).write(directory());
        segment(3)
                .more(50, o -> o.insert(T, row(51)))
                .commit(50)
                .more(60, o -> o.insert(T, row(60)))
                .commit(60)
                .committed(103, o -> o.insert(T, row(3)))
                .write(directory());
        try (LogCapture log = LogCapture.of(JournalCapture.class);
                JournalCapture capture = open(settings().onGap(OnGap.SKIP))) {
            assertThat(texts(capture)).containsExactly(text(1), text(3));
            assertThat(log.warnings()).anySatisfy(m -> assertThat(m)
                    .contains("segment 2 is missing", "onGap=skip", "1 open transaction(s) are dropped"));
            assertThat(capture.status().counters().incomplete()).isGreaterThanOrEqualTo(2);
            assertThat(capture.status().open()).isEmpty();
        }
        small(4).write(directory());
        // what was skipped and comes late is not delivered out of order
        small(2).write(directory());
        try (JournalCapture capture = open(settings().onGap(OnGap.SKIP))) {
            assertThat(texts(capture)).containsExactly(text(4));
        }
    }

    // ------------------------------------------------------------------------------------------------ files

    @Test
    void aFileThatGrowsIsTakenWhenItIsWhole() throws IOException {
        byte[] whole = small(1).bytes();
        Path file = directory().resolve(small(1).fileName());
        Files.createDirectories(directory());
        try (JournalCapture capture = open(settings())) {
            for (int length = 0; length < whole.length; length += 7) {
                Files.write(file, Arrays.copyOf(whole, length));
                assertThat(texts(capture)).isEmpty();
                assertThat(capture.status().problem()).isEmpty();
                assertThat(capture.status().note().orElseThrow())
                        .contains("segment 1", "is not complete", length + " ");
            }
            Files.write(file, whole);
            assertThat(texts(capture)).containsExactly(text(1));
            assertThat(capture.status().note()).isEmpty();
        }
    }

    @Test
    void ofASegmentThatTheServerStillWritesToAllThatIsThereIsRead() throws IOException {
        small(1).write(directory());
        SegmentBuilder two =
                segment(2).state(1).begin(50, o -> o.insert(T, row(50))).committed(60, o -> o.insert(T, row(60)));
        Path file = two.write(directory());
        try (JournalCapture capture = open(settings().processed(Processed.DELETE))) {
            assertThat(texts(capture)).containsExactly(text(1), "60: c T 60");
            assertThat(capture.status().note().orElseThrow()).contains("segment 2", "still in use");
            assertThat(capture.status().problem()).isEmpty();
            assertThat(present()).containsExactly(2L);
            two.committed(61, o -> o.insert(T, row(61))).write(directory());
            touch(file);
            assertThat(texts(capture)).containsExactly("61: c T 61");
            assertThat(texts(capture)).isEmpty();
        }
        two.more(50, o -> o.insert(T, row(51)))
                .committed(62, o -> o.insert(T, row(62)))
                .write(directory());
        touch(file);
        try (JournalCapture capture = open(settings().processed(Processed.DELETE))) {
            assertThat(texts(capture)).containsExactly("62: c T 62");
        }
        try (JournalCapture capture = open(settings().processed(Processed.DELETE))) {
            assertThat(texts(capture)).isEmpty();
            two.state(3).commit(50).write(directory());
            touch(file);
            small(3).write(directory());
            assertThat(texts(capture)).containsExactly("50: c T 50, c T 51", text(3));
            assertThat(present()).isEmpty();
        }
    }

    @Test
    void aSegmentInUseThatIsArchivedWithNothingMoreIsFinished() throws IOException {
        Path file = small(1).state(1).write(directory());
        try (JournalCapture capture = open(settings().processed(Processed.DELETE))) {
            assertThat(texts(capture)).containsExactly(text(1));
            small(1).write(directory());
            touch(file);
            assertThat(texts(capture)).isEmpty();
            assertThat(present()).isEmpty();
        }
    }

    @Test
    void aSegmentInUseWhoseBeginningHasChangedWasOverwritten() throws IOException {
        Path file = small(1).state(1).write(directory());
        try (JournalCapture capture = open(settings())) {
            assertThat(texts(capture)).containsExactly(text(1));
            segment(1)
                    .state(1)
                    .committed(101, o -> o.insert(T, row(2)))
                    .committed(102, o -> o.insert(T, row(3)))
                    .write(directory());
            touch(file);
            assertThatThrownBy(capture::next).isInstanceOfSatisfying(CaptureException.class, e -> assertThat(e.reason())
                    .isEqualTo(CaptureException.Reason.OVERWRITTEN));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aSegmentInUseThatHeldNoCommitMayBeWrittenAnew(boolean restart) throws IOException {
        Path file = segment(1)
                .state(1)
                .begin(50, o -> o.insert(T, row(1)))
                .more(50, o -> o.insert(T, row(2)))
                .write(directory());
        JournalCapture capture = open(settings());
        assertThat(texts(capture)).isEmpty();
        if (restart) {
            capture.close();
            capture = open(settings());
        }
        segment(1)
                .state(1)
                .cleanupAll()
                .committed(60, o -> o.insert(T, row(3)))
                .committed(61, o -> o.insert(T, row(4)))
                .write(directory());
        touch(file);
        assertThat(texts(capture)).containsExactly("60: c T 3", "61: c T 4");
        capture.close();
    }

    @Test
    void damageInASegmentInUseIsToldAtEachLook() throws IOException {
        Path file = small(1).state(1).commit(999).write(directory());
        try (JournalCapture capture = open(settings())) {
            assertThatThrownBy(() -> texts(capture)).isInstanceOf(UnknownTransactionException.class);
            assertThatThrownBy(() -> texts(capture)).isInstanceOf(UnknownTransactionException.class);
            small(1).state(1).committed(999, o -> o.insert(T, row(9))).write(directory());
            touch(file);
            assertThat(texts(capture)).containsExactly("999: c T 9");
        }
    }

    @Test
    void aJournalDirectoryIsNotRead() {
        small(1).state(0).write(directory());
        small(2).state(1).write(directory());
        try (LogCapture log = LogCapture.of(JournalCapture.class);
                JournalCapture capture = open(settings())) {
            assertThat(texts(capture)).isEmpty();
            assertThat(texts(capture)).isEmpty();
            String problem = capture.status().problem().orElseThrow();
            assertThat(problem).contains("looks like the journal_directory", "Give the journal_archive_directory");
            // who has only the log must be told, too
            assertThat(log.warnings()).containsExactly(problem);
        }
    }

    @Test
    void anEmptyDirectoryIsToldInTheLogOnce() throws IOException {
        Files.createDirectory(directory());
        try (LogCapture log = LogCapture.of(JournalCapture.class);
                JournalCapture capture = open(settings())) {
            assertThat(texts(capture)).isEmpty();
            assertThat(texts(capture)).isEmpty();
            assertThat(log.messages())
                    .singleElement()
                    .asString()
                    .contains(directory().toString(), "no segment to begin with");
            assertThat(capture.status().problem()).isEmpty();
        }
    }

    @Test
    void aDirectoryThatVanishesIsAnErrorUntilItIsBack() throws IOException {
        small(1).write(directory());
        Path away = home.resolve("away");
        try (JournalCapture capture = open(settings())) {
            assertThat(texts(capture)).containsExactly(text(1));
            Files.move(directory(), away);
            assertThatThrownBy(capture::next)
                    .isInstanceOf(JournalReadException.class)
                    .hasMessageContaining("there is no such directory");
            small(2).write(away);
            Files.move(away, directory());
            assertThat(texts(capture)).containsExactly(text(2));
        }
    }

    @Test
    void aDirectoryThatIsMissingAtTheStartIsAnErrorUntilItIsThere() {
        try (JournalCapture capture = open(settings())) {
            assertThatThrownBy(capture::next).isInstanceOf(JournalReadException.class);
            small(1).write(directory());
            assertThat(texts(capture)).containsExactly(text(1));
        }
    }

    @Test
    void aSegmentThatVanishesHalfReadIsTold() throws IOException {
        segment(1)
                .committed(5, o -> o.insert(T, row(1)))
                .committed(6, o -> o.insert(T, row(2)))
                .write(directory());
        try (JournalCapture capture = open(settings())) {
            capture.done(capture.next().orElseThrow());
        }
        Files.delete(directory().resolve(segment(1).fileName()));
        try (LogCapture log = LogCapture.of(JournalCapture.class);
                JournalCapture capture = open(settings())) {
            assertThat(capture.next()).isEmpty();
            assertThat(capture.status().problem().orElseThrow()).contains("segment 1 was read up to offset", "gone");
            assertThat(log.warnings())
                    .containsExactly(capture.status().problem().orElseThrow());
            segment(1)
                    .committed(5, o -> o.insert(T, row(1)))
                    .committed(6, o -> o.insert(T, row(2)))
                    .write(directory());
            assertThat(texts(capture)).containsExactly("6: c T 2");
            assertThat(capture.status().problem()).isEmpty();
        }
    }

    @Test
    void aRepeatedSegmentIsIgnored() throws IOException {
        Path file = small(1).write(directory());
        small(2).write(directory());
        try (JournalCapture capture = open(settings().processed(Processed.DELETE))) {
            assertThat(texts(capture)).containsExactly(text(1), text(2));
            assertThat(present()).isEmpty();
            small(1).write(directory());
            small(2).write(directory());
            touch(file);
            assertThat(texts(capture)).isEmpty();
            small(3).write(directory());
            assertThat(texts(capture)).containsExactly(text(3));
        }
        small(2).write(directory());
        try (JournalCapture capture = open(settings())) {
            assertThat(texts(capture)).isEmpty();
            assertThat(capture.status().problem()).isEmpty();
        }
    }

    @Test
    void aCopyBesideASegmentIsIgnoredAndOtherContentIsAnError() {
        small(1).write(directory());
        small(2).write(directory());
        small(2).write(directory(), small(2).fileName("copy.fdb"));
        try (LogCapture log = LogCapture.of(JournalCapture.class);
                JournalCapture capture = open(settings())) {
            assertThat(texts(capture)).containsExactly(text(1), text(2));
            assertThat(log.warnings()).anySatisfy(m -> assertThat(m).contains("is a copy of"));
        }
        small(3).write(directory());
        segment(3).committed(5, o -> o.insert(T, row(99))).write(directory(), small(3).fileName("copy.fdb"));
        try (JournalCapture capture = open(settings())) {
            assertThatThrownBy(capture::next)
                    .isInstanceOfSatisfying(CaptureException.class, e -> assertThat(e.reason())
                            .isEqualTo(CaptureException.Reason.OVERWRITTEN))
                    .hasMessageContaining("demo.fdb.journal-000000003")
                    .hasMessageContaining("copy.fdb.journal-000000003");
        }
    }

    @Test
    void aRenamedCopyOfAKnownSegmentIsIgnoredAndAnotherRenamedFileIsNot() throws IOException {
        small(1).write(directory());
        Path renamed = small(1).write(directory(), segment(2).fileName());
        try (JournalCapture capture = open(settings())) {
            assertThat(texts(capture)).containsExactly(text(1));
            assertThat(texts(capture)).isEmpty();
            assertThat(capture.status().problem()).isEmpty();
            Files.write(renamed, small(7).bytes());
            touch(renamed);
            assertThatThrownBy(capture::next).hasMessageContaining("the name says segment 2, the header says 7");
            Files.write(renamed, small(2).bytes());
            touch(renamed);
            assertThat(texts(capture)).containsExactly(text(2));
        }
    }

    @Test
    void segmentsOfAnotherDatabaseAreReportedAndLeftAlone() throws IOException {
        small(1).write(directory());
        small(2).guid(OTHER).write(directory());
        try (LogCapture log = LogCapture.of(JournalCapture.class);
                JournalCapture capture = open(settings().processed(Processed.DELETE))) {
            assertThat(texts(capture)).containsExactly(text(1));
            texts(capture);
            assertThat(log.warnings())
                    .filteredOn(m -> m.contains(OTHER.toString()))
                    .hasSize(1);
            assertThat(present()).containsExactly(2L);
            small(2).write(directory(), small(2).fileName("right.fdb"));
            assertThat(texts(capture)).containsExactly(text(2));
            assertThat(present()).containsExactly(2L);
        }
    }

    @Test
    void aDirectoryOfAnotherDatabaseThanTheCheckpointsIsAnErrorUnlessSomethingSaysWhichIsMeant() throws IOException {
        small(1).write(directory());
        try (JournalCapture capture = open(settings())) {
            assertThat(texts(capture)).containsExactly(text(1));
        }
        Files.delete(directory().resolve(small(1).fileName()));
        small(1).guid(OTHER).write(directory());
        try (JournalCapture capture = Captures.open(settings().settings(), Captures.events(), List.of(), store)) {
            assertThatThrownBy(capture::next)
                    .isInstanceOfSatisfying(CaptureException.class, e -> assertThat(e.reason())
                            .isEqualTo(CaptureException.Reason.AMBIGUOUS_DATABASE))
                    .hasMessageContaining(OTHER.toString())
                    .hasMessageContaining(SegmentBuilder.GUID.toString())
                    .hasMessageContaining("databaseGuid");
        }
        try (JournalCapture capture = open(settings())) {
            assertThat(texts(capture))
                    .as("the metadata are those of the checkpoint")
                    .isEmpty();
        }
    }

    @Test
    void severalDatabasesAndNothingThatSaysWhichIsAnError() {
        small(1).write(directory(), "a.journal-000000001");
        small(1).guid(OTHER).write(directory(), "b.journal-000000001");
        try (JournalCapture capture = Captures.open(settings().settings(), Captures.events(), List.of(), store)) {
            assertThatThrownBy(capture::next)
                    .isInstanceOfSatisfying(CaptureException.class, e -> assertThat(e.reason())
                            .isEqualTo(CaptureException.Reason.AMBIGUOUS_DATABASE))
                    .hasMessageContaining(OTHER.toString())
                    .hasMessageContaining(SegmentBuilder.GUID.toString());
        }
    }

    @Test
    void anOverwrittenSegmentThatHeldACommitIsAnErrorThatNamesBoth() throws IOException {
        small(1).write(directory());
        small(2).write(directory());
        try (JournalCapture capture = open(settings())) {
            assertThat(texts(capture)).containsExactly(text(1), text(2));
            SegmentMark before = checkpoint().segments().get(0);
            Path other = segment(1).committed(7, o -> o.insert(T, row(77))).write(directory());
            touch(other);
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(capture::next)
                        .isInstanceOfSatisfying(CaptureException.class, e -> assertThat(e.reason())
                                .isEqualTo(CaptureException.Reason.OVERWRITTEN))
                        .hasMessageContaining("segment 1")
                        .hasMessageContaining(before.digest().substring(0, 12))
                        .hasMessageContaining("now it has");
            }
            Path back = small(1).write(directory());
            touch(back);
            small(3).write(directory());
            assertThat(texts(capture)).containsExactly(text(3));
        }
    }

    @Test
    void anOverwrittenSegmentIsNoticedAfterItWasDeleted() throws IOException {
        FileTime time = Files.getLastModifiedTime(small(1).write(directory()));
        try (JournalCapture capture = open(settings().processed(Processed.DELETE))) {
            texts(capture);
            assertThat(present()).isEmpty();
            // as long, and of the same time: what was removed and comes again is looked at in any case
            Path other = segment(1).committed(7, o -> o.insert(T, row(77))).write(directory());
            Files.setLastModifiedTime(other, time);
            assertThatThrownBy(capture::next).isInstanceOf(CaptureException.class);
        }
    }

    // ------------------------------------------------------------------------------------------------ crash of the
    // server

    @Test
    void aSecondCleanupOfADeadTransactionIsNoLeftOver() {
        segment(1).begin(50, o -> o.insert(T, row(1))).end(50, o -> o.cleanup()).write(directory());
        segment(2).end(50, o -> o.cleanup()).begin(60, o -> o.insert(T, row(2))).write(directory());
        segment(3).commit(60).write(directory());
        try (JournalCapture capture = open(settings())) {
            assertThat(texts(capture)).containsExactly("60: c T 2");
        }
    }

    @Test
    void aNumberThatIsUsedAgainAfterACrashIsNoLeftOver() {
        segment(1).begin(50, o -> o.insert(T, row(1))).write(directory());
        segment(2).cleanupAll().begin(50, o -> o.insert(T, row(2))).write(directory());
        segment(3).more(50, o -> o.insert(T, row(3))).write(directory());
        segment(4).commit(50).write(directory());
        try (JournalCapture capture = open(settings())) {
            assertThat(texts(capture)).containsExactly("50: c T 2, c T 3");
        }
    }

    @Test
    void leftOversWaitToBeOverwritten() throws IOException {
        segment(1).begin(50, o -> o.insert(T, row(1))).write(directory());
        segment(2).cleanupAll().committed(60, o -> o.insert(T, row(2))).write(directory());
        Path leftOver = segment(3).more(50, o -> o.insert(T, row(9))).write(directory());
        try (JournalCapture capture = open(settings().processed(Processed.DELETE))) {
            assertThat(texts(capture)).containsExactly("60: c T 2");
            assertThat(capture.status().note().orElseThrow()).contains("segment 3", "left over");
            assertThat(capture.status().problem()).isEmpty();
            assertThat(present()).containsExactly(3L);
        }
        try (JournalCapture capture = open(settings().processed(Processed.DELETE))) {
            assertThat(texts(capture)).isEmpty();
            assertThat(capture.status().note().orElseThrow()).contains("segment 3", "left over");
            small(3).write(directory());
            touch(leftOver);
            assertThat(texts(capture)).containsExactly(text(3));
            assertThat(present()).isEmpty();
        }
    }

    @Test
    void whatIsReadAheadDoesNotMakeALeftOverOfWhatIsRead() {
        segment(1)
                .committed(40, o -> o.insert(T, row(1)))
                .committed(41, o -> o.insert(T, row(2)))
                .begin(50, o -> o.insert(T, row(3)))
                .write(directory());
        segment(2).more(50, o -> o.insert(T, row(4))).write(directory());
        segment(3)
                .end(50, o -> o.cleanup())
                .committed(42, o -> o.insert(T, row(5)))
                .write(directory());
        TestSettings always = settings().checkpointInterval(Duration.ZERO);
        JournalCapture capture = open(always);
        Delivery first = capture.next().orElseThrow();
        capture.next().orElseThrow();
        capture.next().orElseThrow();
        capture.done(first);
        // killed with two in flight; transaction 50 was alive where the checkpoint stands
        try (JournalCapture next = open(always)) {
            assertThat(texts(next)).containsExactly("41: c T 2", "42: c T 5");
        }
    }

    @Test
    void damageInALaterFileDoesNotLeaveARewindHalfDone() throws IOException {
        segment(1)
                .committed(40, o -> o.insert(T, row(1)))
                .begin(50, o -> o.insert(T, row(2)))
                .write(directory());
        Path second = segment(2).more(50, o -> o.insert(T, row(3))).write(directory());
        Path third = segment(3).more(50, o -> o.insert(T, row(4))).write(directory());
        try (JournalCapture capture = open(settings())) {
            assertThat(texts(capture)).containsExactly("40: c T 1");
            segment(2).cleanupAll().committed(60, o -> o.insert(T, row(5))).write(directory());
            touch(second);
            byte[] damaged = segment(3).more(50, o -> o.insert(T, row(4))).bytes();
            damaged[48 + 16] = (byte) 0xEE;
            Files.write(third, damaged);
            touch(third);
            assertThatThrownBy(() -> texts(capture)).hasMessageContaining("operation code 238");
            segment(3).committed(61, o -> o.insert(T, row(6))).write(directory());
            touch(third);
            touch(third);
            assertThat(texts(capture)).containsExactly("60: c T 5", "61: c T 6");
        }
    }

    // ------------------------------------------------------------------------------------------------ finished
    // segments

    private void longTransaction() {
        segment(1)
                .begin(50, o -> o.insert(T, row(1)))
                .committed(101, o -> o.insert(T, row(11)))
                .write(directory());
        segment(2)
                .more(50, o -> o.insert(T, row(2)))
                .committed(102, o -> o.insert(T, row(12)))
                .write(directory());
        segment(3).committed(103, o -> o.insert(T, row(13))).write(directory());
        segment(4).more(50, o -> o.insert(T, row(4))).commit(50).write(directory());
        segment(5).committed(105, o -> o.insert(T, row(15))).write(directory());
    }

    @ParameterizedTest
    @EnumSource(Processed.class)
    void segmentsStayForAnOpenTransactionUntilItIsDoneAndThenGo(Processed processed) throws IOException {
        longTransaction();
        Path moved = home.resolve("moved");
        TestSettings settings = processed == Processed.MOVE
                ? settings().moveTo(moved)
                : settings().processed(processed);
        try (LogCapture log = LogCapture.of(JournalCapture.class);
                JournalCapture capture = open(settings)) {
            for (int i = 1; i <= 3; i++) {
                Delivery delivery = capture.next().orElseThrow();
                capture.done(delivery);
            }
            Delivery opened = capture.next().orElseThrow();
            assertThat(EventText.of(opened.transaction().orElseThrow())).isEqualTo("50: c T 1, c T 2, c T 4");
            assertThat(present()).containsExactly(1L, 2L, 3L, 4L, 5L);
            if (processed != Processed.KEEP) {
                assertThat(log.messages()).anySatisfy(m -> assertThat(m)
                        .contains("Segment 1 (")
                        .contains("is replicated, preserving the file due to 1 active transaction(s)"
                                + " (oldest: 50 in segment 1)"));
            }
            capture.done(opened);
            assertThat(texts(capture)).containsExactly("105: c T 15");
            switch (processed) {
                case KEEP -> assertThat(present()).containsExactly(1L, 2L, 3L, 4L, 5L);
                case DELETE, MOVE -> assertThat(present()).isEmpty();
            }
        }
        if (processed == Processed.MOVE) {
            for (int i = 1; i <= 5; i++) {
                assertThat(moved.resolve(segment(i).fileName())).exists();
            }
        }
    }

    @Test
    void anOpenTransactionOnTablesThatAreLeftOutHoldsNothingBack() throws IOException {
        segment(1).begin(50, o -> o.savepoint().insert(X, row(1)).release()).write(directory());
        for (int i = 2; i <= 100; i++) {
            segment(i).more(50, o -> o.savepoint().insert(X, row(1)).release()).write(directory());
        }
        try (JournalCapture capture = open(settings().processed(Processed.DELETE))) {
            assertThat(texts(capture)).isEmpty();
            assertThat(present()).isEmpty();
            assertThat(capture.status().oldestOpen().map(OpenTransactionState::number))
                    .contains(50L);
            assertThat(capture.status().oldestOpen().orElseThrow().firstNeeded())
                    .isEmpty();
        }
        segment(101)
                .more(50, o -> o.savepoint().insert(T, row(7)).release())
                .commit(50)
                .write(directory());
        try (JournalCapture capture = open(settings().processed(Processed.DELETE))) {
            assertThat(texts(capture)).containsExactly("50: c T 7");
        }
    }

    @Test
    void aSegmentThatCannotBeRemovedIsAWarningThatRepeatsSparselyAndNoFailure() throws IOException {
        Path blocked = Files.createFile(home.resolve("blocked"));
        small(1).write(directory());
        small(2).write(directory());
        try (LogCapture log = LogCapture.of(SegmentDisposal.class);
                JournalCapture capture = open(settings().moveTo(blocked))) {
            assertThat(texts(capture)).containsExactly(text(1), text(2));
            assertThat(present()).containsExactly(1L, 2L);
            assertThat(log.warnings()).hasSize(1).first().asString().contains("journal-000000001", "cannot be removed");
            // one more file is no more news
            small(3).write(directory());
            assertThat(texts(capture)).containsExactly(text(3));
            assertThat(log.warnings()).hasSize(1);
            clock.advance(Duration.ofMinutes(11));
            small(4).write(directory());
            assertThat(texts(capture)).containsExactly(text(4));
            assertThat(log.warnings()).hasSize(2).last().asString().contains("journal-000000001", "2 others");
            Files.delete(blocked);
            small(5).write(directory());
            assertThat(texts(capture)).containsExactly(text(5));
            assertThat(present()).isEmpty();
        }
    }

    @Test
    void whatAKilledProcessHadNoTimeToRemoveGoesAtTheNextStart() throws IOException {
        small(1).write(directory());
        segment(2).begin(70, o -> o.insert(T, row(70))).write(directory());
        // a kill between the checkpoint and the removal leaves the same behind
        try (JournalCapture capture = open(settings())) {
            assertThat(texts(capture)).containsExactly(text(1));
        }
        try (JournalCapture capture = open(settings().processed(Processed.DELETE))) {
            assertThat(texts(capture)).isEmpty();
            assertThat(present()).containsExactly(2L);
        }
    }

    @Test
    void aSegmentGoesOnlyAfterTheCheckpointIsSafe() throws IOException {
        small(1).write(directory());
        FailingStore failing = new FailingStore(store);
        try (JournalCapture capture = Captures.open(
                settings().processed(Processed.DELETE).settings(),
                Captures.events(),
                List.of(SmallTables.catalog()),
                failing)) {
            Delivery delivery = capture.next().orElseThrow();
            failing.fail(true);
            assertThatThrownBy(() -> capture.done(delivery)).isInstanceOf(CheckpointException.class);
            assertThatThrownBy(capture::next).isInstanceOf(CheckpointException.class);
            assertThat(present()).containsExactly(1L);
            failing.fail(false);
            assertThat(capture.next()).isEmpty();
            assertThat(present()).isEmpty();
            small(2).write(directory());
            assertThat(texts(capture)).containsExactly(text(2));
        }
    }

    // ------------------------------------------------------------------------------------------------ start

    @Test
    void captureBeginsWithTheLowestNumberPresent() {
        segment(4)
                .more(50, o -> o.insert(T, row(50)))
                .commit(50)
                .committed(60, o -> o.insert(T, row(60)))
                .commit(55)
                .write(directory());
        try (LogCapture log = LogCapture.of(JournalCapture.class);
                JournalCapture capture = open(settings())) {
            assertThat(texts(capture)).containsExactly("60: c T 60");
            assertThat(capture.status().counters().incomplete()).isEqualTo(2);
            assertThat(log.warnings())
                    .filteredOn(m -> m.contains("its beginning was not in view"))
                    .hasSize(1);
        }
        // later on a commit without a beginning is an error: only what may have begun before is let pass
        segment(5).commit(57).commit(70).write(directory());
        try (JournalCapture capture = open(settings())) {
            assertThatThrownBy(capture::next)
                    .isInstanceOfSatisfying(UnknownTransactionException.class, e -> assertThat(e.transaction())
                            .isEqualTo(70));
        }
    }

    @Test
    void untilAWholeTransactionWasSeenARestartDoesNotEndTheLeniency() {
        segment(4).begin(70, o -> o.insert(T, row(70))).commit(50).write(directory());
        try (JournalCapture capture = open(settings())) {
            assertThat(texts(capture)).isEmpty();
        }
        segment(5).commit(70).commit(52).write(directory());
        segment(6).commit(71).write(directory());
        try (JournalCapture capture = open(settings())) {
            assertThat(capture.next()
                            .orElseThrow()
                            .transaction()
                            .orElseThrow()
                            .info()
                            .number())
                    .isEqualTo(70);
            assertThatThrownBy(capture::next)
                    .isInstanceOfSatisfying(UnknownTransactionException.class, e -> assertThat(e.transaction())
                            .isEqualTo(71));
        }
    }

    @Test
    void captureMayBeginBehindTheNewest() {
        small(1).write(directory());
        small(2).write(directory());
        try (JournalCapture capture = open(settings().startFrom("latest"))) {
            assertThat(texts(capture)).isEmpty();
            small(3).write(directory());
            assertThat(texts(capture)).containsExactly(text(3));
        }
    }

    @Test
    void behindTheNewestOfNothingIsTheFirstThatArrives() throws IOException {
        Files.createDirectories(directory());
        try (JournalCapture capture = open(settings().startFrom("latest"))) {
            assertThat(texts(capture)).isEmpty();
            small(1).write(directory());
            assertThat(texts(capture)).containsExactly(text(1));
        }
    }

    @Test
    void captureMayBeginWithANumberAndACheckpointWins() {
        for (int i = 1; i <= 4; i++) {
            small(i).write(directory());
        }
        try (JournalCapture capture = open(settings().startFrom("3"))) {
            assertThat(texts(capture)).containsExactly(text(3), text(4));
        }
        small(5).write(directory());
        try (JournalCapture capture = open(settings().startFrom("1"))) {
            assertThat(texts(capture)).containsExactly(text(5));
        }
    }

    @Test
    void aNumberThatIsNotThereYetIsWaitedFor() {
        small(1).write(directory());
        try (JournalCapture capture = open(settings().startFrom("3"))) {
            assertThat(texts(capture)).isEmpty();
            small(2).write(directory());
            assertThat(texts(capture)).isEmpty();
            small(3).write(directory());
            assertThat(texts(capture)).containsExactly(text(3));
        }
    }

    // ------------------------------------------------------------------------------------------------ lost beginnings

    @Test
    void aSegmentThatAnOpenTransactionNeedsIsMissed() throws IOException {
        longTransaction();
        try (JournalCapture capture = open(settings())) {
            capture.done(capture.next().orElseThrow());
            capture.done(capture.next().orElseThrow());
        }
        Files.delete(directory().resolve(segment(1).fileName()));
        try (JournalCapture capture = open(settings())) {
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(capture::next)
                        .isInstanceOfSatisfying(CaptureException.class, e -> assertThat(e.reason())
                                .isEqualTo(CaptureException.Reason.SEGMENT_GONE))
                        .hasMessageContaining("segment 1 is gone")
                        .hasMessageContaining("transaction(s) 50");
            }
        }
        try (LogCapture log = LogCapture.of(JournalCapture.class);
                JournalCapture capture = open(settings().unknownTransaction(UnknownTransaction.WARN))) {
            assertThat(texts(capture)).containsExactly("103: c T 13", "105: c T 15");
            assertThat(log.warnings()).anySatisfy(m -> assertThat(m).contains("transaction(s) 50"));
        }
    }

    @Test
    void aCommitWithoutABeginningIsAnErrorOrAWarning() {
        segment(1)
                .more(50, o -> o.insert(T, row(1)))
                .commit(50)
                .committed(60, o -> o.insert(T, row(2)))
                .write(directory());
        try (JournalCapture capture = open(settings())) {
            assertThatThrownBy(capture::next)
                    .isInstanceOfSatisfying(UnknownTransactionException.class, e -> assertThat(e.transaction())
                            .isEqualTo(50))
                    .hasMessageContaining("unknownTransaction=warn");
        }
        try (LogCapture log = LogCapture.of(JournalCapture.class);
                JournalCapture capture = open(settings().unknownTransaction(UnknownTransaction.WARN))) {
            assertThat(texts(capture)).containsExactly("60: c T 2");
            assertThat(log.warnings()).anySatisfy(m -> assertThat(m).contains("transaction 50 commits"));
        }
    }

    // ------------------------------------------------------------------------------------------------ abandoned

    @Test
    void anAbandonedTransactionIsNotDeliveredHoldsNothingAndItsEndIsNoError() throws IOException {
        segment(1).begin(50, o -> o.insert(T, row(1)).insert(T, row(2))).write(directory());
        small(2).write(directory());
        try (JournalCapture capture = open(settings().processed(Processed.DELETE))) {
            assertThat(texts(capture)).containsExactly(text(2));
            assertThat(present()).containsExactly(1L, 2L);
            assertThat(capture.abandon(51)).isEmpty();
            assertThat(capture.abandon(50)).contains(2L);
            assertThat(capture.abandon(50)).isEmpty();
            assertThat(texts(capture)).isEmpty();
            assertThat(present()).isEmpty();
            segment(3).more(50, o -> o.insert(T, row(3))).commit(50).write(directory());
            small(4).write(directory());
            assertThat(texts(capture)).containsExactly(text(4));
            assertThat(capture.status().counters().abandoned()).isEqualTo(1);
            assertThat(capture.status().counters().abandonedChanges()).isEqualTo(2);
        }
    }

    @Test
    void abandonedWithDeliveriesInFlightItIsForgottenInAllTheirPlaces() throws IOException {
        segment(1)
                .begin(50, o -> o.insert(T, row(1)))
                .committed(101, o -> o.insert(T, row(11)))
                .committed(102, o -> o.insert(T, row(12)))
                .write(directory());
        JournalCapture capture = open(settings().processed(Processed.DELETE).checkpointInterval(Duration.ZERO));
        Delivery one = capture.next().orElseThrow();
        Delivery two = capture.next().orElseThrow();
        assertThat(capture.abandon(50)).contains(1L);
        capture.done(two);
        capture.done(one);
        assertThat(checkpoint().open()).isEmpty();
        capture.close();
        segment(2).commit(50).committed(103, o -> o.insert(T, row(13))).write(directory());
        try (JournalCapture next = open(settings())) {
            assertThat(texts(next)).containsExactly("103: c T 13");
        }
    }

    @Test
    void oldTransactionsAreAbandonedIfSoConfigured() throws IOException {
        Path file = segment(1).begin(50, o -> o.insert(T, row(1))).write(directory());
        Files.setLastModifiedTime(file, FileTime.from(clock.instant()));
        try (JournalCapture capture = open(settings().abandonAfter(Duration.ofHours(1)))) {
            texts(capture);
            clock.advance(Duration.ofMinutes(59));
            texts(capture);
            assertThat(capture.status().open()).hasSize(1);
            clock.advance(Duration.ofMinutes(2));
            texts(capture);
            assertThat(capture.status().open()).isEmpty();
            assertThat(capture.status().counters().abandoned()).isEqualTo(1);
        }
    }

    // ------------------------------------------------------------------------------------------------ checkpoint

    @Test
    void theCheckpointIsWrittenAtMostOnceInTheIntervalAndAlwaysAtSegmentEndAndStop() {
        segment(1)
                .committed(1, o -> o.insert(T, row(1)))
                .committed(2, o -> o.insert(T, row(2)))
                .committed(3, o -> o.insert(T, row(3)))
                .committed(4, o -> o.insert(T, row(4)))
                .write(directory());
        JournalCapture capture = open(settings().checkpointInterval(Duration.ofSeconds(10)));
        Delivery first = capture.next().orElseThrow();
        capture.done(first);
        JournalPosition one = checkpoint().position();
        assertThat(one).isGreaterThan(first.position());
        capture.done(capture.next().orElseThrow());
        assertThat(checkpoint().position()).isEqualTo(one);
        clock.advance(Duration.ofSeconds(10));
        Delivery third = capture.next().orElseThrow();
        capture.done(third);
        assertThat(checkpoint().position()).isGreaterThan(third.position());
        // a clock that is set back does not stop checkpoints
        clock.advance(Duration.ofDays(-10));
        Delivery fourth = capture.next().orElseThrow();
        capture.done(fourth);
        assertThat(checkpoint().position()).isGreaterThan(fourth.position());
        assertThat(capture.next()).isEmpty();
        assertThat(checkpoint().position()).isEqualTo(new JournalPosition(2, 0));
        segment(2)
                .committed(5, o -> o.insert(T, row(5)))
                .committed(6, o -> o.insert(T, row(6)))
                .write(directory());
        Delivery fifth = capture.next().orElseThrow();
        capture.done(fifth);
        assertThat(checkpoint().position()).isEqualTo(new JournalPosition(2, 0));
        capture.close();
        assertThat(checkpoint().position()).isGreaterThan(fifth.position());
    }

    // ------------------------------------------------------------------------------------------------ several in
    // flight

    private List<Delivery> three(JournalCapture capture) {
        segment(1)
                .committed(1, o -> o.insert(T, row(1)))
                .committed(2, o -> o.insert(T, row(2)))
                .committed(3, o -> o.insert(T, row(3)))
                .write(directory());
        return List.of(
                capture.next().orElseThrow(),
                capture.next().orElseThrow(),
                capture.next().orElseThrow());
    }

    @Test
    void theCheckpointFollowsTheOldestThatIsNotDone() {
        try (JournalCapture capture = open(settings().checkpointInterval(Duration.ZERO))) {
            List<Delivery> out = three(capture);
            assertThat(capture.next()).isEmpty();
            capture.done(out.get(2));
            capture.done(out.get(1));
            assertThat(capture.status().position()).isEqualTo(new JournalPosition(1, 0));
            assertThat(capture.status().inFlight()).isEqualTo(1);
            assertThat(capture.status().counters().transactions()).isZero();
            capture.done(out.get(0));
            assertThat(capture.status().position()).isEqualTo(new JournalPosition(2, 0));
            assertThat(capture.status().inFlight()).isZero();
            assertThat(capture.status().counters().transactions()).isEqualTo(3);
            assertThat(capture.status().counters().events()).isEqualTo(3);
        }
    }

    @Test
    void afterAFailureAllBehindItComeAgainInOrderAndWhatWasReportedOfThemDoesNotCount() {
        try (JournalCapture capture = open(settings().checkpointInterval(Duration.ZERO))) {
            List<Delivery> out = three(capture);
            assertThat(capture.next()).isEmpty();
            capture.done(out.get(0));
            capture.done(out.get(2));
            capture.retry();
            Delivery two = capture.next().orElseThrow();
            Delivery three = capture.next().orElseThrow();
            assertThat(two.position()).isEqualTo(out.get(1).position());
            assertThat(three.position()).isEqualTo(out.get(2).position());
            // late news of the first attempt
            capture.done(out.get(1));
            capture.done(two);
            assertThat(capture.status().position()).isLessThan(three.position());
            assertThat(capture.status().inFlight()).isEqualTo(1);
            capture.retry();
            Delivery again = capture.next().orElseThrow();
            assertThat(again.position()).isEqualTo(three.position());
            capture.done(again);
            assertThat(capture.next()).isEmpty();
            assertThat(capture.status().position()).isEqualTo(new JournalPosition(2, 0));
        }
    }

    @Test
    void aRetryDoesNotForgetThatASegmentIsFinished() throws IOException {
        try (JournalCapture capture =
                open(settings().processed(Processed.DELETE).checkpointInterval(Duration.ZERO))) {
            three(capture);
            assertThat(capture.next()).isEmpty();
            capture.retry();
            assertThat(texts(capture)).hasSize(3);
            assertThat(present()).isEmpty();
        }
    }

    @Test
    void damageBehindDeliveriesInFlightDoesNotMoveTheCheckpointBack() throws IOException {
        segment(1)
                .begin(50, o -> o.insert(T, row(1)))
                .committed(101, o -> o.insert(T, row(11)))
                .write(directory());
        small(2).write(directory());
        small(3).write(directory());
        segment(4)
                .more(50, o -> o.insert(T, row(4)))
                .committed(104, o -> o.insert(T, row(14)))
                .commit(999)
                .write(directory());
        TestSettings always = settings().checkpointInterval(Duration.ZERO);
        List<Delivery> out = new ArrayList<>();
        try (JournalCapture capture = open(always)) {
            for (int i = 0; i < 4; i++) {
                out.add(capture.next().orElseThrow());
            }
            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(capture::next).isInstanceOf(UnknownTransactionException.class);
            }
            JournalPosition before = JournalPosition.START;
            for (Delivery delivery : out) {
                capture.done(delivery);
                assertThat(checkpoint().position()).isGreaterThan(before);
                before = checkpoint().position();
                assertThat(checkpoint().open()).hasSize(1);
            }
            assertThat(before).isGreaterThan(out.get(3).position());
            assertThatThrownBy(capture::next).isInstanceOf(UnknownTransactionException.class);
            assertThat(checkpoint().position()).isEqualTo(before);
        }
    }

    // ------------------------------------------------------------------------------------------------ decoding

    @Test
    void nothingOfATransactionIsDeliveredThatCannotBeDecodedToItsEndAndNothingBehindIt() throws IOException {
        // a blob that was never stored
        Path file = segment(1)
                .committed(5, o -> o.insert(T, row(1)).insert(T, row(2, 99, SmallTables.NULL)))
                .committed(6, o -> o.insert(T, row(3)))
                .write(directory());
        try (JournalCapture capture = open(settings())) {
            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(capture::next).isInstanceOf(RecordDecodeException.class);
                assertThat(capture.status().inFlight()).isZero();
            }
            // a sound copy of it
            segment(1)
                    .committed(5, o -> o.insert(T, row(1)).insert(T, row(2)))
                    .committed(6, o -> o.insert(T, row(3)))
                    .write(directory());
            touch(file);
            assertThat(texts(capture)).containsExactly("5: c T 1, c T 2", "6: c T 3");
            small(2).write(directory());
            assertThat(texts(capture)).containsExactly(text(2));
            // from now on it is remembered like any other
            segment(1).committed(7, o -> o.insert(T, row(77))).write(directory());
            touch(file);
            touch(file);
            assertThatThrownBy(capture::next)
                    .isInstanceOf(CaptureException.class)
                    .hasMessageContaining("segment 1");
        }
    }

    @Test
    void statusTellsWhereCaptureStands() {
        segment(1)
                .begin(50, o -> o.insert(T, row(1)))
                .committed(101, o -> o.insert(T, row(11)))
                .write(directory());
        small(2).write(directory());
        try (JournalCapture capture = open(settings())) {
            assertThat(capture.status().guid()).isEmpty();
            Delivery first = capture.next().orElseThrow();
            CaptureStatus status = capture.status();
            assertThat(status.guid()).contains(SegmentBuilder.GUID);
            assertThat(status.position()).isEqualTo(new JournalPosition(1, 0));
            assertThat(status.reading().segment()).isEqualTo(1);
            assertThat(status.inFlight()).isEqualTo(1);
            assertThat(status.segmentsWaiting()).isEqualTo(2);
            assertThat(status.newestSegmentMillis()).isPositive();
            assertThat(status.open()).hasSize(1);
            capture.done(first);
            texts(capture);
            status = capture.status();
            assertThat(status.reading()).isEqualTo(new JournalPosition(3, 0));
            assertThat(status.segmentsWaiting()).isZero();
            assertThat(status.counters().segments()).isEqualTo(2);
            OpenTransactionState oldest = status.oldestOpen().orElseThrow();
            assertThat(oldest.number()).isEqualTo(50);
            assertThat(oldest.begin()).isEqualTo(new JournalPosition(1, 48));
            assertThat(oldest.changes()).isEqualTo(1);
        }
    }
}
