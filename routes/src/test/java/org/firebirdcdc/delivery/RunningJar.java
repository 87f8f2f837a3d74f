package org.firebirdcdc.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** {@code java -jar firebird-cdc.jar run} as a process of its own; what it says goes to a file. */
final class RunningJar implements AutoCloseable {

    static final Duration PATIENCE = Duration.ofMinutes(2);

    private final Process process;
    private final Path log;

    private RunningJar(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /** What to run. */
    static final class Command {

        private final Path workingDirectory;
        private final Map<String, String> properties = new LinkedHashMap<>();
        private final List<String> options = new ArrayList<>();
        private int starts;

        /**
         * @param workingDirectory for the files with what the processes say
         * @param segments         archive directory, with options of the endpoint
         */
        Command(Path workingDirectory, String segments, Path catalog, String brokers) {
            this.workingDirectory = workingDirectory;
            property("firebird.directory", segments);
            property("camel.component.firebird-cdc.catalogFiles", catalog.toString());
            property("camel.component.firebird-cdc.decimals", "string");
            property("camel.component.kafka.brokers", brokers);
            property("camel.main.name", "firebird-cdc");
        }

        Command property(String name, String value) {
            properties.put(name, value);
            return this;
        }

        Command option(String... words) {
            options.addAll(List.of(words));
            return this;
        }

        RunningJar start() {
            List<String> words = new ArrayList<>(List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xmx256m",
                    "-XX:+UseSerialGC",
                    // most of these processes live for seconds
                    "-XX:TieredStopAtLevel=1",
                    "-jar",
                    System.getProperty("runnable.jar"),
                    "run"));
            words.addAll(options);
            properties.forEach((name, value) -> words.addAll(List.of("--property", name + "=" + value)));
            Path log = workingDirectory.resolve("run-" + starts++ + ".log");
            try {
                return new RunningJar(
                        new ProcessBuilder(words)
                                .directory(workingDirectory.toFile())
                                .redirectErrorStream(true)
                                .redirectOutput(log.toFile())
                                .start(),
                        log);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Lets it run for a time. It must not end by itself. */
    void goOnFor(Duration time) {
        try {
            boolean ended = process.waitFor(time.toMillis(), TimeUnit.MILLISECONDS);
            assertThat(ended).as("ended by itself:%n%s", log()).isFalse();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** SIGKILL: it cannot do anything about it. */
    void kill() {
        process.destroyForcibly();
        awaitEnd();
    }

    /** SIGTERM, and waits for the end. */
    void terminate() {
        process.destroy();
        awaitEnd();
    }

    private void awaitEnd() {
        try {
            assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .as("does not end:%n%s", log())
                    .isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Everything it has said so far. */
    String log() {
        try {
            return Files.readString(log, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void awaitLog(String text) {
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(log()).contains(text));
    }

    /** Ends it, however. */
    @Override
    public void close() {
        process.destroyForcibly();
    }
}
