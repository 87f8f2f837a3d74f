package org.firebirdcdc.capture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.firebirdcdc.journal.JournalFormatException;
import org.firebirdcdc.schema.Catalog;
import org.firebirdcdc.testing.Captures;
import org.firebirdcdc.testing.Corpus;
import org.firebirdcdc.testing.Corpus.Recording;
import org.firebirdcdc.testing.EventText;
import org.firebirdcdc.testing.MemoryCheckpointStore;
import org.firebirdcdc.testing.RandomJournal;
import org.firebirdcdc.testing.SegmentBuilder;
import org.firebirdcdc.testing.SmallTables;
import org.firebirdcdc.transaction.EventSelection;
import org.firebirdcdc.transaction.OpenTransactionState;
import org.firebirdcdc.transaction.Operation;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Wherever capture is stopped or killed, the rest comes: nothing lost, and after a clean stop nothing twice. */
class RestartTest {

    private static final int SEEDS = Integer.getInteger("firebird.cdc.seeds", 25);
    private static final long FIRST_SEED = Long.getLong("firebird.cdc.seed", 1);

    static Stream<Recording> recordings() {
        return Corpus.recordings().stream()
                .filter(r -> !r.name().contains("12a-") && !r.name().contains("07-ddl"));
    }

    static LongStream seeds() {
        return LongStream.range(FIRST_SEED, FIRST_SEED + SEEDS);
    }

    private static String text(Delivery delivery) {
        return delivery.transaction()
                .map(EventText::of)
                .or(() -> delivery.sequence().map(s -> "seq " + s.sequence() + "=" + s.value()))
                .orElseThrow();
    }

    private static String id(Delivery delivery) {
        return delivery.position().toString();
    }

    private static List<String> ids(JournalCapture capture, int most) {
        List<String> ids = new ArrayList<>();
        while (ids.size() < most) {
            Optional<Delivery> next = capture.next();
            if (next.isEmpty()) {
                break;
            }
            ids.add(id(next.get()));
            capture.done(next.get());
        }
        return ids;
    }

    // ------------------------------------------------------------------------------------------------ recordings

    @ParameterizedTest
    @MethodSource("recordings")
    void stoppedAfterAnyDeliveryOfARecordingTheRestComes(Recording recording, @TempDir Path scratch) {
        Path segments = recording.segments(scratch);
        List<Catalog> catalogs = recording.catalogs();
        List<String> all;
        try (JournalCapture capture = Captures.open(segments, catalogs, new MemoryCheckpointStore())) {
            all = ids(capture, Integer.MAX_VALUE);
        }
        // of long recordings not every place, but a dozen, of the longest the start and the end
        int step = all.size() <= 30 ? 1 : all.size() / (all.size() > 1000 ? 1 : 12);
        for (int k = 0; k <= all.size(); k += step) {
            MemoryCheckpointStore stopped = new MemoryCheckpointStore();
            MemoryCheckpointStore killed = new MemoryCheckpointStore();
            CaptureSettings rarely = new TestSettings(segments)
                    .checkpointInterval(Duration.ofDays(1))
                    .settings();
            try (JournalCapture capture = Captures.open(segments, catalogs, stopped)) {
                assertThat(ids(capture, k)).isEqualTo(all.subList(0, k));
            }
            JournalCapture victim = Captures.open(rarely, Captures.events(), catalogs, killed);
            assertThat(ids(victim, k)).isEqualTo(all.subList(0, k));
            try (JournalCapture capture = Captures.open(segments, catalogs, stopped)) {
                assertThat(ids(capture, Integer.MAX_VALUE)).isEqualTo(all.subList(k, all.size()));
            }
            try (JournalCapture capture = Captures.open(segments, catalogs, killed)) {
                List<String> rest = ids(capture, Integer.MAX_VALUE);
                assertThat(rest).hasSizeBetween(all.size() - k, all.size());
                assertThat(rest).isEqualTo(all.subList(all.size() - rest.size(), all.size()));
            }
        }
    }

    // ------------------------------------------------------------------------------------------------ random journals

    private static EventSettings events(long seed) {
        return Captures.events(new EventSelection(
                t -> !t.equals(SmallTables.X), Set.of(Operation.values()), seed % 2 == 0, seed % 3 != 0));
    }

    private static RandomJournal journal(long seed) {
        return RandomJournal.of(seed, seed % 2 == 0, seed % 3 != 0);
    }

    private static JournalCapture open(CaptureSettings settings, long seed, MemoryCheckpointStore store) {
        return Captures.open(settings, events(seed), List.of(SmallTables.catalog()), store);
    }

    private static List<String> take(JournalCapture capture, int most) {
        List<String> texts = new ArrayList<>();
        while (texts.size() < most) {
            Optional<Delivery> next = capture.next();
            if (next.isEmpty()) {
                break;
            }
            texts.add(text(next.get()));
            capture.done(next.get());
        }
        return texts;
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void whatTheRulesSayIsDelivered(long seed, @TempDir Path directory) {
        RandomJournal journal = journal(seed);
        journal.write(directory);
        try (JournalCapture capture = open(CaptureSettings.of(directory), seed, new MemoryCheckpointStore())) {
            assertThat(take(capture, Integer.MAX_VALUE)).isEqualTo(journal.expected());
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void stoppedAnywhereTheRestComesAndOpenTransactionsAreKnownAsBefore(long seed, @TempDir Path scratch) {
        RandomJournal journal = journal(seed);
        List<String> all = journal.expected();
        List<String> openAtEnd;
        Path whole = scratch.resolve("whole");
        journal.write(whole);
        try (JournalCapture capture = open(CaptureSettings.of(whole), seed, new MemoryCheckpointStore())) {
            take(capture, Integer.MAX_VALUE);
            openAtEnd = states(capture);
        }
        int step = 1 + all.size() / 15;
        for (int k = 0; k <= all.size(); k += step) {
            Path directory = scratch.resolve("k" + k);
            journal.write(directory);
            CaptureSettings settings = new TestSettings(directory)
                    .processed(k / step % 2 == 0 ? Processed.DELETE : Processed.KEEP)
                    .settings();
            MemoryCheckpointStore store = new MemoryCheckpointStore();
            try (JournalCapture capture = open(settings, seed, store)) {
                assertThat(take(capture, k)).isEqualTo(all.subList(0, k));
            }
            try (JournalCapture capture = open(settings, seed, store)) {
                assertThat(take(capture, Integer.MAX_VALUE))
                        .as("after %d of %d", k, all.size())
                        .isEqualTo(all.subList(k, all.size()));
                assertThat(states(capture)).isEqualTo(openAtEnd);
            }
            // and once more, with nothing new
            try (JournalCapture capture = open(settings, seed, store)) {
                assertThat(take(capture, 1)).isEmpty();
                assertThat(states(capture)).isEqualTo(openAtEnd);
            }
        }
    }

    /** Open transactions but for the time, which differs between copies. */
    private static List<String> states(JournalCapture capture) {
        return capture.status().open().stream()
                .sorted(Comparator.comparing(OpenTransactionState::begin))
                .map(s -> s.number() + " at " + s.begin() + " needed from " + s.firstNeeded() + " savepoints "
                        + s.savepoints() + " changes " + s.changes())
                .toList();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void killedAnywhereNothingIsLostAndOrderKept(long seed, @TempDir Path scratch) {
        RandomJournal journal = journal(seed);
        List<String> all = journal.expected();
        Random random = new Random(seed);
        Path directory = scratch.resolve("segments");
        journal.write(directory);
        MemoryCheckpointStore store = new MemoryCheckpointStore();
        CaptureSettings settings = new TestSettings(directory)
                .processed(Processed.DELETE)
                .checkpointInterval(Duration.ofDays(1))
                .settings();
        int reached = 0;
        for (int life = 0; reached < all.size(); life++) {
            JournalCapture victim = open(settings, seed, store);
            List<String> seen = take(victim, life < 200 ? random.nextInt(6) : Integer.MAX_VALUE);
            if (!seen.isEmpty()) {
                int from = all.indexOf(seen.get(0));
                assertThat(from)
                        .as("begins no later than where the last life ended")
                        .isBetween(0, reached);
                assertThat(seen).isEqualTo(all.subList(from, from + seen.size()));
                reached = Math.max(reached, from + seen.size());
            } else if (life >= 200) {
                assertThat(reached).isEqualTo(all.size());
            }
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void segmentsArriveOneByOneWithRestartsInBetween(long seed, @TempDir Path directory) {
        RandomJournal journal = journal(seed);
        MemoryCheckpointStore store = new MemoryCheckpointStore();
        List<String> seen = new ArrayList<>();
        CaptureSettings settings =
                new TestSettings(directory).processed(Processed.DELETE).settings();
        JournalCapture capture = open(settings, seed, store);
        Random random = new Random(seed);
        for (SegmentBuilder segment : journal.segments()) {
            segment.write(directory);
            seen.addAll(take(capture, random.nextInt(20)));
            if (random.nextBoolean()) {
                capture.close();
                capture = open(settings, seed, store);
            }
        }
        seen.addAll(take(capture, Integer.MAX_VALUE));
        capture.close();
        assertThat(seen).isEqualTo(journal.expected());
    }

    /** Several exchanges out, done in any order, failures in between: the oldest not done comes again, then all behind it. */
    @ParameterizedTest
    @MethodSource("seeds")
    void withSeveralInFlightTheCheckpointIsTheOldestNotDone(long seed, @TempDir Path directory) throws IOException {
        RandomJournal journal = journal(seed);
        List<String> all = journal.expected();
        journal.write(directory);
        Random random = new Random(seed);
        MemoryCheckpointStore store = new MemoryCheckpointStore();
        CaptureSettings settings = new TestSettings(directory)
                .processed(Processed.DELETE)
                .checkpointInterval(Duration.ZERO)
                .settings();
        JournalCapture capture = open(settings, seed, store);
        int done = 0;
        List<Delivery> flying = new ArrayList<>();
        List<Boolean> arrived = new ArrayList<>();
        int steps = 0;
        while (done < all.size()) {
            assertThat(++steps).isLessThan(100_000);
            int dice = random.nextInt(100);
            if (dice < 55 && flying.size() < 8) {
                Optional<Delivery> next = capture.next();
                if (next.isPresent()) {
                    assertThat(text(next.get())).isEqualTo(all.get(done + flying.size()));
                    flying.add(next.get());
                    arrived.add(false);
                } else {
                    assertThat(done + flying.size()).isEqualTo(all.size());
                }
            } else if (dice < 92 && !flying.isEmpty()) {
                int one = random.nextInt(flying.size());
                capture.done(flying.get(one));
                capture.done(flying.get(one));
                arrived.set(one, true);
                while (!arrived.isEmpty() && arrived.get(0)) {
                    flying.remove(0);
                    arrived.remove(0);
                    done++;
                }
            } else if (dice < 96) {
                // one has failed
                capture.retry();
                flying.clear();
                arrived.clear();
            } else {
                // the process has ended, in good order or not
                if (random.nextBoolean()) {
                    capture.close();
                }
                capture = open(settings, seed, store);
                flying.clear();
                arrived.clear();
            }
        }
        capture.close();
        assertThat(capture.status().inFlight()).isZero();
    }

    /** A damaged segment, repaired later, and reading that goes back to where it was sound. */
    @ParameterizedTest
    @MethodSource("seeds")
    void afterDamageIsRepairedReadingGoesOnWhereItWasSound(long seed, @TempDir Path directory) throws IOException {
        RandomJournal journal = journal(seed);
        List<String> all = journal.expected();
        Random random = new Random(seed);
        MemoryCheckpointStore store = new MemoryCheckpointStore();
        CaptureSettings settings =
                new TestSettings(directory).processed(Processed.DELETE).settings();
        List<String> seen = new ArrayList<>();
        try (JournalCapture capture = open(settings, seed, store)) {
            for (SegmentBuilder segment : journal.segments()) {
                // sound in its structure, with an operation that cannot be: the index pass meets it behind sound blocks
                byte[] bad = segment.bytes();
                long before = segment.offset();
                Path file = directory.resolve(segment.fileName());
                Files.createDirectories(directory);
                Files.write(file, withImpossibleBlock(bad));
                List<Delivery> flying = new ArrayList<>();
                try {
                    for (Optional<Delivery> next = capture.next(); next.isPresent(); next = capture.next()) {
                        seen.add(text(next.get()));
                        if (random.nextBoolean()) {
                            flying.add(next.get());
                        } else {
                            flying.forEach(capture::done);
                            flying.clear();
                            capture.done(next.get());
                        }
                    }
                    assertThat(false).as("the damage is noticed").isTrue();
                } catch (JournalFormatException e) {
                    assertThat(e.position().offset()).isGreaterThanOrEqualTo(before);
                }
                assertThat(seen).isEqualTo(all.subList(0, seen.size()));
                segment.write(directory);
                Files.setLastModifiedTime(
                        file,
                        FileTime.fromMillis(Files.getLastModifiedTime(file).toMillis() + 5000));
                for (Optional<Delivery> next = capture.next(); next.isPresent(); next = capture.next()) {
                    seen.add(text(next.get()));
                    capture.done(next.get());
                }
                flying.forEach(capture::done);
            }
        }
        assertThat(seen).isEqualTo(all);
    }

    /** The same segment with a transaction at its end that leaves a blob unfinished. */
    private static byte[] withImpossibleBlock(byte[] segment) {
        byte[] made = SegmentBuilder.segment(1)
                .begin(1_000_000, o -> o.blobPart(1, "x"))
                .commit(1_000_000)
                .bytes();
        byte[] block = Arrays.copyOfRange(made, 48, made.length);
        byte[] bytes = Arrays.copyOf(segment, segment.length + block.length);
        System.arraycopy(block, 0, bytes, segment.length, block.length);
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putLong(40, bytes.length);
        return bytes;
    }
}
