package org.firebirdcdc.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.firebirdcdc.schema.Catalog;
import org.firebirdcdc.schema.CatalogSource;
import org.firebirdcdc.schema.MetadataException;
import org.firebirdcdc.testing.Captures;
import org.firebirdcdc.testing.Corpus;
import org.firebirdcdc.testing.Corpus.Recording;
import org.firebirdcdc.testing.MemoryCheckpointStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Capture that is started while the database that knows the metadata is down. */
class DatabaseDownTest {

    private static final Recording RECORDING = Corpus.recording("fb40/15-negatives");
    private static final CatalogSource DOWN = () -> {
        throw new MetadataException("the server is down");
    };

    @TempDir
    private Path directory;

    private final MemoryCheckpointStore store = new MemoryCheckpointStore();

    private int drain(CatalogSource database) {
        Metadata metadata = Metadata.of(List.of(), Optional.of(database));
        try (JournalCapture capture =
                new JournalCapture(CaptureSettings.of(directory), Captures.events(), metadata.history(), store)) {
            return Captures.drain(capture).size();
        }
    }

    private void arrive(int segment) throws IOException {
        String name = "customers.fdb.journal-00000000" + segment;
        Files.copy(RECORDING.segments(directory).resolve(name), directory.resolve(name));
    }

    @Test
    void whatAnEarlierRunHasLearntGoesOnStreaming() throws IOException {
        Catalog catalog = RECORDING.catalogs().get(0);
        arrive(1);
        arrive(2);
        int first = drain(() -> catalog);
        arrive(3);
        arrive(4);
        arrive(5);
        assertThat(first).isPositive();
        assertThat(first + drain(DOWN)).isEqualTo(14);
    }

    @Test
    void withoutAnEarlierRunItWaitsForTheDatabase() throws IOException {
        arrive(1);
        assertThatThrownBy(() -> drain(DOWN))
                .isInstanceOf(MetadataException.class)
                .hasMessageContaining("is down");
        Catalog catalog = RECORDING.catalogs().get(0);
        assertThat(drain(() -> catalog)).isPositive();
    }
}
