package org.firebirdcdc.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.firebirdcdc.testing.Captures.texts;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.firebirdcdc.testing.Captures;
import org.firebirdcdc.testing.Corpus;
import org.firebirdcdc.testing.Corpus.Recording;
import org.firebirdcdc.testing.MemoryCheckpointStore;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A crash of the server makes it write segment numbers again that were read already (segment-format.md 1.5). */
class CrashNumbersReusedTest {

    private static final Recording REUSED = Corpus.recording("fb40/11b-crash-numbers-reused");

    @TempDir
    Path directory;

    private final MemoryCheckpointStore store = new MemoryCheckpointStore();
    private List<String> expected;

    @BeforeEach
    void expected(@TempDir Path other) {
        Corpus.copy(REUSED.folder().resolve("segments"), other);
        List<String> numbers = new ArrayList<>();
        REUSED.expected()
                .get("transactions")
                .forEach(t -> numbers.add(t.get("tra").asText()));
        try (JournalCapture capture = Captures.open(other, REUSED.catalogs(), new MemoryCheckpointStore())) {
            expected = texts(capture);
        }
        assertThat(expected.stream().map(t -> t.substring(0, t.indexOf(':'))).toList())
                .isEqualTo(numbers);
        Corpus.copy(REUSED.folder().resolve("segments-before-kill"), directory);
    }

    private JournalCapture open(Processed processed) {
        return Captures.open(
                new TestSettings(directory).processed(processed).settings(),
                Captures.events(),
                REUSED.catalogs(),
                store);
    }

    private void secondLife(String name) throws IOException {
        Path file = directory.resolve(name);
        Files.copy(REUSED.folder().resolve("segments").resolve(name), file, StandardCopyOption.REPLACE_EXISTING);
        Files.setLastModifiedTime(file, FileTime.fromMillis(System.currentTimeMillis() + 1000));
    }

    private static List<String> names() {
        try (Stream<Path> files = Files.list(REUSED.folder().resolve("segments"))) {
            return files.map(p -> p.getFileName().toString()).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Files that differ between the two moments. */
    private static List<String> overwritten() throws IOException {
        List<String> names = new ArrayList<>();
        for (String name : names()) {
            Path before = REUSED.folder().resolve("segments-before-kill").resolve(name);
            if (!Files.exists(before)
                    || Files.mismatch(
                                    before, REUSED.folder().resolve("segments").resolve(name))
                            >= 0) {
                names.add(name);
            }
        }
        return names;
    }

    @ParameterizedTest
    @EnumSource(Processed.class)
    void theSecondLifeIsReadWhileCaptureRuns(Processed processed) throws IOException {
        List<String> seen = new ArrayList<>();
        try (JournalCapture capture = open(processed)) {
            seen.addAll(texts(capture));
            assertThat(seen).as("the first life").hasSizeLessThan(expected.size());
            for (String name : overwritten()) {
                secondLife(name);
            }
            seen.addAll(texts(capture));
            assertThat(capture.status().problem()).isEmpty();
        }
        assertThat(seen).isEqualTo(expected);
    }

    @ParameterizedTest
    @EnumSource(Processed.class)
    void theSecondLifeIsReadAfterARestart(Processed processed) throws IOException {
        List<String> seen = new ArrayList<>();
        try (JournalCapture capture = open(processed)) {
            seen.addAll(texts(capture));
        }
        for (String name : overwritten()) {
            secondLife(name);
        }
        try (JournalCapture capture = open(processed)) {
            seen.addAll(texts(capture));
        }
        assertThat(seen).isEqualTo(expected);
    }

    @ParameterizedTest
    @EnumSource(Processed.class)
    void filesOfTheSecondLifeMayArriveOneByOne(Processed processed) throws IOException {
        List<String> seen = new ArrayList<>();
        for (String name : Stream.concat(Stream.of(""), overwritten().stream()).toList()) {
            if (!name.isEmpty()) {
                secondLife(name);
            }
            try (JournalCapture capture = open(processed)) {
                seen.addAll(texts(capture));
            }
        }
        assertThat(seen).isEqualTo(expected);
    }

    static Stream<List<String>> orders() throws IOException {
        List<String> files = overwritten();
        List<List<String>> all = new ArrayList<>();
        for (int i = 0; i < files.size(); i++) {
            List<String> order = new ArrayList<>(files);
            Collections.rotate(order, i);
            all.add(order);
            List<String> backwards = new ArrayList<>(order);
            Collections.reverse(backwards);
            all.add(backwards);
        }
        return all.stream();
    }

    /** Out of order, parts may come again; the last time that each comes, all is in order. */
    @ParameterizedTest
    @MethodSource("orders")
    void inWhateverOrderFilesArriveNothingIsLostAndNothingOfTheFirstLifeDelivered(List<String> order)
            throws IOException {
        List<String> seen = new ArrayList<>();
        try (JournalCapture capture = open(Processed.KEEP)) {
            seen.addAll(texts(capture));
            for (String name : order) {
                secondLife(name);
                seen.addAll(texts(capture));
            }
        }
        List<String> lastTimes = new ArrayList<>();
        seen.forEach(text -> {
            lastTimes.remove(text);
            lastTimes.add(text);
        });
        assertThat(lastTimes).isEqualTo(expected);
    }

    @Test
    void whatIsInFlightWhenTheJournalIsRewoundIsNotLost() throws IOException {
        List<String> seen = new ArrayList<>();
        try (JournalCapture capture = open(Processed.KEEP)) {
            // the committed transaction of the first life is handed over and never reported done
            capture.next().orElseThrow();
            while (capture.next().isPresent()) {
                // the rest of the first life, too
            }
            for (String name : overwritten()) {
                secondLife(name);
            }
            while (capture.next().isPresent()) {
                // handed over, and the process dies before anything is done
            }
        }
        try (JournalCapture capture = open(Processed.KEEP)) {
            seen.addAll(texts(capture));
        }
        assertThat(seen).isEqualTo(expected);
    }

    @Test
    void leftOversOfTheFirstLifeAreNoPartOfTheSecond() throws IOException {
        // all of the second life, but its last files: behind it stand left-overs
        List<String> files = overwritten();
        assertThat(files).hasSizeGreaterThan(1);
        for (String name : files.subList(0, files.size() - 1)) {
            secondLife(name);
        }
        List<String> seen = new ArrayList<>();
        try (JournalCapture capture = open(Processed.KEEP)) {
            seen.addAll(texts(capture));
            assertThat(seen).isEqualTo(expected.subList(0, seen.size())).hasSizeLessThan(expected.size());
            secondLife(files.get(files.size() - 1));
            seen.addAll(texts(capture));
        }
        assertThat(seen).isEqualTo(expected);
    }
}
