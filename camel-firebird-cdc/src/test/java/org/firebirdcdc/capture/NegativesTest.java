package org.firebirdcdc.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.firebirdcdc.journal.JournalFormatException;
import org.firebirdcdc.testing.Captures;
import org.firebirdcdc.testing.Corpus;
import org.firebirdcdc.testing.Corpus.Recording;
import org.firebirdcdc.testing.EventText;
import org.firebirdcdc.testing.LogCapture;
import org.firebirdcdc.testing.MemoryCheckpointStore;
import org.firebirdcdc.transaction.UnknownTransactionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Damaged and odd directories: each gives its verdict, and never more than what is sound. */
class NegativesTest {

    private static final Recording NEGATIVES = Corpus.recording("fb40/15-negatives");

    private record Outcome(List<String> delivered, Optional<Throwable> error, CaptureStatus status) {}

    static Stream<String> cases() {
        return StreamSupport.stream(NEGATIVES.json("cases.json").spliterator(), false)
                .map(c -> c.get("case").asText());
    }

    private static JsonNode named(String name) {
        return StreamSupport.stream(NEGATIVES.json("cases.json").spliterator(), false)
                .filter(c -> c.get("case").asText().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** The files as they are pointed at; the case without files is not in the repository. */
    private static Path files(String name, Path scratch) throws IOException {
        Path folder = NEGATIVES.folder().resolve("cases").resolve(name);
        Path copy = Files.createDirectories(scratch.resolve(name));
        if (Files.isDirectory(folder)) {
            Corpus.copyTree(folder, copy);
        }
        return copy;
    }

    private static Outcome capture(Path directory, CaptureSettings settings) {
        List<String> delivered = new ArrayList<>();
        try (JournalCapture capture =
                Captures.open(settings, Captures.events(), NEGATIVES.catalogs(), new MemoryCheckpointStore())) {
            Throwable error = catchThrowable(() -> take(capture, delivered));
            // a second look says the same and gives nothing more
            int before = delivered.size();
            Throwable again = catchThrowable(() -> take(capture, delivered));
            assertThat(delivered).hasSize(before);
            if (error == null) {
                assertThat(again).isNull();
            } else {
                assertThat(again).hasSameClassAs(error).hasMessage(error.getMessage());
            }
            return new Outcome(delivered, Optional.ofNullable(error), capture.status());
        }
    }

    private static void take(JournalCapture capture, List<String> delivered) {
        for (Optional<Delivery> next = capture.next(); next.isPresent(); next = capture.next()) {
            delivered.add(EventText.of(next.get().transaction().orElseThrow()));
            capture.done(next.get());
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void eachCaseGivesItsVerdictAndNeverMoreThanIsSound(String name, @TempDir Path scratch) throws IOException {
        JsonNode expected = named(name);
        Path directory = files(name, scratch);
        Outcome outcome = capture(directory, CaptureSettings.of(directory));

        assertThat(outcome.delivered().size())
                .isBetween(
                        expected.get("at_least").asInt(),
                        expected.get("transactions").asInt());
        List<String> whole = capture(
                        files("00-sound", scratch.resolve("sound")),
                        CaptureSettings.of(scratch.resolve("sound").resolve("00-sound")))
                .delivered();
        int count = outcome.delivered().size();
        // what is missing is missing at the end; where the beginning was purged, at the beginning
        assertThat(outcome.delivered())
                .isEqualTo(
                        name.startsWith("33")
                                ? whole.subList(whole.size() - count, whole.size())
                                : whole.subList(0, count));
        switch (expected.get("verdict").asText()) {
            case "all", "foreign" -> {
                assertThat(outcome.error()).isEmpty();
                assertThat(outcome.status().problem()).isEmpty();
            }
            case "wait" -> {
                assertThat(outcome.error()).isEmpty();
                assertThat(outcome.status().problem().isPresent()).isEqualTo(name.startsWith("22"));
            }
            case "gap" -> {
                assertThat(outcome.error()).isEmpty();
                assertThat(outcome.status().problem().orElseThrow())
                        .contains("segment 4")
                        .contains("later ones are there (next: 5)");
            }
            case "corrupt" -> {
                Throwable error = outcome.error().orElseThrow();
                assertThat(error).isInstanceOfAny(JournalFormatException.class, UnknownTransactionException.class);
                assertThat(error.getMessage()).contains("segment ", "offset ", "customers.fdb.journal-");
            }
            default -> throw new IllegalStateException(expected.toString());
        }
    }

    @Test
    void otherFilesBesideTheSegmentsAreNotWorthAWord(@TempDir Path scratch) throws IOException {
        Path directory = files("34-odd-names", scratch);
        try (LogCapture log = LogCapture.of(JournalCapture.class)) {
            assertThat(capture(directory, CaptureSettings.of(directory)).delivered())
                    .hasSize(14);
            assertThat(log.warnings()).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("gaps")
    void aGapIsAnErrorIfSoConfigured(String name, @TempDir Path scratch) throws IOException {
        Path directory = files(name, scratch);
        Outcome outcome =
                capture(directory, new TestSettings(directory).onGap(OnGap.FAIL).settings());
        assertThat(outcome.delivered()).hasSize(6);
        assertThat(outcome.error().orElseThrow())
                .isInstanceOfSatisfying(
                        CaptureException.class, e -> assertThat(e.reason()).isEqualTo(CaptureException.Reason.GAP))
                .hasMessageContaining("segment 4");
    }

    static Stream<String> gaps() {
        return cases().filter(c -> named(c).get("verdict").asText().equals("gap"));
    }
}
