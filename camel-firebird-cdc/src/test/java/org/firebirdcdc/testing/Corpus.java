package org.firebirdcdc.testing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream;
import org.firebirdcdc.schema.Catalog;
import org.firebirdcdc.schema.CatalogFile;

/** The recordings of real servers among the test resources. */
public final class Corpus {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private Corpus() {}

    /** One recording, {@code fb40/01-basics}. */
    public record Recording(String name, Path folder) {

        public JsonNode expected() {
            return json("expected.json");
        }

        public JsonNode truth() {
            return json("truth.json");
        }

        public JsonNode json(String file) {
            return Corpus.json(folder.resolve(file));
        }

        public List<Catalog> catalogs() {
            return CatalogFile.read(folder.resolve("catalog.json"));
        }

        /** The recorded segments, as they lie there; packed ones are unpacked under a folder of the caller. */
        public Path segments(Path scratch) {
            Path plain = folder.resolve("segments");
            return Files.isDirectory(plain) ? plain : unpack(folder.resolve("segments.tar.xz"), scratch);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    public static Recording recording(String name) {
        return new Recording(name, root().resolve(name));
    }

    /** All recordings with segments, by name. */
    public static List<Recording> recordings() {
        try (Stream<Path> versions = Files.list(root())) {
            return versions.flatMap(Corpus::scenarios)
                    .map(p -> recording(p.getParent().getFileName() + "/" + p.getFileName()))
                    .sorted((a, b) -> a.name().compareTo(b.name()))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<Path> scenarios(Path version) {
        if (!Files.isDirectory(version)) {
            return Stream.empty();
        }
        try (Stream<Path> scenarios = Files.list(version)) {
            return scenarios.filter(Files::isDirectory).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path root() {
        try {
            return Path.of(Corpus.class.getResource("/corpus/fb40").toURI()).getParent();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static JsonNode json(Path file) {
        try {
            return MAPPER.readTree(file.toFile());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path unpack(Path archive, Path scratch) {
        try (InputStream file = Files.newInputStream(archive);
                TarArchiveInputStream tar = new TarArchiveInputStream(new XZCompressorInputStream(file))) {
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                if (entry.isFile()) {
                    Path target = scratch.resolve(entry.getName());
                    Files.createDirectories(target.getParent());
                    Files.copy(tar, target);
                }
            }
            return scratch.resolve("segments");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Copies a folder with all that is in it. */
    public static void copyTree(Path from, Path to) {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path path : all.toList()) {
                Path target = to.resolve(from.relativize(path).toString());
                if (Files.isDirectory(path)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(path, target);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Copies the files of one folder into another. */
    public static void copy(Path from, Path to) {
        try (Stream<Path> files = Files.list(from)) {
            Files.createDirectories(to);
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.copy(file, to.resolve(file.getFileName()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
