package org.firebirdcdc.capture;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.firebirdcdc.record.Row;
import org.firebirdcdc.testing.Captures;
import org.firebirdcdc.testing.Corpus;
import org.firebirdcdc.testing.Corpus.Recording;
import org.firebirdcdc.testing.MemoryCheckpointStore;
import org.firebirdcdc.testing.RebuiltTables;
import org.firebirdcdc.testing.TruthForm;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The changes of a recording, applied in order to empty tables, give what the server had at its end. */
class RebuiltRecordingsTest {

    /** Tables that are not published, or kept out by a filter. */
    private static final Map<String, Set<String>> NOT_IN_THE_JOURNAL =
            Map.of("fb40/14-filters", Set.of("KEEP_SECRET", "OTHER", "KEEP_UNPUBLISHED", "KEEP_LATER"));

    /** Rows that the database undid and the journal did not (segment-format.md 5.5). */
    private static final Map<String, Set<Integer>> NOT_UNDONE =
            Map.of("fb40/05b-savepoint-defect", Set.of(10, 20, 30), "fb50/05b-savepoint-defect", Set.of(30));

    static Stream<Recording> recordings() {
        return Corpus.recordings().stream().filter(r -> !r.name().contains("07-ddl"));
    }

    @ParameterizedTest
    @MethodSource("recordings")
    void tablesRebuiltFromTheChangesAreThoseOfTheServer(Recording recording, @TempDir Path scratch) {
        RebuiltTables<Row> rebuilt = rebuild(recording, scratch);
        JsonNode truth = recording.truth().get("tables");
        Set<String> absent = NOT_IN_THE_JOURNAL.getOrDefault(recording.name(), Set.of());
        Set<Integer> tooMany = NOT_UNDONE.getOrDefault(recording.name(), Set.of());

        Map<String, List<Row>> rows = byName(rebuilt);
        Map<String, List<String>> wrong = new LinkedHashMap<>();
        truth.properties().stream()
                .filter(table -> !absent.contains(table.getKey()))
                .forEach(table -> {
                    List<Row> its = rows.getOrDefault(table.getKey(), List.of()).stream()
                            .filter(row -> tooMany.isEmpty() || !tooMany.contains(row.getInt("ID")))
                            .toList();
                    List<String> differences = TruthForm.differences(table.getValue(), its);
                    if (!differences.isEmpty()) {
                        wrong.put(table.getKey(), differences);
                    }
                });

        assertThat(wrong).isEmpty();
        assertThat(rows.getOrDefault("MARKS", List.of()).stream()
                        .map(row -> row.getInt("ID"))
                        .filter(tooMany::contains))
                .hasSameSizeAs(tooMany);
        assertThat(rebuilt.differences()).isEmpty();
        assertThat(truth.properties().stream().map(Map.Entry::getKey)).containsAll(rows.keySet());
        assertThat(rows).doesNotContainKeys(absent.toArray(String[]::new));
    }

    @ParameterizedTest
    @ValueSource(strings = {"fb40/02-types", "fb50/02-types", "fb60/02-types"})
    void arraysOfTheFinalRowsAreThoseOfTheServer(String name, @TempDir Path scratch) {
        Recording recording = Corpus.recording(name);
        Map.Entry<String, JsonNode> expected =
                recording.json("arrays.json").properties().iterator().next();
        Map<Integer, Row> rows = byName(rebuild(recording, scratch)).get(expected.getKey()).stream()
                .collect(Collectors.toMap(row -> row.getInt("ID"), Function.identity()));

        JsonNode last = expected.getValue().get("final");
        assertThat(rows).hasSize(last.size());
        last.properties().forEach(row -> row.getValue().properties().forEach(column -> {
            Row actual = rows.get(Integer.parseInt(row.getKey()));
            assertThat(
                            actual.isNull(column.getKey())
                                    ? "null"
                                    : actual.getArray(column.getKey()).nested())
                    .as("row %s column %s", row.getKey(), column.getKey())
                    .hasToString(column.getValue().toString().replace("\"", "").replace(",", ", "));
        }));
    }

    private static RebuiltTables<Row> rebuild(Recording recording, Path scratch) {
        RebuiltTables<Row> rebuilt = new RebuiltTables<>(Function.identity());
        try (JournalCapture capture =
                Captures.open(recording.segments(scratch), recording.catalogs(), new MemoryCheckpointStore())) {
            Captures.drain(capture).forEach(rebuilt::apply);
        }
        return rebuilt;
    }

    private static Map<String, List<Row>> byName(RebuiltTables<Row> rebuilt) {
        return rebuilt.rows().entrySet().stream()
                .collect(Collectors.toMap(table -> table.getKey().toString(), Map.Entry::getValue));
    }
}
