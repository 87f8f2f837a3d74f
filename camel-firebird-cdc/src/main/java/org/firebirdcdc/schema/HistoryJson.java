package org.firebirdcdc.schema;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.firebirdcdc.journal.DatabaseGuid;
import org.firebirdcdc.journal.JournalPosition;
import org.firebirdcdc.journal.ObjectName;

/**
 * The history of a schema as a document, JSON in UTF-8:
 *
 * <pre>
 *   version               1
 *   guid                  of the database
 *   highest_transaction   highest transaction number met in the journal
 *   summed_up             SHA-256 of catalog files that need not be looked at again
 *   catalogs              what catalogs showed, oldest first. Each: after, before (positions; null: not known),
 *                         transaction, schemas; tables: those that differ from the catalog before, in the form of
 *                         catalog files but with only those formats that are new; gone: names of those that are gone
 *   ddl                   committed transactions with DDL, in order. Each: transaction, commit (position), highest,
 *                         statements with position, protocol, owner, search_path, sql
 * </pre>
 */
final class HistoryJson {

    private static final int VERSION = 1;
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final JsonFactory FACTORY = new JsonFactory();

    private HistoryJson() {}

    /** What a document holds. */
    record Content(
            DatabaseGuid guid,
            long highestTransaction,
            List<String> summedUp,
            List<Snapshot> snapshots,
            List<DdlCommit> commits) {}

    private record Life(ObjectName table, int relationId) {

        static Life of(Table table) {
            return new Life(table.name(), table.relationId());
        }
    }

    /** SHA-256 of what a snapshot shows, lower-case hex. */
    static String digest(Snapshot snapshot) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (JsonGenerator json = FACTORY.createGenerator(out)) {
            write(json, snapshot, Map.of(), new HashMap<>());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(out.toByteArray()));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    // ------------------------------------------------------------------ writing

    static byte[] write(Content content) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        DefaultPrettyPrinter printer = new DefaultPrettyPrinter(
                        Separators.createDefaultInstance().withObjectFieldValueSpacing(Separators.Spacing.AFTER))
                .withObjectIndenter(new DefaultIndenter("  ", "\n"));
        try (JsonGenerator json = FACTORY.createGenerator(out)) {
            json.setPrettyPrinter(printer);
            json.writeStartObject();
            json.writeNumberField("version", VERSION);
            json.writeStringField("guid", content.guid().toString());
            json.writeNumberField("highest_transaction", content.highestTransaction());
            json.writeArrayFieldStart("summed_up");
            for (String digest : content.summedUp()) {
                json.writeString(digest);
            }
            json.writeEndArray();
            json.writeArrayFieldStart("catalogs");
            Map<ObjectName, Table> before = Map.of();
            Map<Life, Set<RecordFormat>> written = new HashMap<>();
            for (Snapshot snapshot : content.snapshots()) {
                write(json, snapshot, before, written);
                before = snapshot.tables();
            }
            json.writeEndArray();
            json.writeArrayFieldStart("ddl");
            for (DdlCommit commit : content.commits()) {
                write(json, commit);
            }
            json.writeEndArray();
            json.writeEndObject();
            json.writeRaw('\n');
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    private static void write(
            JsonGenerator json, Snapshot snapshot, Map<ObjectName, Table> before, Map<Life, Set<RecordFormat>> written)
            throws IOException {
        json.writeStartObject();
        json.writeStringField("after", snapshot.after().toString());
        if (snapshot.before().isPresent()) {
            json.writeStringField("before", snapshot.before().get().toString());
        }
        if (snapshot.transaction().isPresent()) {
            json.writeNumberField("transaction", snapshot.transaction().getAsLong());
        }
        json.writeArrayFieldStart("schemas");
        for (String schema : new TreeSet<>(snapshot.schemas())) {
            json.writeString(schema);
        }
        json.writeEndArray();
        json.writeArrayFieldStart("tables");
        // in an order that does not depend on what was known before: a digest must be the same at each start
        for (Table table : new TreeMap<>(snapshot.tables()).values()) {
            if (!table.equals(before.get(table.name()))) {
                Set<RecordFormat> known = written.computeIfAbsent(Life.of(table), life -> new HashSet<>());
                CatalogJson.writeTable(
                        json,
                        table.withFormats(
                                table.formats().stream().filter(known::add).toList()));
            }
        }
        json.writeEndArray();
        json.writeArrayFieldStart("gone");
        for (ObjectName name : before.keySet()) {
            if (!snapshot.tables().containsKey(name)) {
                json.writeStartObject();
                CatalogJson.writeName(json, name);
                json.writeEndObject();
            }
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, DdlCommit commit) throws IOException {
        json.writeStartObject();
        json.writeNumberField("transaction", commit.transaction());
        json.writeStringField("commit", commit.position().toString());
        json.writeNumberField("highest", commit.highest());
        json.writeArrayFieldStart("statements");
        for (DdlCommit.Statement statement : commit.statements()) {
            DdlStatement source = statement.source();
            json.writeStartObject();
            json.writeStringField("position", source.position().toString());
            json.writeNumberField("protocol", source.protocol());
            json.writeStringField("owner", source.owner());
            json.writeStringField("search_path", source.searchPath());
            json.writeStringField("sql", source.sql());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    // ------------------------------------------------------------------ reading

    /**
     * @param dialect SQL dialect of the database
     * @throws MetadataException if it is no such document, or of a newer version
     */
    static Content read(byte[] document, int dialect) {
        JsonNode root;
        try {
            root = MAPPER.readTree(document);
        } catch (IOException e) {
            throw unusable("it is not JSON", e);
        }
        int version = root.path("version").asInt(0);
        if (version > VERSION) {
            throw new MetadataException("the saved schema history has version " + version
                    + ", this program knows up to " + VERSION + ": use the program that wrote it, or a later one");
        }
        return checked(() -> {
            List<DdlCommit> commits = new ArrayList<>();
            for (JsonNode commit : required(root, "ddl")) {
                commits.add(readCommit(commit, dialect));
            }
            return new Content(
                    DatabaseGuid.parse(required(root, "guid").textValue()),
                    required(root, "highest_transaction").longValue(),
                    texts(required(root, "summed_up")),
                    readSnapshots(required(root, "catalogs")),
                    commits);
        });
    }

    private static <T> T checked(Supplier<T> reading) {
        try {
            return reading.get();
        } catch (MetadataException | IllegalArgumentException | NullPointerException e) {
            throw unusable(String.valueOf(e.getMessage()), e);
        }
    }

    private static MetadataException unusable(String problem, Exception cause) {
        return new MetadataException(
                "the saved schema history is damaged: " + problem + "; bring it back from a backup of the checkpoint"
                        + " directory",
                cause);
    }

    private static JsonNode required(JsonNode node, String field) {
        JsonNode value = node.get(field);
        if (value == null) {
            throw new IllegalArgumentException(field + " is missing");
        }
        return value;
    }

    private static List<String> texts(JsonNode list) {
        List<String> texts = new ArrayList<>();
        list.forEach(text -> texts.add(text.textValue()));
        return texts;
    }

    private static List<Snapshot> readSnapshots(JsonNode catalogs) {
        List<Snapshot> snapshots = new ArrayList<>();
        Map<ObjectName, Table> tables = new LinkedHashMap<>();
        Map<Life, TreeMap<Integer, RecordFormat>> formats = new HashMap<>();
        for (JsonNode catalog : catalogs) {
            for (Table table : CatalogJson.readTables(required(catalog, "tables"))) {
                TreeMap<Integer, RecordFormat> known = formats.computeIfAbsent(Life.of(table), life -> new TreeMap<>());
                table.formats().forEach(format -> known.put(format.number(), format));
                tables.put(table.name(), table.withFormats(List.copyOf(known.values())));
            }
            for (ObjectName gone : CatalogJson.readNames(required(catalog, "gone"))) {
                tables.remove(gone);
            }
            snapshots.add(new Snapshot(
                    new LinkedHashMap<>(tables),
                    Set.copyOf(texts(required(catalog, "schemas"))),
                    JournalPosition.parse(required(catalog, "after").textValue()),
                    Optional.ofNullable(catalog.get("before"))
                            .map(JsonNode::textValue)
                            .map(JournalPosition::parse),
                    catalog.has("transaction")
                            ? OptionalLong.of(catalog.get("transaction").longValue())
                            : OptionalLong.empty()));
        }
        return snapshots;
    }

    private static DdlCommit readCommit(JsonNode commit, int dialect) {
        List<DdlStatement> statements = new ArrayList<>();
        for (JsonNode statement : required(commit, "statements")) {
            statements.add(new DdlStatement(
                    JournalPosition.parse(required(statement, "position").textValue()),
                    required(statement, "protocol").intValue(),
                    required(statement, "owner").textValue(),
                    required(statement, "search_path").textValue(),
                    required(statement, "sql").textValue()));
        }
        return DdlCommit.of(
                required(commit, "transaction").longValue(),
                JournalPosition.parse(required(commit, "commit").textValue()),
                required(commit, "highest").longValue(),
                statements,
                dialect);
    }
}
