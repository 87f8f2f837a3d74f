package org.firebirdcdc.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MainTest {

    @Test
    void helpListsTheCommands() {
        CommandRun run = CommandRun.of("--help");

        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).contains("events", "catalog", "inspect");
    }

    @ParameterizedTest
    @ValueSource(strings = {"events", "catalog", "inspect"})
    void eachCommandHasHelpAndVersion(String command) {
        assertThat(CommandRun.of(command, "--help").out()).contains("firebird-cdc " + command, "--version");
        assertThat(CommandRun.of(command, "--version").out()).startsWith("firebird-cdc ");
    }

    @Test
    void wrongUsageIsShortAndExitsWithOne() {
        CommandRun run = CommandRun.of("events", "--catalogue", "x");

        assertThat(run.exitCode()).isEqualTo(Failures.USAGE);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).contains("--catalogue", "Try 'firebird-cdc events --help'.");
    }

    @Test
    void catalogNeedsADatabase() {
        CommandRun run = CommandRun.of("catalog");

        assertThat(run.exitCode()).isEqualTo(Failures.USAGE);
        assertThat(run.err()).contains("--database");
    }

    @Test
    void unreachableDatabaseIsAnErrorWithAdviceAndNoFile(@TempDir Path directory) {
        Path file = directory.resolve("catalog.json");
        // nothing listens on port 1
        CommandRun run = CommandRun.of(
                "catalog", "--database=localhost:1/none", "--user=u", "--password=sesame", "--output=" + file);

        assertThat(run.exitCode()).isEqualTo(Failures.USAGE);
        assertThat(run.err())
                .contains("jdbc:firebird://localhost:1/none", "check host and port")
                .doesNotContain("sesame");
        assertThat(file).doesNotExist();
    }
}
