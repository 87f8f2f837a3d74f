package org.firebirdcdc.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.firebirdcdc.testing.Corpus;
import org.firebirdcdc.testing.Corpus.Recording;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code run} with settings and routes from files, and what it says of wrong ones. */
@Timeout(120)
class RunCommandTest {

    private static final Recording BASICS = Corpus.recording("fb40/01-basics");

    private static final String TO_FILE =
            """
            - route:
                id: to-file
                from:
                  uri: "firebird-cdc:{{firebird.directory}}?initialDelay=0"
                  steps:
                    - split:
                        simple: "${body}"
                        stopOnException: true
                        steps:
                          - to:
                              uri: "file:{{output.directory}}"
                              parameters:
                                fileName: "{{output.name:changes.json}}"
                                fileExist: Append
                                appendChars: "\\\\n"
            """;

    @TempDir
    Path directory;

    private Path conf;

    @BeforeEach
    void makeConf() throws IOException {
        conf = Files.createDirectory(directory.resolve("conf"));
        Corpus.copy(BASICS.segments(directory), directory.resolve("archive"));
        Files.writeString(conf.resolve("to-file.camel.yaml"), TO_FILE);
        settings(
                "firebird.directory = " + directory.resolve("archive"),
                "output.directory = " + directory.resolve("out"),
                "camel.component.firebird-cdc.catalogFiles = " + BASICS.folder().resolve("catalog.json"),
                // ends by itself when nothing more comes
                "camel.main.durationMaxIdleSeconds = 5");
    }

    private void settings(String... lines) throws IOException {
        Files.write(conf.resolve("application.properties"), List.of(lines));
    }

    private CommandRun run(String... options) {
        List<String> words = new ArrayList<>(List.of("run", "--conf", conf.toString()));
        words.addAll(List.of(options));
        return CommandRun.of(words.toArray(String[]::new));
    }

    @Test
    void takesSettingsAndRoutesFromTheFolder() throws IOException {
        CommandRun run = run("--routes", "to-file.camel.yaml");

        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isZero();
        assertThat(Files.readAllLines(directory.resolve("out/changes.json"))).hasSize(7);
    }

    @Test
    void propertiesOfTheCommandLineGoFirst() throws IOException {
        CommandRun run = run("--routes", "to-file.camel.yaml", "--property", "output.name=other.json");

        assertThat(run.exitCode()).isZero();
        assertThat(Files.readAllLines(directory.resolve("out/other.json"))).hasSize(7);
        assertThat(directory.resolve("out/changes.json")).doesNotExist();
    }

    @Test
    void aRouteFileMayLieAnywhere() throws IOException {
        Path elsewhere = Files.move(conf.resolve("to-file.camel.yaml"), directory.resolve("mine.yaml"));

        assertThat(run("--routes", elsewhere.toString()).exitCode()).isZero();
        assertThat(directory.resolve("out/changes.json")).exists();
    }

    @Test
    void severalRouteFilesRunTogether() throws IOException {
        Files.writeString(
                conf.resolve("second.camel.yaml"),
                """
                - route:
                    id: second
                    from:
                      uri: "file:{{output.directory}}?noop=true&initialDelay=0&delay=100"
                      steps:
                        - to: "file:{{output.directory}}/seen"
                """);
        assertThat(run("--routes", "to-file.camel.yaml", "--routes", "second.camel.yaml")
                        .exitCode())
                .isZero();
        assertThat(directory.resolve("out/seen/changes.json")).exists();
    }

    @Test
    void aFolderThatIsNotThereIsNamed() {
        CommandRun run = CommandRun.of("run", "--conf", "no-such-folder");

        assertThat(run.exitCode()).isEqualTo(Failures.USAGE);
        assertThat(run.err()).contains("There is no folder no-such-folder.");
    }

    @Test
    void withoutSettingsItSaysWhichAreNeeded() {
        // the folder of the tests has no conf: the default command finds nothing
        for (CommandRun run : List.of(CommandRun.of(), CommandRun.of("run"))) {
            assertThat(run.exitCode()).isEqualTo(Failures.USAGE);
            assertThat(run.err())
                    .contains(
                            "application.properties", "--conf", "firebird.directory", "camel.component.kafka.brokers");
        }
    }

    @Test
    void aRouteFileThatIsNotThereIsNamedWithWhereItWasLookedFor() {
        CommandRun run = run("--routes", "mine.camel.yaml");

        assertThat(run.exitCode()).isEqualTo(Failures.USAGE);
        assertThat(run.err()).contains("There is no route file mine.camel.yaml in " + conf);
    }

    @Test
    void aPropertyNeedsAValue() {
        CommandRun run = run("--property", "novalue");

        assertThat(run.exitCode()).isEqualTo(Failures.USAGE);
        assertThat(run.err()).contains("KEY=VALUE", "novalue");
    }

    @ParameterizedTest
    @CsvSource({
        "camel.component.firebird-cdc.pasword=hidden, camel.component.firebird-cdc.pasword",
        "camel.component.kafka.brokrs=hidden, camel.component.kafka.brokrs",
        "camel.main.nonsense=hidden, camel.main.nonsense"
    })
    void aSettingThatDoesNotExistIsNamedWithoutItsValue(String property, String name) {
        CommandRun run = run("--routes", "to-file.camel.yaml", "--property", property);

        assertThat(run.exitCode()).isEqualTo(Failures.USAGE);
        assertThat(run.err()).contains("there is no setting " + name + ":").doesNotContain("hidden", "\tat ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "camel.component.firebird-cdc.decimals=weird    | decimals=weird is not known; use one of: precise, string, double",
                "camel.component.firebird-cdc.onGap=maybe       | setting camel.component.firebird-cdc.onGap: ",
                "camel.component.firebird-cdc.maxInFlight=0     | maxInFlight=0: give a number from 1 on",
                "camel.component.firebird-cdc.includeTables=(   | includeTables=( is not a regular expression",
                "camel.component.firebird-cdc.databaseGuid=1    | GUID",
                "camel.component.firebird-cdc.startFrom=middle  | startFrom",
                "camel.component.firebird-cdc.noneCharset=KLING | KLING",
                "camel.component.firebird-cdc.moveTo=elsewhere  | moveTo has a meaning with processed=move only",
                "camel.component.firebird-cdc.username=SYSDBA   | username and password have a meaning with database only"
            })
    void aWrongValueIsToldWithWhatIsRight(String property, String message) {
        CommandRun run = run("--routes", "to-file.camel.yaml", "--property", property);

        assertThat(run.exitCode()).isEqualTo(Failures.USAGE);
        assertThat(run.err()).contains(message).doesNotContain("\tat ");
    }

    @Test
    void withoutMetadataItSaysWhereThatMayComeFrom() throws IOException {
        settings(
                "firebird.directory = " + directory.resolve("archive"),
                "output.directory = " + directory.resolve("out"));
        CommandRun run = run("--routes", "to-file.camel.yaml");

        assertThat(run.exitCode()).isEqualTo(Failures.USAGE);
        assertThat(run.err())
                .contains("no metadata source", "database", "catalogFiles")
                .doesNotContain("\tat ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "?initialDelay=0                        | ?includeTable=CUSTOMERS             | includeTable=CUSTOMERS",
                "fileName: \"{{output.name:changes.json}}\" | fileNam: \"changes.json\"             | fileNam=changes.json"
            })
    void anOptionThatAnEndpointDoesNotHaveIsNamedWithItsRoute(String right, String wrong, String named)
            throws IOException {
        assertThat(TO_FILE).contains(right);
        Files.writeString(conf.resolve("wrong.camel.yaml"), TO_FILE.replace(right, wrong));
        CommandRun run = run("--routes", "wrong.camel.yaml");

        assertThat(run.exitCode()).isEqualTo(Failures.USAGE);
        assertThat(run.err())
                .contains("route to-file", named)
                .doesNotContain("\tat ")
                .doesNotContain("null");
    }

    @Test
    void aSettingThatARouteNeedsAndNobodyGivesIsNamed() throws IOException {
        settings("output.directory = " + directory.resolve("out"));
        CommandRun run = run("--routes", "to-file.camel.yaml");

        assertThat(run.exitCode()).isEqualTo(Failures.USAGE);
        assertThat(run.err()).contains("firebird.directory").doesNotContain("\tat ");
    }

    @Test
    void aMistakeInARouteFileIsToldWithItsLine() throws IOException {
        Files.writeString(conf.resolve("wrong.camel.yaml"), TO_FILE.replace("steps:", "stps:"));
        CommandRun run = run("--routes", "wrong.camel.yaml");

        assertThat(run.exitCode()).isEqualTo(Failures.USAGE);
        assertThat(run.err()).contains("stps", "wrong.camel.yaml", "line ").doesNotContain("\tat ");
    }
}
