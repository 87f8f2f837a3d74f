package org.firebirdcdc.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.firebirdcdc.testing.Corpus;
import org.firebirdcdc.testing.Corpus.Recording;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The runnable jar, as a process of its own. */
class CommandLineIT {

    @TempDir
    Path scratch;

    private Path err;

    @BeforeEach
    void nameTheFileForMessages() {
        err = scratch.resolve("err.txt");
    }

    @Test
    void versionIsThatOfTheJar() throws Exception {
        Process process = start(List.of(), "--version");

        assertThat(text(process)).isEqualTo("firebird-cdc " + System.getProperty("product.version") + "\n");
        assertThat(process.waitFor()).isZero();
    }

    @Test
    void wrongUsageExitsWithOne() throws Exception {
        Process process = start(List.of(), "events", "x", "--nonsense");

        assertThat(text(process)).isEmpty();
        assertThat(process.waitFor()).isEqualTo(Failures.USAGE);
        assertThat(err).content().contains("--nonsense");
    }

    @Test
    void passwordIsAskedForOnStandardErrorAndNeverShown() throws Exception {
        // nothing listens on port 1
        Process process = start(List.of(), "catalog", "--database=localhost:1/none", "--user=u", "--password");
        try (OutputStream in = process.getOutputStream()) {
            in.write("open sesame\n".getBytes(StandardCharsets.US_ASCII));
        }

        assertThat(text(process)).isEmpty();
        assertThat(process.waitFor()).isEqualTo(Failures.USAGE);
        assertThat(err)
                .content()
                .startsWith("Password: ")
                .contains("localhost:1/none")
                .doesNotContain("sesame");
    }

    @Test
    void largeTransactionNeedsLittleMemory() throws Exception {
        Recording bulk = Corpus.recording("fb40/12a-bulk-one-transaction");
        Process process =
                start(List.of("-Xmx64m"), "events", bulk.segments(scratch).toString(), "--catalog", catalog(bulk));

        long lines;
        try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
            lines = out.lines()
                    .filter(line -> line.startsWith("{\"position\":\"") && line.endsWith("}"))
                    .count();
        }
        assertThat(process.waitFor()).as(Files.readString(err)).isZero();
        assertThat(lines).isEqualTo(200_000);
    }

    @Test
    void outputIsTheSameUtf8UnderEveryLocaleCharsetAndTimeZone() throws Exception {
        Recording schemas = Corpus.recording("fb60/01-schemas");
        String segments = schemas.segments(scratch).toString();
        String[] command = {"events", segments, "--catalog", catalog(schemas), "--blobs", "--ddl", "--sequences"};

        String here = withoutClock(text(start(List.of(), command)));
        String elsewhere = withoutClock(text(start(
                List.of(
                        "-Duser.language=ar",
                        "-Duser.country=EG",
                        "-Dfile.encoding=US-ASCII",
                        "-Dstdout.encoding=US-ASCII",
                        "-Duser.timezone=Asia/Kolkata"),
                command)));

        assertThat(here).contains("Склад.ORDERS");
        assertThat(elsewhere).isEqualTo(here);
    }

    @Test
    void readerWhoHasEnoughEndsTheCommandQuietly() throws Exception {
        Recording bulk = Corpus.recording("fb40/12b-bulk-small-transactions");
        Process process = start(List.of(), "events", bulk.segments(scratch).toString(), "--catalog", catalog(bulk));
        try (BufferedReader out = new BufferedReader(new InputStreamReader(process.getInputStream()))) {
            assertThat(out.readLine()).startsWith("{\"position\":");
        }

        assertThat(process.waitFor()).isEqualTo(Failures.USAGE);
        assertThat(err).isEmptyFile();
    }

    private Process start(List<String> javaOptions, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(javaOptions);
        command.add("-jar");
        command.add(System.getProperty("runnable.jar"));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).redirectError(err.toFile()).start();
    }

    private static String text(Process process) throws IOException {
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    private static String catalog(Recording recording) {
        return recording.folder().resolve("catalog.json").toString();
    }

    /** The outer time is when the event was written. */
    private static String withoutClock(String lines) {
        return lines.replaceAll("\"op\":\"(.)\",\"ts_ms\":\\d+,\"ts_us\":\\d+,\"ts_ns\":\\d+", "\"op\":\"$1\"");
    }
}
