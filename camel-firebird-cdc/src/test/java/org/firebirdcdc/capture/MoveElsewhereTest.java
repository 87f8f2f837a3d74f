package org.firebirdcdc.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.firebirdcdc.testing.SegmentBuilder.segment;
import static org.firebirdcdc.testing.SmallTables.T;
import static org.firebirdcdc.testing.SmallTables.row;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.stream.Stream;
import org.firebirdcdc.testing.Captures;
import org.firebirdcdc.testing.LogCapture;
import org.firebirdcdc.testing.MemoryCheckpointStore;
import org.firebirdcdc.testing.SegmentBuilder;
import org.firebirdcdc.testing.SmallTables;
import org.firebirdcdc.testing.Tmpfs;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Finished segments are moved to another file system. */
class MoveElsewhereTest {

    @TempDir
    Path home;

    private final MemoryCheckpointStore store = new MemoryCheckpointStore();
    private Path done;
    private Tmpfs disk;

    @BeforeEach
    void mount() {
        done = home.resolve("done");
        disk = Tmpfs.mount(done, "64k");
    }

    @AfterEach
    void unmount() {
        disk.close();
    }

    private Path directory() {
        return home.resolve("segments");
    }

    private static SegmentBuilder small(long sequence) {
        return segment(sequence).committed(100 + sequence, o -> o.insert(T, row((int) sequence)));
    }

    private JournalCapture open() {
        return Captures.open(
                new TestSettings(directory()).moveTo(done).settings(),
                Captures.events(),
                List.of(SmallTables.catalog()),
                store);
    }

    private static List<String> names(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(f -> f.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void theyArriveWholeWithTheirTimeAndNothingElseIsLeft() throws IOException {
        FileTime time = FileTime.fromMillis(1_700_000_000_000L);
        Files.setLastModifiedTime(small(1).write(directory()), time);
        try (JournalCapture capture = open()) {
            assertThat(Captures.drain(capture)).hasSize(1);
        }
        assertThat(names(directory())).isEmpty();
        assertThat(names(done)).containsExactly(small(1).fileName());
        Path moved = done.resolve(small(1).fileName());
        assertThat(moved).hasBinaryContent(small(1).bytes());
        assertThat(Files.getLastModifiedTime(moved)).isEqualTo(time);
    }

    @Test
    void whereverAKillInterruptedTheMoveItIsFinishedAtTheNextStart() throws IOException {
        // two are killed while they copy and before they delete the original
        Files.write(done.resolve("." + small(1).fileName() + ".tmp"), new byte[] {1, 2, 3});
        small(2).write(done);
        small(1).write(directory());
        small(2).write(directory());
        try (JournalCapture capture = open()) {
            assertThat(Captures.drain(capture)).hasSize(2);
        }
        assertThat(names(directory())).isEmpty();
        assertThat(names(done)).containsExactly(small(1).fileName(), small(2).fileName());
        assertThat(done.resolve(small(1).fileName())).hasBinaryContent(small(1).bytes());
    }

    @Test
    void onAFullDiskTheyStayAndNoHalfCopyIsInTheWay() throws IOException {
        small(1).write(directory());
        try (LogCapture log = LogCapture.of(SegmentDisposal.class);
                JournalCapture capture = open()) {
            disk.fill("filler");
            assertThat(Captures.drain(capture)).hasSize(1);
            assertThat(names(directory())).containsExactly(small(1).fileName());
            assertThat(names(done)).containsExactly("filler");
            assertThat(log.warnings()).hasSize(1).first().asString().contains("cannot be removed", "journal-000000001");
            Files.delete(done.resolve("filler"));
            small(2).write(directory());
            assertThat(Captures.drain(capture)).hasSize(1);
            assertThat(names(directory())).isEmpty();
            assertThat(names(done)).containsExactly(small(1).fileName(), small(2).fileName());
        }
    }
}
