package org.firebirdcdc.schema;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/**
 * Catalogs in files, JSON in UTF-8. Shape: {@code database} with {@code name}, {@code engine}, {@code guid} and others, and
 * {@code at} with {@code tables}, {@code sequences} and, from Firebird 6 on, {@code schemas}. A table has its
 * {@code columns} (type codes as in segment-format.md 7.3), keys, {@code indices} and {@code formats} with
 * {@code descriptor_hex}, the bytes of RDB$DESCRIPTOR (segment-format.md 8.2). Instead of {@code at} a file may hold two
 * moments, {@code at_start} and {@code at_end}. A catalog may tell when it was read ({@code moment}: {@link CatalogMoment}),
 * and a table which transactions made it what it is ({@code transactions}); both help to place it among the DDL in the
 * journal.
 */
public final class CatalogFile {

    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();
    private static final JsonFactory FACTORY = new JsonFactory();

    private CatalogFile() {}

    /**
     * Reads a file of either shape. Unknown fields, views and external tables are passed over.
     *
     * @return one catalog, or two: the older first
     * @throws MetadataException if the file cannot be read or is no catalog; the message names file, place and remedy
     */
    public static List<Catalog> read(Path file) {
        JsonNode document;
        try {
            document = MAPPER.readTree(Files.readAllBytes(file));
        } catch (NoSuchFileException e) {
            throw new MetadataException("catalog file " + file + ": there is no such file", e);
        } catch (JsonProcessingException e) {
            String place = e.getLocation() == null
                    ? ""
                    : " (line " + e.getLocation().getLineNr() + ", column "
                            + e.getLocation().getColumnNr() + ")";
            throw unusable(file, "it is not JSON: " + e.getOriginalMessage() + place, e);
        } catch (IOException e) {
            throw new MetadataException(
                    "catalog file " + file + " cannot be read: " + e + "; check its permissions", e);
        }
        try {
            return CatalogJson.readCatalogs(document);
        } catch (MetadataException e) {
            throw unusable(file, e.getMessage(), e);
        }
    }

    private static MetadataException unusable(Path file, String problem, Exception cause) {
        return new MetadataException(
                "catalog file " + file + ": " + problem + "; write it anew with the command 'catalog'", cause);
    }

    /**
     * Writes a catalog under {@code at}. Equal catalogs give equal bytes.
     *
     * @param out gets the text and is flushed, not closed
     */
    public static void write(OutputStream out, Catalog catalog) throws IOException {
        DefaultPrettyPrinter printer = new DefaultPrettyPrinter(
                        Separators.createDefaultInstance().withObjectFieldValueSpacing(Separators.Spacing.AFTER))
                .withObjectIndenter(new DefaultIndenter("  ", "\n"));
        try (JsonGenerator json = FACTORY.createGenerator(out)) {
            json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
            json.setPrettyPrinter(printer);
            CatalogJson.writeCatalog(json, catalog);
            json.writeRaw('\n');
        }
    }

    /**
     * Writes a file as {@link #write(OutputStream, Catalog)} does; one that is there is replaced as a whole.
     *
     * @throws UncheckedIOException if it cannot be written
     */
    public static void write(Path file, Catalog catalog) {
        Path target = file.toAbsolutePath();
        try {
            Path temporary = target.resolveSibling(target.getFileName() + ".tmp");
            try {
                try (OutputStream out = Files.newOutputStream(temporary)) {
                    write(out, catalog);
                }
                Files.move(temporary, target, StandardCopyOption.REPLACE_EXISTING);
            } finally {
                Files.deleteIfExists(temporary);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("catalog file " + file + " cannot be written", e);
        }
    }
}
