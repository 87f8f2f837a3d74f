package org.firebirdcdc.capture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.stream.Stream;
import org.firebirdcdc.testing.Captures;
import org.firebirdcdc.testing.ChangeRuns;
import org.firebirdcdc.testing.Corpus;
import org.firebirdcdc.testing.Corpus.Recording;
import org.firebirdcdc.testing.MemoryCheckpointStore;
import org.firebirdcdc.transaction.ChangeEvent;
import org.firebirdcdc.transaction.JournalEvent;
import org.firebirdcdc.transaction.JournalTransaction;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a second, independent reader made of the recordings is what we make of them. */
class RecordingsTest {

    static Stream<Recording> recordings() {
        return Corpus.recordings().stream().filter(r -> !r.name().contains("07-ddl"));
    }

    @ParameterizedTest
    @MethodSource("recordings")
    void committedTransactionsComeInCommitOrderWithTheirChanges(Recording recording, @TempDir Path scratch) {
        ChangeRuns actual = new ChangeRuns();
        try (JournalCapture capture =
                Captures.open(recording.segments(scratch), recording.catalogs(), new MemoryCheckpointStore())) {
            for (JournalTransaction transaction : Captures.drain(capture)) {
                for (JournalEvent event : transaction) {
                    if (event instanceof ChangeEvent change) {
                        actual.add(
                                transaction.info().number(),
                                change.operation(),
                                change.table().toString());
                    }
                }
            }
        }
        ChangeRuns.Expected expected = ChangeRuns.expected(recording.expected());
        assertThat(actual.counts()).isEqualTo(expected.counts());
        assertThat(actual.transactions()).hasSize(expected.transactionCount());
        expected.transactions()
                .ifPresent(transactions -> assertThat(actual.transactions()).isEqualTo(transactions));
    }
}
