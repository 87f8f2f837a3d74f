package org.firebirdcdc.routes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.firebirdcdc.docs.Readme;
import org.firebirdcdc.testing.Corpus;
import org.firebirdcdc.testing.Corpus.Recording;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The routes of README.md run as they are printed. */
class ReadmeExamplesTest {

    @TempDir
    Path directory;

    @Test
    void changesToFile() throws IOException {
        Recording basics = Corpus.recording("fb40/01-basics");
        Path route = Files.writeString(directory.resolve("my.camel.yaml"), Readme.example("changes-to-file"));
        Map<String, String> settings = Map.of(
                "firebird.directory",
                basics.segments(directory).toString(),
                "output.directory",
                directory.resolve("out").toString(),
                "camel.component.firebird-cdc.checkpoint-directory",
                directory.toString(),
                "camel.component.firebird-cdc.catalog-files",
                basics.folder().resolve("catalog.json").toString());
        try (RouteRun run = RouteRun.start(route, settings)) {
            await().atMost(Duration.ofMinutes(1))
                    .untilAsserted(() -> assertThat(run.consumer().getDeliveredTransactions())
                            .isEqualTo(5));
        }
        List<String> operations = new ArrayList<>();
        for (String line : Files.readAllLines(directory.resolve("out/changes.json"))) {
            var change = new ObjectMapper().readTree(line);
            operations.add(change.get("op").asText() + " "
                    + change.get("source").get("table").asText());
        }
        assertThat(operations)
                .containsExactly(
                        "c CUSTOMERS",
                        "u CUSTOMERS",
                        "d CUSTOMERS",
                        "c CUSTOMERS",
                        "c CUSTOMERS",
                        "u CUSTOMERS",
                        "c CUSTOMERS");
    }
}
