package org.firebirdcdc.envelope;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.firebirdcdc.testing.Corpus;
import org.firebirdcdc.testing.Corpus.Recording;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A journal gives the same bytes whatever the time zone, locale and default character set of the JVM. */
class SameBytesEverywhereTest {

    /** Among them all types, character sets, names beyond ASCII, blobs, schemas, sequences and DDL. */
    private static final Set<String> RECORDINGS = Set.of(
            "fb40/02-types",
            "fb40/03-charsets",
            "fb40/04-blobs",
            "fb40/08-triggers-keys",
            "fb40/09-keys",
            "fb40/13a-dialect1",
            "fb40/13b-none-cyrillic",
            "fb60/01-schemas",
            "fb60/02-types");

    private static final long MINUTES = 3;

    @Test
    void timeZoneLocaleAndDefaultCharsetChangeNoByte(@TempDir Path scratch) throws IOException, InterruptedException {
        List<String> recordings = new ArrayList<>();
        for (Recording recording : Corpus.recordings()) {
            if (RECORDINGS.contains(recording.name())) {
                Path unpacked = Files.createDirectories(scratch.resolve(recording.name()));
                recordings.add(recording.segments(unpacked).toString());
                recordings.add(recording.folder().resolve("catalog.json").toString());
            }
        }
        Map<String, List<String>> digests = new LinkedHashMap<>();
        for (Place place : Place.values()) {
            List<String> lines = run(place, recordings, scratch.resolve(place.name()));
            assertThat(lines.get(0)).isEqualTo(place.settings);
            digests.put(place.name(), lines.subList(1, lines.size()));
        }

        List<String> first = digests.get(Place.UTC.name());
        assertThat(first).hasSizeGreaterThan(RECORDINGS.size()).noneMatch(line -> line.startsWith("0 "));
        assertThat(digests.values()).allSatisfy(lines -> assertThat(lines).isEqualTo(first));
    }

    /** Where a JVM can find itself. */
    private enum Place {
        UTC("UTC", List.of("-Duser.language=en", "-Duser.country=US", "-Dfile.encoding=UTF-8"), "UTC en_US UTF-8"),
        SHANGHAI(
                "Asia/Shanghai",
                List.of("-Duser.language=zh", "-Duser.country=CN", "-Dfile.encoding=UTF-8"),
                "Asia/Shanghai zh_CN UTF-8"),
        TURKEY(
                "Europe/Istanbul",
                List.of("-Duser.language=tr", "-Duser.country=TR", "-Dfile.encoding=UTF-8"),
                "Europe/Istanbul tr_TR UTF-8"),
        LATIN(
                "America/Sao_Paulo",
                List.of("-Duser.language=ar", "-Duser.country=EG", "-Dfile.encoding=ISO-8859-1"),
                "America/Sao_Paulo ar_EG ISO-8859-1");

        private final String zone;
        private final List<String> options;
        private final String settings;

        Place(String zone, List<String> options, String settings) {
            this.zone = zone;
            this.options = options;
            this.settings = settings;
        }
    }

    private static List<String> run(Place place, List<String> recordings, Path output)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(place.options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), EventDigests.class.getName()));
        command.add(output.toString());
        command.addAll(recordings);
        Path log = output.resolveSibling(place + ".log");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment().put("TZ", place.zone);
        Process process = builder.start();
        try {
            assertThat(process.waitFor(MINUTES, TimeUnit.MINUTES)).isTrue();
            assertThat(process.exitValue()).as(Files.readString(log)).isZero();
        } finally {
            process.destroyForcibly();
        }
        return Files.readAllLines(output);
    }
}
