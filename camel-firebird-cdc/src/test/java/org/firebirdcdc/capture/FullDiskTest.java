package org.firebirdcdc.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.firebirdcdc.testing.SegmentBuilder.segment;
import static org.firebirdcdc.testing.SmallTables.T;
import static org.firebirdcdc.testing.SmallTables.row;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.firebirdcdc.checkpoint.Checkpoint;
import org.firebirdcdc.checkpoint.CheckpointException;
import org.firebirdcdc.checkpoint.FileCheckpointStore;
import org.firebirdcdc.journal.JournalPosition;
import org.firebirdcdc.testing.Captures;
import org.firebirdcdc.testing.SegmentBuilder;
import org.firebirdcdc.testing.SmallTables;
import org.firebirdcdc.testing.Tmpfs;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The disk of the checkpoint is full. */
class FullDiskTest {

    /** Their marks make a checkpoint of several pages. */
    private static final int SEGMENTS = 40;

    @TempDir
    Path home;

    private Path place;
    private Tmpfs disk;

    @BeforeEach
    void mount() {
        place = home.resolve("checkpoint");
        disk = Tmpfs.mount(place, "64k");
    }

    @AfterEach
    void unmount() {
        disk.close();
    }

    private Path directory() {
        return home.resolve("segments");
    }

    private Checkpoint checkpoint() {
        return new FileCheckpointStore(place).load(SegmentBuilder.GUID).orElseThrow();
    }

    private List<String> files() throws IOException {
        try (Stream<Path> files = Files.list(place)) {
            return files.map(f -> f.getFileName().toString()).sorted().toList();
        }
    }

    @ParameterizedTest(name = "{0} bytes free")
    @ValueSource(ints = {0, 4096})
    void theFormerCheckpointStaysUntilThereIsSpace(int free) throws IOException {
        for (int i = 1; i <= SEGMENTS; i++) {
            segment(i).committed(i, insert(i)).write(directory());
        }
        try (JournalCapture capture = Captures.open(
                new TestSettings(directory()).checkpointInterval(Duration.ZERO).settings(),
                Captures.events(),
                List.of(SmallTables.catalog()),
                new FileCheckpointStore(place))) {
            assertThat(Captures.drain(capture)).hasSize(SEGMENTS);
            Checkpoint before = checkpoint();
            List<String> filesBefore = files();
            segment(SEGMENTS + 1)
                    .committed(SEGMENTS + 1, insert(SEGMENTS + 1))
                    .committed(SEGMENTS + 2, insert(SEGMENTS + 2))
                    .write(directory());
            Delivery next = capture.next().orElseThrow();
            disk.fill("filler");
            try (RandomAccessFile filler =
                    new RandomAccessFile(place.resolve("filler").toFile(), "rw")) {
                filler.setLength(filler.length() - free);
            }

            for (int attempt = 0; attempt < 2; attempt++) {
                assertThatThrownBy(() -> {
                            capture.done(next);
                            capture.flush();
                        })
                        .isInstanceOf(CheckpointException.class)
                        .hasMessageContaining("cannot be written")
                        .hasMessageContaining("check free space");
                assertThat(checkpoint()).isEqualTo(before);
            }
            Files.delete(place.resolve("filler"));
            assertThat(files()).isEqualTo(filesBefore);

            capture.flush();
            assertThat(checkpoint().position()).isEqualTo(next.next().position());
            // nothing is repeated, nothing is left out
            assertThat(Captures.drain(capture))
                    .extracting(t -> t.info().number())
                    .containsExactly(SEGMENTS + 2L);
            assertThat(checkpoint().position()).isEqualTo(new JournalPosition(SEGMENTS + 2, 0));
        }
    }

    private static Consumer<SegmentBuilder.Operations> insert(int id) {
        return o -> o.insert(T, row(id));
    }
}
