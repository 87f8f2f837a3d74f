package org.firebirdcdc.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import com.sun.management.ThreadMXBean;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.firebirdcdc.journal.JournalFormatException;
import org.firebirdcdc.record.BlobValue;
import org.firebirdcdc.record.RecordDecodeException;
import org.firebirdcdc.record.Row;
import org.firebirdcdc.schema.Catalog;
import org.firebirdcdc.schema.MetadataException;
import org.firebirdcdc.testing.Captures;
import org.firebirdcdc.testing.Corpus;
import org.firebirdcdc.testing.Corpus.Recording;
import org.firebirdcdc.testing.MemoryCheckpointStore;
import org.firebirdcdc.testing.RandomJournal;
import org.firebirdcdc.testing.SmallTables;
import org.firebirdcdc.transaction.ChangeEvent;
import org.firebirdcdc.transaction.JournalEvent;
import org.firebirdcdc.transaction.UnknownTransactionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Hostile bytes: whatever happens to a segment, the outcome is a sound stream of events, "not yet complete", or an error
 * that names the position. {@code -Dfirebird.cdc.mutations=1000000} sets how many are tried, {@code -Dfirebird.cdc.seed=…}
 * with which one they begin: mutation n is made from seed + n, so that one can be tried alone.
 */
class MutationTest {

    private static final int MUTATIONS = Integer.getInteger("firebird.cdc.mutations", 20_000);
    private static final long SEED = Long.getLong("firebird.cdc.seed", 1);

    private static final int HEADER = 48;
    /** Least bytes that a block takes. */
    private static final int BLOCK = 16;
    /** What one capture allocates whatever it reads, and how much more for each byte of the files. */
    private static final long ALLOCATION_BASE = 32L << 20;

    private static final long ALLOCATION_PER_BYTE = 400;

    private static final int[] EDGES = {0, 1, 2, 3, 9, 12, 0x7F, 0x80, 0xFE, 0xFF};

    /** Not the first: transactions whose beginning is not in view are no error then. */
    private static final long SEQUENCE = 2;

    private static final String NAME = "x.journal-000000002";

    @TempDir
    Path scratch;

    @TempDir
    Path unpacked;

    /** One segment to be damaged, and the metadata to read it with. */
    private record Source(String name, byte[] bytes, List<Catalog> catalogs) {}

    private List<Source> sources() {
        List<Source> sources = new ArrayList<>();
        Stream.of(
                        "fb40/01-basics",
                        "fb40/02-types",
                        "fb40/03-charsets",
                        "fb40/04-blobs",
                        "fb40/05-savepoints",
                        "fb40/07-ddl",
                        "fb40/08-triggers-keys",
                        "fb40/09-keys",
                        "fb40/13a-dialect1",
                        "fb40/15-negatives",
                        "fb50/05-savepoints",
                        "fb60/01-schemas",
                        "fb60/02-types",
                        "fb60/05-savepoints",
                        "fb60/11-crash")
                .map(Corpus::recording)
                .forEach(recording -> sources.addAll(small(recording)));
        List<Catalog> catalogs = List.of(SmallTables.catalog());
        for (int seed = 1; seed <= 3; seed++) {
            RandomJournal.of(seed, true, true).segments().stream()
                    .filter(s -> s.offset() < 16_000)
                    .forEach(s -> sources.add(new Source("random " + s.fileName(), s.bytes(), catalogs)));
        }
        return sources;
    }

    private List<Source> small(Recording recording) {
        try (Stream<Path> files = Files.list(recording.segments(unpacked.resolve(recording.name())))) {
            List<Catalog> catalogs = recording.catalogs();
            List<Source> found = new ArrayList<>();
            for (Path file : files.sorted().toList()) {
                if (Files.size(file) < 24_000) {
                    found.add(new Source(
                            recording.name() + " " + file.getFileName(), Files.readAllBytes(file), catalogs));
                }
            }
            // not all of the long ones
            return found.subList(0, Math.min(4, found.size()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    // ------------------------------------------------------------------------------------------------ the judge

    /** What came of a directory: ids of events, in order, and the error that ended it, if one did. */
    private record Outcome(List<String> events, Optional<RuntimeException> error) {}

    private static Outcome capture(Path directory, List<Catalog> catalogs, long bytes) {
        List<String> events = new ArrayList<>();
        try (JournalCapture capture = Captures.open(directory, catalogs, new MemoryCheckpointStore())) {
            for (Optional<Delivery> next = capture.next(); next.isPresent(); next = capture.next()) {
                Delivery delivery = next.get();
                long expected = delivery.transaction().map(t -> t.eventCount()).orElse(0L);
                if (delivery.transaction().isPresent()) {
                    long count = 0;
                    for (JournalEvent event : delivery.transaction().get()) {
                        look(event);
                        events.add(event.id());
                        assertThat((long) events.size()).as("steps are bounded").isLessThanOrEqualTo(bytes);
                        assertThat(event.order()).isEqualTo(++count);
                    }
                    assertThat(count).as("as many events as were told").isEqualTo(expected);
                }
                capture.done(delivery);
            }
            return new Outcome(events, Optional.empty());
        } catch (JournalFormatException e) {
            assertThat(e.position().segment()).isPositive();
            assertThat(e.position().offset()).isBetween(0L, bytes);
            return new Outcome(events, Optional.of(e));
        } catch (UnknownTransactionException e) {
            assertThat(e.position().offset()).isBetween((long) HEADER, bytes);
            return new Outcome(events, Optional.of(e));
        } catch (RecordDecodeException e) {
            assertThat(e.position().offset()).isBetween((long) HEADER, bytes);
            return new Outcome(events, Optional.of(e));
        } catch (MetadataException e) {
            // a statement that has changed the table may stand in a segment that is not there yet
            assertThat(e).hasMessageContaining(" at " + SEQUENCE + ":");
            return new Outcome(events, Optional.of(e));
        }
    }

    /** Decodes everything that there is in an event. */
    private static void look(JournalEvent event) {
        if (event instanceof ChangeEvent change) {
            change.before().ifPresent(MutationTest::look);
            change.after().ifPresent(MutationTest::look);
            assertThat(change.changedColumns()).doesNotContainNull();
        }
    }

    private static void look(Row row) {
        for (Object value : row.toMap().values()) {
            if (value instanceof BlobValue blob && blob.content().isPresent()) {
                assertThat(blob.bytes()).hasSize((int) blob.content().get().length());
                if (blob.isText()) {
                    assertThat(blob.text()).isNotNull();
                }
            }
        }
    }

    // ------------------------------------------------------------------------------------------------ mutations

    @Test
    @Timeout(7 * 24 * 3600)
    void whateverHappensToASegmentTheOutcomeIsSoundOrAnErrorWithAPosition() throws IOException {
        List<Source> sources = sources();
        assertThat(sources).hasSizeGreaterThan(20);
        ThreadMXBean memory = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        Path file = scratch.resolve(NAME);
        long sound = 0;
        long errors = 0;
        for (long n = 0; n < MUTATIONS; n++) {
            Random random = new Random(SEED + n);
            Source source = sources.get(random.nextInt(sources.size()));
            byte[] mutant = mutate(source.bytes(), random);
            Files.write(file, mutant);
            long before = memory.getCurrentThreadAllocatedBytes();
            try {
                Outcome outcome = capture(scratch, source.catalogs(), mutant.length);
                if (outcome.error().isPresent()) {
                    errors++;
                } else {
                    sound++;
                }
            } catch (RuntimeException | AssertionError | StackOverflowError | OutOfMemoryError e) {
                fail("mutation of seed " + (SEED + n) + " (" + source.name() + ")", e);
            }
            assertThat(memory.getCurrentThreadAllocatedBytes() - before)
                    .as("bytes allocated for mutation of seed %d (%s)", SEED + n, source.name())
                    .isLessThan(ALLOCATION_BASE + ALLOCATION_PER_BYTE * mutant.length);
        }
        // if nearly all mutations were refused at the door, the rest would not have been attacked
        assertThat(sound).isGreaterThan(MUTATIONS / 20);
        assertThat(errors).isGreaterThan(MUTATIONS / 20);
    }

    private static byte[] mutate(byte[] sound, Random random) {
        byte[] bytes = sound.clone();
        setSequence(bytes);
        int times = 1 + random.nextInt(random.nextInt(4) + 1);
        for (int i = 0; i < times && bytes.length > HEADER + 1; i++) {
            // the header is hit seldom: most of what can go wrong is behind it
            int from = random.nextInt(20) == 0 ? 0 : HEADER;
            bytes = switch (random.nextInt(9)) {
                case 0, 1 -> flip(bytes, from, random);
                case 2, 3 -> overwrite(bytes, from, random);
                case 4 -> insert(bytes, random);
                case 5 -> cut(bytes, random);
                case 6 -> duplicate(bytes, random);
                case 7 -> exchange(bytes, random);
                default -> shuffleBlocks(bytes, random);
            };
        }
        if (random.nextInt(10) > 0 && bytes.length >= HEADER) {
            ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putLong(40, bytes.length);
        }
        return bytes;
    }

    private static void setSequence(byte[] bytes) {
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putLong(32, SEQUENCE);
    }

    private static byte[] flip(byte[] bytes, int from, Random random) {
        int at = from + random.nextInt(bytes.length - from);
        bytes[at] ^= (byte) (1 << random.nextInt(8));
        return bytes;
    }

    private static byte[] overwrite(byte[] bytes, int from, Random random) {
        int at = from + random.nextInt(bytes.length - from);
        int count = Math.min(bytes.length - at, 1 << random.nextInt(4));
        byte value = (byte) EDGES[random.nextInt(EDGES.length)];
        Arrays.fill(bytes, at, at + count, value);
        return bytes;
    }

    private static byte[] insert(byte[] bytes, Random random) {
        byte[] more = new byte[1 + random.nextInt(40)];
        random.nextBytes(more);
        return splice(bytes, place(bytes, random), 0, more);
    }

    private static byte[] cut(byte[] bytes, Random random) {
        int at = place(bytes, random);
        int count = random.nextInt(4) == 0 ? bytes.length - at : Math.min(bytes.length - at, 1 + random.nextInt(40));
        return splice(bytes, at, count, new byte[0]);
    }

    private static byte[] duplicate(byte[] bytes, Random random) {
        int at = place(bytes, random);
        int count = Math.min(bytes.length - at, 1 + random.nextInt(200));
        return splice(bytes, at, 0, Arrays.copyOfRange(bytes, at, at + count));
    }

    private static byte[] exchange(byte[] bytes, Random random) {
        int one = place(bytes, random);
        int other = place(bytes, random);
        int count = Math.min(bytes.length - Math.max(one, other), 1 + random.nextInt(40));
        byte[] copy = Arrays.copyOfRange(bytes, one, one + count);
        System.arraycopy(bytes, other, bytes, one, count);
        System.arraycopy(copy, 0, bytes, other, count);
        return bytes;
    }

    private static int place(byte[] bytes, Random random) {
        return HEADER + random.nextInt(bytes.length - HEADER);
    }

    private static byte[] splice(byte[] bytes, int at, int removed, byte[] added) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(bytes.length + added.length);
        out.write(bytes, 0, at);
        out.writeBytes(added);
        out.write(bytes, at + removed, bytes.length - at - removed);
        return out.toByteArray();
    }

    /** Blocks dropped, doubled, in another order, of another transaction or with other flags; all whole. */
    private static byte[] shuffleBlocks(byte[] bytes, Random random) {
        List<byte[]> blocks = blocks(bytes);
        if (blocks.isEmpty()) {
            return bytes;
        }
        int one = random.nextInt(blocks.size());
        int other = random.nextInt(blocks.size());
        switch (random.nextInt(5)) {
            case 0 -> blocks.remove(one);
            case 1 -> blocks.add(other, blocks.get(one).clone());
            case 2 -> Collections.swap(blocks, one, other);
            case 3 -> System.arraycopy(blocks.get(other), 0, blocks.get(one), 0, 8);
            default -> blocks.get(one)[10] = (byte) random.nextInt(5);
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(bytes, 0, HEADER);
        blocks.forEach(out::writeBytes);
        return out.toByteArray();
    }

    /** The blocks as far as they can be made out. */
    private static List<byte[]> blocks(byte[] bytes) {
        List<byte[]> blocks = new ArrayList<>();
        ByteBuffer view = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        int at = HEADER;
        while (bytes.length - at >= BLOCK) {
            long length = BLOCK + Integer.toUnsignedLong(view.getInt(at + 12));
            if (length > bytes.length - at) {
                break;
            }
            blocks.add(Arrays.copyOfRange(bytes, at, at + (int) length));
            at += (int) length;
        }
        return blocks;
    }

    // ------------------------------------------------------------------------------------------------ prefixes

    /** A file that is being copied: its header tells the whole length. */
    @Test
    void noPrefixOfASegmentGivesAnEvent() throws IOException {
        for (Source source : shortest(3)) {
            byte[] whole = source.bytes().clone();
            setSequence(whole);
            Path file = scratch.resolve(NAME);
            for (int length = 0; length < whole.length; length++) {
                Files.write(file, Arrays.copyOf(whole, length));
                Outcome outcome = capture(scratch, source.catalogs(), whole.length);
                assertThat(outcome.events())
                        .as("%d bytes of %s", length, source.name())
                        .isEmpty();
                assertThat(outcome.error()).isEmpty();
            }
        }
    }

    /** A file that was cut off and says that it is whole. */
    @Test
    void aPrefixThatClaimsToBeWholeGivesNoEventThatTheWholeDoesNot() throws IOException {
        for (Source source : shortest(6)) {
            byte[] whole = source.bytes().clone();
            setSequence(whole);
            Path file = scratch.resolve(NAME);
            Files.write(file, whole);
            List<String> all = capture(scratch, source.catalogs(), whole.length).events();
            for (int length = HEADER; length < whole.length; length++) {
                byte[] cut = Arrays.copyOf(whole, length);
                ByteBuffer.wrap(cut).order(ByteOrder.LITTLE_ENDIAN).putLong(40, length);
                Files.write(file, cut);
                List<String> events =
                        capture(scratch, source.catalogs(), length).events();
                assertThat(events)
                        .as("%d bytes of %s", length, source.name())
                        .isEqualTo(all.subList(0, Math.min(all.size(), events.size())));
            }
        }
    }

    private List<Source> shortest(int count) {
        return sources().stream()
                .sorted((a, b) -> Integer.compare(a.bytes().length, b.bytes().length))
                .limit(count)
                .toList();
    }
}
