package org.firebirdcdc.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import org.firebirdcdc.journal.JournalFormatException;
import org.firebirdcdc.journal.JournalPosition;
import org.firebirdcdc.journal.SegmentDirectory;
import org.firebirdcdc.journal.SegmentFile;
import org.firebirdcdc.journal.SegmentHeader;
import org.firebirdcdc.journal.SegmentReader;
import org.firebirdcdc.journal.SegmentState;
import org.firebirdcdc.testing.Captures;
import org.firebirdcdc.testing.Corpus;
import org.firebirdcdc.testing.Corpus.Recording;
import org.firebirdcdc.testing.MemoryCheckpointStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that are not simply complete segments under their own names. */
class OddFilesTest {

    private static final Recording NEGATIVES = Corpus.recording("fb40/15-negatives");

    @Test
    void segmentInUseIsReadAsFarAsItGoesAndOnWhenItHasGrown(@TempDir Path directory) throws IOException {
        Path whole = NEGATIVES.folder().resolve("cases").resolve("21-state-used");
        Corpus.copyTree(whole, directory);
        Path newest = directory.resolve("customers.fdb.journal-000000005");
        byte[] bytes = Files.readAllBytes(newest);
        int firstPart = endOfBlock(SegmentDirectory.inspect(newest).segment().orElseThrow(), 3);
        Files.write(newest, withLength(bytes, firstPart));
        MemoryCheckpointStore store = new MemoryCheckpointStore();
        int delivered;
        try (JournalCapture capture = open(settings(directory), store)) {
            delivered = Captures.drain(capture).size();
            assertThat(delivered).isBetween(11, 13);
            assertThat(capture.status().note())
                    .hasValueSatisfying(note -> assertThat(note).contains("segment 5", "still in use"));
            assertThat(capture.next()).isEmpty();
            Files.write(newest, withLength(bytes, bytes.length));
            delivered += Captures.drain(capture).size();
            assertThat(delivered).isEqualTo(14);
        }
        // the same file, archived at last, holds nothing new
        bytes[14] = (byte) SegmentState.ARCHIVED.code();
        Files.write(newest, bytes);
        try (JournalCapture capture = open(settings(directory), store)) {
            assertThat(Captures.drain(capture)).isEmpty();
            assertThat(capture.status().position()).isEqualTo(new JournalPosition(6, 0));
        }
    }

    private static int endOfBlock(SegmentFile file, int block) {
        try (SegmentReader reader = SegmentReader.open(file)) {
            for (int i = 0; i < block; i++) {
                reader.nextBlock();
            }
            return (int) reader.blockEnd();
        }
    }

    private static byte[] withLength(byte[] segment, int length) {
        byte[] changed = segment.clone();
        ByteBuffer.wrap(changed).order(ByteOrder.LITTLE_ENDIAN).putLong(40, length);
        return changed;
    }

    @Test
    void segmentInUseThatLosesItsCommitsIsAnError(@TempDir Path directory) throws IOException {
        Corpus.copyTree(NEGATIVES.folder().resolve("cases").resolve("21-state-used"), directory);
        Path newest = directory.resolve("customers.fdb.journal-000000005");
        try (JournalCapture capture = open(settings(directory), new MemoryCheckpointStore())) {
            assertThat(Captures.drain(capture)).hasSize(14);
            Files.write(newest, withLength(Files.readAllBytes(newest), SegmentHeader.SIZE));
            assertThatThrownBy(capture::next)
                    .isInstanceOf(CaptureException.class)
                    .hasMessageContaining("segment 5");
        }
    }

    @Test
    void freeSegmentsAreNeverRead() {
        try (JournalCapture capture = open(settings(odd("22-state-free")))) {
            assertThat(Captures.drain(capture)).isEmpty();
        }
    }

    @Test
    void renamedCopyOfASegmentThatWasReadIsIgnored() {
        try (JournalCapture capture = open(settings(odd("10-duplicate-sequence")))) {
            assertThat(Captures.drain(capture)).hasSize(14);
            assertThat(capture.next()).isEmpty();
        }
    }

    @Test
    void fileWhoseHeaderHoldsAnotherNumberIsAnErrorUnlessItIsACopy() {
        try (JournalCapture capture = open(settings(odd("11-name-and-header-differ")))) {
            assertThatThrownBy(() -> Captures.drain(capture))
                    .isInstanceOf(JournalFormatException.class)
                    .hasMessageContaining("the name says segment 4, the header says 10");
        }
    }

    private static JournalCapture open(CaptureSettings settings) {
        return open(settings, new MemoryCheckpointStore());
    }

    private static JournalCapture open(CaptureSettings settings, MemoryCheckpointStore store) {
        return Captures.open(settings, Captures.events(), NEGATIVES.catalogs(), store);
    }

    private static Path odd(String name) {
        return NEGATIVES.folder().resolve("cases").resolve(name);
    }

    private static CaptureSettings settings(Path directory) {
        return CaptureSettings.of(directory);
    }
}
