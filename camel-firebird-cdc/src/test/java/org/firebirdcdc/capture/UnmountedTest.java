package org.firebirdcdc.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.firebirdcdc.testing.SegmentBuilder.segment;
import static org.firebirdcdc.testing.SmallTables.T;
import static org.firebirdcdc.testing.SmallTables.row;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.firebirdcdc.checkpoint.CheckpointException;
import org.firebirdcdc.checkpoint.FileCheckpointStore;
import org.firebirdcdc.journal.JournalPosition;
import org.firebirdcdc.schema.SchemaHistory;
import org.firebirdcdc.testing.Captures;
import org.firebirdcdc.testing.SegmentBuilder;
import org.firebirdcdc.testing.SmallTables;
import org.firebirdcdc.testing.Tmpfs;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** File systems that are not mounted: an empty directory is seen where something else should be. */
class UnmountedTest {

    @TempDir
    Path home;

    private Path directory;
    private Tmpfs mounted;
    /** The same file system elsewhere, so that it outlives the unmounting. */
    private Tmpfs elsewhere;

    @BeforeEach
    void mount() {
        directory = home.resolve("mounted");
        mounted = Tmpfs.mount(directory, "1m");
        elsewhere = mounted.alsoAt(home.resolve("elsewhere"));
    }

    @AfterEach
    void unmount() {
        mounted.close();
        if (elsewhere != null) {
            elsewhere.close();
        }
    }

    private JournalCapture open(Path segments, Path checkpoints, String startFrom) {
        CaptureSettings settings = new TestSettings(segments)
                .checkpointInterval(Duration.ZERO)
                .startFrom(startFrom)
                .settings();
        return new JournalCapture(
                settings,
                Captures.events(),
                new SchemaHistory(List.of(SmallTables.catalog()), Optional.empty()),
                new FileCheckpointStore(checkpoints));
    }

    private static SegmentBuilder small(long sequence) {
        return segment(sequence).committed(100 + sequence, o -> o.insert(T, row((int) sequence)));
    }

    private static List<Long> drain(JournalCapture capture) {
        return Captures.drain(capture).stream().map(t -> t.info().number()).toList();
    }

    @Test
    void aDirectoryThatIsUnmountedIsAnErrorUntilItIsBack() {
        small(1).write(directory);
        try (JournalCapture capture = open(directory, home.resolve("checkpoint"), "earliest")) {
            assertThat(drain(capture)).containsExactly(101L);
            mounted.unmount();
            for (int poll = 0; poll < 2; poll++) {
                assertThatThrownBy(capture::next)
                        .hasMessageContaining(directory.toString())
                        .hasMessageContaining("check that it is mounted");
            }
            mounted.mountAgainFrom(elsewhere);
            assertThat(drain(capture)).isEmpty();
            small(2).write(directory);
            assertThat(drain(capture)).containsExactly(102L);
        }
    }

    @Test
    void aDirectoryThatIsMadeAnewGoesOnWithTheNextSegment() throws IOException {
        Path plain = home.resolve("plain");
        small(1).write(plain);
        try (JournalCapture capture = open(plain, home.resolve("checkpoint"), "earliest")) {
            assertThat(drain(capture)).containsExactly(101L);
            Files.move(plain, home.resolve("away"));
            Files.createDirectory(plain);
            assertThatThrownBy(capture::next).hasMessageContaining("another directory");
            small(2).write(plain);
            assertThat(drain(capture)).containsExactly(102L);
        }
    }

    @Test
    void aStartBeforeTheMountDoesNotForgetTheCheckpointInIt() {
        small(1).write(directory);
        small(2).write(directory);
        try (JournalCapture capture = open(directory, directory, "earliest")) {
            assertThat(drain(capture)).containsExactly(101L, 102L);
        }
        mounted.unmount();
        small(3).write(home.resolve("elsewhere"));
        try (JournalCapture capture = open(directory, directory, "latest")) {
            assertThat(drain(capture)).isEmpty();
            mounted.mountAgainFrom(elsewhere);
            assertThat(drain(capture)).containsExactly(103L);
        }
    }

    @Test
    void nothingIsWrittenWhereTheCheckpointsAreNotMounted() {
        Path segments = home.resolve("segments");
        small(1).write(segments);
        try (JournalCapture capture = open(segments, directory, "earliest")) {
            assertThat(drain(capture)).containsExactly(101L);
            small(2).write(segments);
            Delivery second = capture.next().orElseThrow();
            mounted.unmount();
            assertThatThrownBy(() -> capture.done(second))
                    .isInstanceOf(CheckpointException.class)
                    .hasMessageContaining("Check that it is mounted");
            assertThat(directory).isEmptyDirectory();
            mounted.mountAgainFrom(elsewhere);
            capture.flush();
            assertThat(drain(capture)).isEmpty();
        }
        assertThat(new FileCheckpointStore(directory)
                        .load(SegmentBuilder.GUID)
                        .orElseThrow()
                        .position())
                .isEqualTo(new JournalPosition(3, 0));
    }
}
