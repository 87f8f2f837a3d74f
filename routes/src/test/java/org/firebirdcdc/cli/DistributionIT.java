package org.firebirdcdc.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipFile;
import org.firebirdcdc.docs.Readme;
import org.firebirdcdc.testing.Corpus;
import org.firebirdcdc.testing.Corpus.Recording;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The built distribution, unpacked as a user would. */
class DistributionIT {

    private static final int OWNER_MAY_EXECUTE = 0100;

    @TempDir
    Path directory;

    private Path home;

    @BeforeEach
    void unpackTheZip() throws IOException {
        try (ZipFile zip = ZipFile.builder()
                .setPath(Path.of(System.getProperty("distribution.zip")))
                .get()) {
            for (ZipArchiveEntry entry : Collections.list(zip.getEntries())) {
                unpack(zip, entry);
            }
        }
        try (var roots = Files.list(directory)) {
            home = roots.toList().get(0).toRealPath();
        }
    }

    @Test
    void holdsScriptsJarLicenceAndNotices() {
        assertThat(home.getFileName().toString()).startsWith("firebird-cdc-");
        assertThat(List.of(
                        "bin/firebird-cdc",
                        "bin/firebird-cdc.cmd",
                        "lib/firebird-cdc.jar",
                        "LICENSE",
                        "NOTICE",
                        "THIRD-PARTY.txt"))
                .allSatisfy(name -> assertThat(home.resolve(name)).isNotEmptyFile());
        assertThat(home.resolve("bin/firebird-cdc.cmd")).content().contains("\r\n");
    }

    @Test
    void jarIsRunnableAndFreeOfSignaturesAndDuplicates() throws IOException {
        try (JarFile jar = jar()) {
            Attributes manifest = jar.getManifest().getMainAttributes();
            assertThat(manifest.getValue(Attributes.Name.MAIN_CLASS)).isEqualTo("org.firebirdcdc.cli.Main");
            assertThat(manifest.getValue(Attributes.Name.MULTI_RELEASE)).isEqualTo("true");
            assertThat(manifest.getValue(Attributes.Name.IMPLEMENTATION_VERSION))
                    .isNotBlank();
            List<String> names = jar.stream().map(ZipEntry::getName).toList();
            assertThat(names).doesNotHaveDuplicates();
            assertThat(names).noneMatch(name -> name.matches("META-INF/[^/]*\\.(SF|DSA|RSA)"));
        }
    }

    @Test
    void jarKeepsTheTypeConvertersOfAllItsParts() throws IOException {
        try (JarFile jar = jar()) {
            String loaders = read(jar, "META-INF/services/org/apache/camel/TypeConverterLoader");
            assertThat(loaders)
                    .contains(
                            "org.apache.camel.converter.CamelBaseBulkConverterLoader",
                            "org.apache.camel.component.jackson.converter.JacksonTypeConvertersLoader");
            assertThat(loaders.lines().filter(line -> !line.startsWith("#")))
                    .allSatisfy(loader -> assertThat(jar.getEntry(loader.replace('.', '/') + ".class"))
                            .as(loader)
                            .isNotNull());
        }
    }

    @Test
    @EnabledOnOs({OS.LINUX, OS.MAC})
    void scriptFindsItsHomeThroughSymbolicLinksFromAnyDirectory() throws Exception {
        Path elsewhere = Files.createDirectories(directory.resolve("some where"));
        Path link = Files.createSymbolicLink(directory.resolve("absolute"), home.resolve("bin/firebird-cdc"));
        Path linkToLink = Files.createSymbolicLink(elsewhere.resolve("relative"), Path.of("..", "absolute"));

        for (Path command : List.of(home.resolve("bin/firebird-cdc"), link, linkToLink)) {
            Result result = run(elsewhere, command, Map.of("JAVA_HOME", javaThatTellsItsArguments()), "events", "a b");
            assertThat(result.lines())
                    .containsExactly(
                            "-Dfirebird-cdc.home=" + home,
                            "-jar",
                            home.resolve("lib/firebird-cdc.jar").toString(),
                            "events",
                            "a b");
        }
    }

    @Test
    @EnabledOnOs({OS.LINUX, OS.MAC})
    void scriptHandsOptionsToJavaAndItsExitCodeBack() throws Exception {
        Result result = run(
                home,
                home.resolve("bin/firebird-cdc"),
                Map.of("JAVA_HOME", javaThatTellsItsArguments(), "JAVA_OPTS", "-Xmx64m -Da=b"));
        assertThat(result.lines()).startsWith("-Xmx64m", "-Da=b");
        assertThat(result.exitCode()).isEqualTo(42);
    }

    @Test
    @EnabledOnOs({OS.LINUX, OS.MAC})
    void scriptSaysThatJavaHomeHoldsNoJava() throws Exception {
        Result result = run(
                home,
                home.resolve("bin/firebird-cdc"),
                Map.of("JAVA_HOME", directory.resolve("none").toString()));
        assertThat(result.lines()).singleElement().asString().contains("JAVA_HOME", "none");
        assertThat(result.exitCode()).isEqualTo(1);
    }

    /** As the README says: settings edited, a route of one's own beside the shipped ones, and the command as printed. */
    @Test
    @EnabledOnOs({OS.LINUX, OS.MAC})
    void runsARouteOfTheUsersFromTheConfFolderUntilItIsTerminated() throws Exception {
        Recording basics = Corpus.recording("fb40/01-basics");
        Path archive = directory.resolve("archive");
        Corpus.copy(basics.segments(directory), archive);
        Files.writeString(home.resolve("conf/my.camel.yaml"), Readme.example("changes-to-file"));
        Path settings = home.resolve("conf/application.properties");
        Files.writeString(
                settings,
                Files.readString(settings)
                        .replaceAll("(?m)^firebird.directory = .*$", "firebird.directory = " + archive)
                        .replaceAll("(?m)^(camel.component.firebird-cdc.(database|username|password) = )", "#$1")
                        .replaceAll(
                                "(?m)^#(camel.component.firebird-cdc.catalogFiles = ).*$",
                                "$1" + basics.folder().resolve("catalog.json")));
        Path out = directory.resolve("out");

        Process process = new ProcessBuilder(
                        home.resolve("bin/firebird-cdc").toString(),
                        "run",
                        "--routes",
                        "my.camel.yaml",
                        "--property",
                        "output.directory=" + out)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("said").toFile())
                .start();
        try {
            await().atMost(Duration.ofMinutes(2)).untilAsserted(() -> {
                assertThat(out.resolve("changes.json")).exists();
                assertThat(Files.readAllLines(out.resolve("changes.json"))).hasSize(7);
            });
            process.destroy();
            assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(Files.readAllLines(out.resolve("changes.json"))).hasSize(7).allSatisfy(line -> assertThat(line)
                .contains("\"version\":\"" + System.getProperty("product.version") + "\"", "\"db\":\"basics\""));
        assertThat(directory.resolve("said"))
                .content()
                .contains("Started changes-to-file", "Stopped changes-to-file")
                .doesNotContain("ERROR");
        try (var files = Files.list(archive)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .anyMatch(name -> name.matches("firebird-cdc-\\{.*}\\.json"));
        }
    }

    private record Result(int exitCode, List<String> lines) {}

    private static Result run(Path workingDirectory, Path command, Map<String, String> environment, String... arguments)
            throws IOException, InterruptedException {
        List<String> words = new ArrayList<>();
        words.add(command.toString());
        words.addAll(List.of(arguments));
        ProcessBuilder builder =
                new ProcessBuilder(words).directory(workingDirectory.toFile()).redirectErrorStream(true);
        builder.environment().remove("JAVA_OPTS");
        builder.environment().putAll(environment);
        Process process = builder.start();
        process.getOutputStream().close();
        List<String> lines = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .toList();
        return new Result(process.waitFor(), lines);
    }

    private String javaThatTellsItsArguments() throws IOException {
        Path javaHome = directory.resolve("java home");
        Path java = Files.createDirectories(javaHome.resolve("bin")).resolve("java");
        Files.writeString(java, "#!/bin/sh\nprintf '%s\\n' \"$@\"\nexit 42\n");
        Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
        return javaHome.toString();
    }

    private JarFile jar() throws IOException {
        return new JarFile(home.resolve("lib/firebird-cdc.jar").toFile());
    }

    private static String read(JarFile jar, String name) throws IOException {
        try (InputStream in = jar.getInputStream(jar.getEntry(name))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private void unpack(ZipFile zip, ZipArchiveEntry entry) throws IOException {
        Path target = directory.resolve(entry.getName());
        if (entry.isDirectory()) {
            Files.createDirectories(target);
            return;
        }
        Files.createDirectories(target.getParent());
        try (InputStream in = zip.getInputStream(entry)) {
            Files.copy(in, target);
        }
        boolean executable = (entry.getUnixMode() & OWNER_MAY_EXECUTE) != 0;
        assertThat(target.toFile().setExecutable(executable)).isTrue();
    }
}
