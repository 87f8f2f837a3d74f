package org.firebirdcdc.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import org.firebirdcdc.journal.JournalFormatException;
import org.firebirdcdc.testing.Captures;
import org.firebirdcdc.testing.Corpus;
import org.firebirdcdc.testing.Corpus.Recording;
import org.firebirdcdc.testing.MemoryCheckpointStore;
import org.junit.jupiter.api.Test;

/** Files that are not simply complete segments under their own names. */
class OddFilesTest {

    private static final Recording NEGATIVES = Corpus.recording("fb40/15-negatives");

    @Test
    void segmentInUseIsLeftToTheServer() {
        try (JournalCapture capture = open(settings("21-state-used", false))) {
            assertThat(Captures.drain(capture)).hasSize(11);
            assertThat(capture.status().note())
                    .hasValueSatisfying(note -> assertThat(note).contains("segment 5", "in use"));
        }
    }

    @Test
    void segmentInUseIsReadAsFarAsItGoesIfThatIsWanted() {
        try (JournalCapture capture = open(settings("21-state-used", true))) {
            assertThat(Captures.drain(capture)).hasSize(14);
        }
    }

    @Test
    void freeSegmentsAreNeverRead() {
        try (JournalCapture capture = open(settings("22-state-free", true))) {
            assertThat(Captures.drain(capture)).isEmpty();
        }
    }

    @Test
    void renamedCopyOfASegmentThatWasReadIsIgnored() {
        try (JournalCapture capture = open(settings("10-duplicate-sequence", false))) {
            assertThat(Captures.drain(capture)).hasSize(14);
            assertThat(capture.next()).isEmpty();
        }
    }

    @Test
    void fileWhoseHeaderHoldsAnotherNumberIsAnErrorUnlessItIsACopy() {
        try (JournalCapture capture = open(settings("11-name-and-header-differ", false))) {
            assertThatThrownBy(() -> Captures.drain(capture))
                    .isInstanceOf(JournalFormatException.class)
                    .hasMessageContaining("the name says segment 4, the header says 10");
        }
    }

    private static JournalCapture open(CaptureSettings settings) {
        return Captures.open(settings, Captures.events(), NEGATIVES.catalogs(), new MemoryCheckpointStore());
    }

    private static CaptureSettings settings(String oddCase, boolean readInUse) {
        Path directory = NEGATIVES.folder().resolve("cases").resolve(oddCase);
        return new CaptureSettings(
                directory,
                Optional.empty(),
                StartFrom.EARLIEST,
                Duration.ZERO,
                Processed.KEEP,
                directory,
                OnGap.WAIT,
                UnknownTransaction.FAIL,
                Optional.empty(),
                Clock.systemUTC(),
                readInUse);
    }
}
