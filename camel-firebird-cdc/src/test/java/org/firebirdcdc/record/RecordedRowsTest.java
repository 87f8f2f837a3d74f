package org.firebirdcdc.record;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.firebirdcdc.journal.JournalPosition;
import org.firebirdcdc.journal.ObjectName;
import org.firebirdcdc.journal.OperationType;
import org.firebirdcdc.journal.SegmentFile;
import org.firebirdcdc.journal.SegmentHeader;
import org.firebirdcdc.journal.SegmentReader;
import org.firebirdcdc.schema.TableVersion;
import org.firebirdcdc.schema.VersionColumn;
import org.firebirdcdc.testing.TruthForm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Images of recorded segments against what the server itself read. Replays only what these recordings need: whole blobs and
 * tables with a primary key.
 */
class RecordedRowsTest {

    private static final Path CORPUS = Path.of("src/test/resources/corpus");

    @ParameterizedTest
    @CsvSource({
        "fb40/02-types, UTF-8",
        "fb50/02-types, UTF-8",
        "fb60/02-types, UTF-8",
        "fb40/03-charsets, ISO-8859-1",
        "fb40/13a-dialect1, UTF-8",
        "fb40/13b-none-cyrillic, windows-1251",
    })
    void everyFinalRowIsWhatTheServerReads(String recording, Charset noneCharset) throws IOException {
        Map<ObjectName, Map<Object, Row>> tables = replay(recording, noneCharset);
        JsonNode truth = json(recording, "truth.json").get("tables");

        int values = 0;
        for (Map.Entry<ObjectName, Map<Object, Row>> table : tables.entrySet()) {
            JsonNode expected = truth.get(table.getKey().toString());
            assertThat(table.getValue())
                    .as(table.getKey().toString())
                    .hasSize(expected.get("row_count").asInt());
            for (JsonNode cells : expected.get("rows")) {
                values += compare(expected.get("columns"), cells, table.getValue());
            }
        }
        assertThat(values).isPositive();
        assertThat(tables).hasSize(truth.size());
    }

    private static int compare(JsonNode columns, JsonNode cells, Map<Object, Row> rows) {
        // every table of these recordings has its key in front
        Row row = rows.get(cells.get(0).asText());
        assertThat(row).as("row %s", cells.get(0)).isNotNull();
        assertThat(row.columns()).hasSize(columns.size());
        int compared = 0;
        for (int i = 0; i < columns.size(); i++) {
            String form = columns.get(i).get("form").asText();
            if (TruthForm.isComparable(form)) {
                assertThat(TruthForm.matches(cells.get(i), row, i, form))
                        .as(
                                "%s row %s column %s: server %s, decoded %s",
                                row.table(), cells.get(0), row.columns().get(i).name(), cells.get(i), row.value(i))
                        .isTrue();
                compared++;
            }
        }
        return compared;
    }

    @ParameterizedTest
    @ValueSource(strings = {"fb40/02-types", "fb50/02-types", "fb60/02-types"})
    void arraysHaveTheRecordedElementsAndBounds(String recording) throws IOException {
        Map<ObjectName, Map<Object, Row>> tables = replay(recording, StandardCharsets.UTF_8);
        JsonNode truth = json(recording, "arrays.json");
        Map<Object, Row> rows = tables.entrySet().stream()
                .filter(table -> table.getKey().name().equals("T_ARR"))
                .findFirst()
                .orElseThrow()
                .getValue();
        JsonNode expected = truth.elements().next().get("final");

        assertThat(rows).hasSize(2);
        rows.forEach((id, row) -> {
            for (String column : List.of("A", "B", "C")) {
                JsonNode value = expected.get(id.toString()).get(column);
                if (value.isNull()) {
                    assertThat(row.isNull(column)).isTrue();
                } else {
                    assertThat(row.getArray(column).nested())
                            .hasToString(value.toString().replace("\"", "").replace(",", ", "));
                }
            }
        });
        Row first = rows.get("1");
        assertThat(first.getArray("A").dimensions()).containsExactly(new ArrayValue.Dimension(1, 4));
        assertThat(first.getArray("B").dimensions())
                .containsExactly(new ArrayValue.Dimension(1, 2), new ArrayValue.Dimension(1, 3));
        assertThat(first.getArray("B").element(2, 1)).isEqualTo("four");
    }

    @Test
    void anArrayOfNumericKeepsItsScaleAndAnOldRowHasOnlyItsId() throws IOException {
        List<Row> before = new ArrayList<>();
        List<Row> after = new ArrayList<>();
        walk("fb40/02-types", RecordDecoding.DEFAULT, (operation, old, changed) -> {
            if (operation == OperationType.UPDATE_RECORD
                    && changed.table().name().equals("T_ARR")
                    && !changed.isNull("C")) {
                before.add(old);
                after.add(changed);
            }
        });

        assertThat(after.get(0).getArray("C").elements())
                .isEqualTo(List.of(new BigDecimal("1.00"), new BigDecimal("-2.50"), new BigDecimal("9999999.99")));
        assertThat(before.get(0).value("A")).isInstanceOf(BlobValue.class);
    }

    @Test
    void anUpdateOfTheRecordingNamesTheColumnsThatItsStatementSet() throws IOException {
        List<Row[]> updates = new ArrayList<>();
        walk("fb40/02-types", RecordDecoding.DEFAULT, (operation, before, after) -> {
            if (operation == OperationType.UPDATE_RECORD && after.table().name().equals("T_DATE")) {
                updates.add(new Row[] {before, after});
            }
        });

        assertThat(updates).hasSize(1);
        assertThat(Row.changedColumns(updates.get(0)[0], updates.get(0)[1]))
                .extracting(VersionColumn::name)
                .containsExactly("D", "TS", "TSTZ");
    }

    private static Map<ObjectName, Map<Object, Row>> replay(String recording, Charset noneCharset) throws IOException {
        Map<ObjectName, Map<Object, Row>> tables = new HashMap<>();
        walk(recording, RecordDecoding.DEFAULT.withNoneCharset(noneCharset), (operation, before, after) -> {
            Row any = before == null ? after : before;
            Map<Object, Row> rows = tables.computeIfAbsent(any.table(), name -> new HashMap<>());
            if (before != null) {
                rows.remove(key(before));
            }
            if (after != null) {
                rows.put(key(after), after);
            }
        });
        return tables;
    }

    private static Object key(Row row) {
        return row.value(row.version().key().get(0).ordinal()).toString();
    }

    private interface Change {
        void apply(OperationType operation, Row before, Row after);
    }

    /** Gives the changes of committed transactions, each row verified. */
    private static void walk(String recording, RecordDecoding decoding, Change change) throws IOException {
        Map<ObjectName, TableVersion> versions =
                DescriptorVersions.read(CORPUS.resolve(recording).resolve("catalog.json"));
        Map<Long, List<Runnable>> open = new HashMap<>();
        Map<Long, Map<Long, byte[]>> blobs = new HashMap<>();
        for (Path path : segments(recording)) {
            byte[] header = Arrays.copyOf(Files.readAllBytes(path), SegmentHeader.SIZE);
            SegmentFile file = new SegmentFile(
                    path, SegmentHeader.parse(path.getFileName().toString(), 1, header), Files.size(path), 0);
            try (SegmentReader reader = SegmentReader.open(file)) {
                reader.captureBlobs(Integer.MAX_VALUE);
                while (reader.nextBlock()) {
                    List<Runnable> changes = open.computeIfAbsent(reader.transaction(), id -> new ArrayList<>());
                    Map<Long, byte[]> contents = blobs.computeIfAbsent(reader.transaction(), id -> new HashMap<>());
                    while (reader.nextOperation()) {
                        switch (reader.operation()) {
                            case STORE_BLOB -> {
                                assertThat(reader.blobFinished()).isTrue();
                                contents.put(
                                        reader.blobId(), reader.capturedBlob().orElseThrow());
                            }
                            case INSERT_RECORD, UPDATE_RECORD, DELETE_RECORD -> {
                                OperationType operation = reader.operation();
                                Row before = operation == OperationType.INSERT_RECORD
                                        ? null
                                        : row(reader, versions, false, Map.of(), decoding);
                                Row after = operation == OperationType.DELETE_RECORD
                                        ? null
                                        : row(reader, versions, true, new HashMap<>(contents), decoding);
                                contents.clear();
                                changes.add(() -> change.apply(operation, before, after));
                            }
                            case COMMIT_TRANSACTION -> changes.forEach(Runnable::run);
                            case ROLLBACK_SAVEPOINT -> throw new IllegalStateException("not in these recordings");
                            case START_TRANSACTION,
                                    PREPARE_TRANSACTION,
                                    ROLLBACK_TRANSACTION,
                                    CLEANUP_TRANSACTION,
                                    START_SAVEPOINT,
                                    RELEASE_SAVEPOINT,
                                    EXECUTE_SQL,
                                    SET_SEQUENCE,
                                    EXECUTE_SQL_INTL,
                                    DEFINE_ATOM -> {
                                // no rows
                            }
                        }
                    }
                    if (reader.endsTransaction()) {
                        open.remove(reader.transaction());
                        blobs.remove(reader.transaction());
                    }
                }
            }
        }
    }

    private static Row row(
            SegmentReader reader,
            Map<ObjectName, TableVersion> versions,
            boolean newImage,
            Map<Long, byte[]> contents,
            RecordDecoding decoding) {
        int start = newImage ? reader.newImageStart() : reader.dataStart();
        int length = newImage ? reader.newImageLength() : reader.dataLength();
        byte[] image = Arrays.copyOfRange(reader.buffer(), start, start + length);
        JournalPosition position = reader.operationPosition();
        Row row = new Row(
                versions.get(reader.objectName()),
                image,
                0,
                length,
                newImage ? id -> Optional.ofNullable(contents.get(id)).map(TestBlob::inMemory) : BlobSource.NONE,
                decoding,
                new RecordContext(position, reader.file().fileName()));
        row.verify();
        return row;
    }

    private static List<Path> segments(String recording) throws IOException {
        try (Stream<Path> files = Files.list(CORPUS.resolve(recording).resolve("segments"))) {
            return files.sorted().toList();
        }
    }

    private static JsonNode json(String recording, String file) throws IOException {
        return new ObjectMapper()
                .readTree(CORPUS.resolve(recording).resolve(file).toFile());
    }
}
