package org.firebirdcdc.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.firebirdcdc.schema.Catalog;
import org.firebirdcdc.schema.Column;
import org.firebirdcdc.testing.ChangeRuns;
import org.firebirdcdc.testing.Corpus;
import org.firebirdcdc.testing.Corpus.Recording;
import org.firebirdcdc.transaction.Operation;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code events} prints of the recordings is what was done to the databases. */
class EventsRecordingsTest {

    @TempDir
    Path scratch;

    static Stream<Recording> recordings() {
        return Corpus.recordings().stream().filter(r -> !r.name().contains("07-ddl"));
    }

    @ParameterizedTest
    @MethodSource("recordings")
    void everyChangeOfCommittedTransactionsIsOneLineInCommitOrder(Recording recording) {
        ChangeRuns actual = new ChangeRuns();
        CommandRun run = CommandRun.events(
                recording.segments(scratch),
                recording,
                line -> actual.add(
                        line.get("tx").asLong(),
                        operation(line.get("op").asText()),
                        line.get("table").asText()),
                "--set",
                "noneCharset=ISO8859_1");

        ChangeRuns.Expected expected = ChangeRuns.expected(recording.expected());
        assertThat(run.exitCode()).as(run.err()).isEqualTo(Failures.DONE);
        assertThat(actual.counts()).isEqualTo(expected.counts());
        assertThat(actual.transactions()).hasSize(expected.transactionCount());
        expected.transactions()
                .ifPresent(transactions -> assertThat(actual.transactions()).isEqualTo(transactions));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "fb40/01-basics",
                "fb40/05-savepoints",
                "fb50/05-savepoints",
                "fb60/05-savepoints",
                "fb40/08-triggers-keys",
                "fb40/11b-crash-numbers-reused",
                "fb40/13b-none-cyrillic",
                "fb60/01-schemas",
                "fb60/11-crash"
            })
    void tablesRebuiltFromTheLinesAreThoseOfTheDatabase(String name) {
        Recording recording = Corpus.recording(name);
        CommandRun run = CommandRun.events(
                recording.segments(scratch),
                recording,
                "--blobs",
                "--profile=fb-streaming",
                "--set",
                "trimChar=false",
                "--set",
                "noneCharset=ISO8859_1");
        assertThat(run.exitCode()).as(run.err()).isEqualTo(Failures.DONE);

        JsonNode truth = recording.truth().get("tables");
        Map<String, List<JsonNode>> rows = new LinkedHashMap<>();
        for (JsonNode line : run.lines()) {
            String table = line.get("table").asText();
            apply(line.get("value"), truth.get(table), rows.computeIfAbsent(table, t -> new ArrayList<>()));
        }
        Set<String> computed = computedColumns(recording);
        truth.properties().forEach(table -> {
            List<String> columns = names(table.getValue());
            BitSet compared = new BitSet();
            for (int i = 0; i < columns.size(); i++) {
                compared.set(i, !computed.contains(table.getKey() + "." + columns.get(i)));
            }
            assertThat(printed(rows.getOrDefault(table.getKey(), List.of()), table.getValue(), compared))
                    .as(table.getKey())
                    .containsExactlyInAnyOrderElementsOf(expected(table.getValue(), compared));
        });
    }

    /** {@code TABLE.COLUMN}. */
    private static Set<String> computedColumns(Recording recording) {
        Set<String> computed = new HashSet<>();
        for (Catalog catalog : recording.catalogs()) {
            catalog.tables().forEach((name, table) -> table.columns().stream()
                    .filter(Column::computed)
                    .forEach(column -> computed.add(name + "." + column.name())));
        }
        return computed;
    }

    private static List<String> names(JsonNode table) {
        List<String> names = new ArrayList<>();
        table.get("columns").forEach(column -> names.add(column.get("name").asText()));
        return names;
    }

    private static void apply(JsonNode value, JsonNode table, List<JsonNode> rows) {
        JsonNode before = value.get("before");
        if (!before.isNull()) {
            JsonNode row = rows.stream()
                    .filter(candidate -> sameImage(candidate, before, table))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("no row " + before));
            rows.remove(row);
        }
        if (!value.get("after").isNull()) {
            rows.add(value.get("after"));
        }
    }

    /** The journal holds no blob contents of old rows. */
    private static boolean sameImage(JsonNode one, JsonNode other, JsonNode table) {
        for (JsonNode column : table.get("columns")) {
            String name = column.get("name").asText();
            if (!column.get("form").asText().contains("blob")
                    && !value(one, name).equals(value(other, name))) {
                return false;
            }
        }
        return true;
    }

    /** A column that was added later is missing in rows from before, which the server reads as NULL. */
    private static JsonNode value(JsonNode row, String column) {
        JsonNode value = row.path(column);
        return value.isMissingNode() ? NullNode.getInstance() : value;
    }

    /** Rows of events, a text per column of truth.json: as the engine casts it, or hexadecimal. */
    private static List<List<String>> printed(List<JsonNode> rows, JsonNode table, BitSet compared) {
        List<List<String>> all = new ArrayList<>();
        for (JsonNode row : rows) {
            List<String> texts = new ArrayList<>();
            compared.stream().forEach(i -> {
                JsonNode column = table.get("columns").get(i);
                JsonNode value = value(row, column.get("name").asText());
                boolean hex = column.get("form").asText().startsWith("hex");
                texts.add(value.isNull() ? null : hex ? bytes(value) : rounded(value.asText()));
            });
            all.add(texts);
        }
        return all;
    }

    /** Rows of truth.json. */
    private static List<List<String>> expected(JsonNode table, BitSet compared) {
        List<List<String>> all = new ArrayList<>();
        for (JsonNode row : table.get("rows")) {
            List<String> texts = new ArrayList<>();
            compared.stream()
                    .forEach(i -> texts.add(
                            row.get(i).isNull() ? null : rounded(row.get(i).asText())));
            all.add(texts);
        }
        return all;
    }

    /** The server prints more digits of a FLOAT than it has. */
    private static String rounded(String text) {
        return text.matches("-?\\d\\.(\\d|\\d{7})")
                ? new BigDecimal(text)
                        .round(MathContext.DECIMAL32)
                        .stripTrailingZeros()
                        .toPlainString()
                : text;
    }

    private static String bytes(JsonNode text) {
        return HexFormat.of().formatHex(text.asText().getBytes(StandardCharsets.ISO_8859_1));
    }

    private static Operation operation(String code) {
        return Operation.parse(code).iterator().next();
    }
}
