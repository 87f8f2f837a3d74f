package org.firebirdcdc.capture;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.firebirdcdc.testing.Captures;
import org.firebirdcdc.testing.Corpus;
import org.firebirdcdc.testing.Corpus.Recording;
import org.firebirdcdc.testing.MemoryCheckpointStore;
import org.firebirdcdc.transaction.ChangeEvent;
import org.firebirdcdc.transaction.JournalEvent;
import org.firebirdcdc.transaction.JournalTransaction;
import org.firebirdcdc.transaction.Operation;
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
        JsonNode expected = recording.expected();
        List<String> actual = new ArrayList<>();
        Map<String, long[]> counts = new TreeMap<>();
        try (JournalCapture capture =
                Captures.open(recording.segments(scratch), recording.catalogs(), new MemoryCheckpointStore())) {
            for (JournalTransaction transaction : Captures.drain(capture)) {
                List<String> runs = runs(transaction, counts);
                if (!runs.isEmpty()) {
                    actual.add(transaction.info().number() + " " + runs);
                }
            }
        }
        assertThat(counts.keySet()).isEqualTo(byTable(expected).keySet());
        byTable(expected)
                .forEach((table, count) ->
                        assertThat(counts.get(table)).as(table).containsExactly(count));
        if (expected.get("transactions").isArray()) {
            assertThat(actual).isEqualTo(transactions(expected));
        } else {
            assertThat(actual)
                    .hasSize(expected.get("committed_transactions_with_row_changes")
                            .asInt());
        }
    }

    private static List<String> runs(JournalTransaction transaction, Map<String, long[]> counts) {
        List<String> runs = new ArrayList<>();
        String last = "";
        int length = 0;
        for (JournalEvent event : transaction) {
            if (event instanceof ChangeEvent change) {
                String run = name(change.operation()) + " " + change.table();
                if (!run.equals(last) && length > 0) {
                    runs.add(last + " " + length);
                    length = 0;
                }
                last = run;
                length++;
                counts.computeIfAbsent(change.table().toString(), t -> new long[3])[
                        change.operation().ordinal()]++;
            }
        }
        if (length > 0) {
            runs.add(last + " " + length);
        }
        return runs;
    }

    private static String name(Operation operation) {
        return switch (operation) {
            case INSERT -> "insert";
            case UPDATE -> "update";
            case DELETE -> "delete";
        };
    }

    private static Map<String, long[]> byTable(JsonNode expected) {
        Map<String, long[]> counts = new TreeMap<>();
        expected.get("by_table")
                .properties()
                .forEach(table -> counts.put(table.getKey(), new long[] {
                    table.getValue().get("insert").asLong(),
                    table.getValue().get("update").asLong(),
                    table.getValue().get("delete").asLong()
                }));
        return counts;
    }

    private static List<String> transactions(JsonNode expected) {
        List<String> all = new ArrayList<>();
        for (JsonNode transaction : expected.get("transactions")) {
            List<String> runs = new ArrayList<>();
            for (JsonNode run : transaction.get("changes")) {
                runs.add(run.get(0).asText() + " " + run.get(1).asText() + " "
                        + run.get(2).asText());
            }
            if (!runs.isEmpty()) {
                all.add(transaction.get("tra").asText() + " " + runs);
            }
        }
        return all;
    }
}
