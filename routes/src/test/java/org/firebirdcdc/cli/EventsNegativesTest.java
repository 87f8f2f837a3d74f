package org.firebirdcdc.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.firebirdcdc.testing.Corpus;
import org.firebirdcdc.testing.Corpus.Recording;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Damaged and odd directories give their verdict: exit code, message, and whole transactions before the fault only. */
class EventsNegativesTest {

    private static final Recording NEGATIVES = Corpus.recording("fb40/15-negatives");

    static Stream<JsonNode> cases() {
        return StreamSupport.stream(NEGATIVES.json("cases.json").spliterator(), false);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void oddDirectoryGivesItsVerdict(JsonNode odd, @TempDir Path empty) throws IOException {
        Path directory =
                NEGATIVES.folder().resolve("cases").resolve(odd.get("case").asText());
        CommandRun run = CommandRun.events(Files.isDirectory(directory) ? directory : empty, NEGATIVES);

        String verdict = odd.get("verdict").asText();
        assertThat(run.exitCode())
                .as(run.err())
                .isEqualTo(
                        switch (verdict) {
                            case "all", "wait", "foreign" -> Failures.DONE;
                            case "gap" -> Failures.GAP;
                            case "corrupt" -> Failures.DAMAGED;
                            default -> throw new IllegalArgumentException(verdict);
                        });
        if (verdict.equals("corrupt")) {
            assertThat(run.err()).containsPattern("segment \\d+, offset \\d+ \\(customers\\.fdb\\.journal-\\d{9}\\): ");
        } else if (verdict.equals("gap")) {
            assertThat(run.err()).contains("segment 4 ", "later ones are there (next: 5)");
        }

        Map<Long, List<String>> printed = transactions(run.lines());
        assertThat(printed.size())
                .isBetween(odd.get("at_least").asInt(), odd.get("transactions").asInt());
        // the sound directory has a file more or less, but never another transaction or another part of one
        Map<Long, List<String>> sound = transactions(
                CommandRun.events(NEGATIVES.folder().resolve("cases").resolve("00-sound"), NEGATIVES)
                        .lines());
        assertThat(sound).containsAllEntriesOf(printed);
    }

    /** Operations and keys of each transaction, which no odd file changes. */
    private static Map<Long, List<String>> transactions(List<JsonNode> lines) {
        Map<Long, List<String>> transactions = new HashMap<>();
        for (JsonNode line : lines) {
            transactions
                    .computeIfAbsent(line.get("tx").asLong(), number -> new ArrayList<>())
                    .add(line.get("order") + line.get("op").asText() + line.get("key"));
        }
        return transactions;
    }
}
