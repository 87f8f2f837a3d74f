package org.firebirdcdc.examples.quickstart;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A recording of a real Firebird 4.0.5, bundled as resources: the segments that it archived while workload.sql ran on the
 * tables of schema.sql, its metadata, and what an independent reader found in the segments.
 */
final class Recording {

    private static final String ROOT = "/recording/";

    private final JsonNode expected;

    Recording() throws IOException {
        try (InputStream in = open("expected.json")) {
            expected = new ObjectMapper().readTree(in);
        }
    }

    /** Changes of one table. */
    record Changes(long inserts, long updates, long deletes) {

        long total() {
            return inserts + updates + deletes;
        }
    }

    /** Row changes by table. */
    Map<String, Changes> changes() {
        Map<String, Changes> changes = new TreeMap<>();
        for (Map.Entry<String, JsonNode> table : expected.get("by_table").properties()) {
            JsonNode counts = table.getValue();
            changes.put(
                    table.getKey(),
                    new Changes(
                            counts.get("insert").asLong(),
                            counts.get("update").asLong(),
                            counts.get("delete").asLong()));
        }
        return changes;
    }

    long transactions() {
        return expected.get("committed_transactions_with_row_changes").asLong();
    }

    /** Lays the segments into a directory, as the server's archiver does. Gives their names. */
    List<String> archiveTo(Path directory) throws IOException {
        List<String> names = new ArrayList<>();
        for (JsonNode segment : expected.get("segments")) {
            String name = segment.get("file").asText();
            copy("segments/" + name, directory.resolve(name));
            names.add(name);
        }
        return names;
    }

    void catalogTo(Path file) throws IOException {
        copy("catalog.json", file);
    }

    private static void copy(String resource, Path target) throws IOException {
        try (InputStream in = open(resource)) {
            Files.createDirectories(target.getParent());
            Files.copy(in, target);
        }
    }

    private static InputStream open(String resource) throws IOException {
        InputStream in = Recording.class.getResourceAsStream(ROOT + resource);
        if (in == null) {
            throw new FileNotFoundException("resource " + ROOT + resource);
        }
        return in;
    }
}
