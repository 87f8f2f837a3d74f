package org.firebirdcdc.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.firebirdcdc.checkpoint.CheckpointStore;
import org.firebirdcdc.record.RecordDecodeException;
import org.firebirdcdc.record.Row;
import org.firebirdcdc.schema.Catalog;
import org.firebirdcdc.schema.CatalogFile;
import org.firebirdcdc.schema.SchemaHistory;
import org.firebirdcdc.schema.VersionColumn;
import org.firebirdcdc.testing.Captures;
import org.firebirdcdc.testing.Corpus;
import org.firebirdcdc.testing.Corpus.Recording;
import org.firebirdcdc.testing.MemoryCheckpointStore;
import org.firebirdcdc.testing.TruthForm;
import org.firebirdcdc.transaction.ChangeEvent;
import org.firebirdcdc.transaction.JournalEvent;
import org.firebirdcdc.transaction.JournalTransaction;
import org.firebirdcdc.transaction.OnDecodeError;
import org.firebirdcdc.transaction.Operation;
import org.firebirdcdc.transaction.RawEvent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The recordings that hold DDL, value by value, with catalogs from all moments, from begin and end, and from the end only. */
class HistoryRecordingsTest {

    /** Columns whose value is the time of recording are left out. */
    private static final String CURRENT = "2026-";

    private static final List<String> EVENTS = List.of(
            "c EVOLVE 1 [ID] ID=1 A=one B=10 C=1",
            "c EVOLVE 1 [ID] ID=2 A=two B=20 C=2",
            "c EVOLVE 1 [ID] ID=3 A=three B=30 C=3",
            "c EVOLVE 2 [ID] ID=4 A=four B=40 C=4 D=44",
            "u EVOLVE 2 [ID] ID=1 A=one B=10 C=1 D=null -> ID=1 A=one B=11 C=1 D=null",
            "c EVOLVE 3 [ID] ID=5 A=five B=null C=null D=null E=7 F=zz G=now",
            "u EVOLVE 3 [ID] ID=2 A=two B=20 C=2 D=null E=null F=zz G=null -> ID=2 A=two B=21 C=2 D=null E=null F=zz G=null",
            "u EVOLVE 3 [ID] ID=4 A=four B=40 C=4 D=44 E=null F=zz G=null -> ID=4 A=four B=40 C=4 D=45 E=null F=zz"
                    + " G=2024-01-01T00:00",
            "d EVOLVE 3 [ID] ID=3 A=three B=30 C=3 D=null E=null F=zz G=null",
            "u EVOLVE 3 [ID] ID=5 A=five B=null C=null D=null E=7 F=zz G=now -> ID=5 A=five B=null C=null D=null E=7 F=zz"
                    + " G=2024-01-05T00:00",
            "c EVOLVE 4 [ID] ID=6 A=six C=6 D=66 E=8 F=ff G=null",
            "u EVOLVE 4 [ID] ID=1 A=one C=1 D=null E=null F=zz G=null -> ID=1 A=one C=100 D=null E=null F=zz G=null",
            "u EVOLVE 5 [ID] ID=2 A=two C=2 D=null E=null F=zz G=null -> ID=2 A=longer than 10 chars C=5000000000 D=null"
                    + " E=null F=zz G=null",
            "u EVOLVE 5 [ID] ID=1 A=one C=100 D=null E=null F=zz G=null -> ID=1 A=one, longer than 10 C=5000000000 D=null"
                    + " E=null F=zz G=null",
            "c EVOLVE 5 [ID] D=77 ID=7 A_NEW=seven C=null E=7 F=zz G=now",
            "d EVOLVE 5 [ID] D=null ID=2 A_NEW=longer than 10 chars C=5000000000 E=null F=zz G=null",
            "u EVOLVE 5 [ID] D=null ID=1 A_NEW=one, longer than 10 C=5000000000 E=null F=zz G=null -> D=1 ID=1 A_NEW=one,"
                    + " longer than 10 C=5000000000 E=null F=zz G=null",
            "u EVOLVE 5 [ID] D=null ID=5 A_NEW=five C=null E=7 F=zz G=2024-01-05T00:00 -> D=1 ID=5 A_NEW=five C=null E=7"
                    + " F=zz G=2024-01-05T00:00",
            "c EVOLVE 5 [ID] D=88 ID=8 A_NEW=null C=null E=99 F=null G=now",
            "c TWIN 1 [ID] ID=1 P=100 Q=200",
            "c TWIN 1 [ID] ID=2 P=101 Q=201",
            "c TWIN 2 [ID] ID=3 P=102 R=302",
            "u TWIN 2 [ID] ID=1 P=100 R=null -> ID=1 P=-100 R=null",
            "u TWIN 4 [ID] ID=2 R=null P=null -> ID=2 R=null P=pp",
            "c TWIN 4 [ID] ID=4 R=403 P=p4",
            "u TWIN 4 [ID] ID=4 P_OLD=403 R_NEW=p4 -> ID=4 P_OLD=1 R_NEW=rn",
            "c REBORN 1 [ID] ID=1 X=first life Y=1",
            "raw REBORN",
            "c REBORN 1 [ID] ID=2 X=third life Y=3",
            "c NEWCOMER 1 [ID] ID=1 V=new 1",
            "c BY_DOMAIN 2 [ID] ID=1 V=twelve chars",
            "c BY_DOMAIN 2 [ID] ID=2 V=dflt",
            "c NEWCOMER 1 [ID] ID=2 V=PROC 100",
            "c TWIN 4 [ID] ID=10 P_OLD=null R_NEW=null",
            "c NEWCOMER 1 [ID] ID=3 V=BY VIEW",
            "c TWIN 4 [ID] ID=20 P_OLD=20 R_NEW=null",
            "c TWIN 4 [ID] ID=21 P_OLD=21 R_NEW=null",
            "c TWIN 5 [ID] ID=22 P_OLD=22 R_NEW=null LATE=222",
            "c TWIN 5 [ID] ID=31 P_OLD=null R_NEW=null LATE=5",
            "raw FROM_BLOCK",
            "u BY_DOMAIN 2 [ID] ID=50 V=unseen -> ID=50 V=seen",
            "c BY_DOMAIN 2 [ID] ID=51 V=seen",
            "u EVOLVE 5 [ID, D] D=1 ID=1 A_NEW=one, longer than 10 C=5000000000 E=null F=zz G=null -> D=2 ID=1 A_NEW=one,"
                    + " longer than 10 C=5000000000 E=null F=zz G=null",
            "u EVOLVE 6 [ID, D] D=2 ID=1 A_NEW=one, longer than 10 C=5000000000 E=null F=zz G=null -> D=2 ID=1 A_NEW=one,"
                    + " longer than 10 C=3 E=null F=zz G=null",
            "c EVOLVE 6 [ID, D] D=99 ID=9 A_NEW=null C=null E=99 F=null G=now");

    private static List<Catalog> catalogs(Recording recording, String which) {
        List<Catalog> both = recording.catalogs();
        return switch (which) {
            case "begin and end" -> both;
            case "end" -> both.subList(1, 2);
            default -> {
                List<Catalog> all = new ArrayList<>(both.subList(0, 1));
                for (int step = 1; step <= 6; step++) {
                    all.addAll(CatalogFile.read(recording.folder().resolve("catalog-" + step + ".json")));
                }
                yield all;
            }
        };
    }

    private static EventSettings events(OnDecodeError onDecodeError) {
        EventSettings events = Captures.events();
        return new EventSettings(
                events.selection(), events.decoding(), events.statements(), events.encoder(), onDecodeError);
    }

    private static JournalCapture capture(
            Recording recording, List<Catalog> catalogs, OnDecodeError onDecodeError, CheckpointStore store) {
        return Captures.open(
                new TestSettings(recording.segments(Path.of("none")))
                        .checkpointInterval(Duration.ZERO)
                        .settings(),
                events(onDecodeError),
                catalogs,
                store);
    }

    private static List<String> texts(Iterable<JournalTransaction> transactions) {
        List<String> texts = new ArrayList<>();
        for (JournalTransaction transaction : transactions) {
            for (JournalEvent event : transaction) {
                if (event instanceof ChangeEvent change) {
                    texts.add(text(change));
                } else if (event instanceof RawEvent raw) {
                    texts.add("raw " + raw.table());
                    assertThat(raw.cause()).contains("no catalog saw");
                }
            }
        }
        return texts;
    }

    private static String text(ChangeEvent event) {
        List<Row> rows = new ArrayList<>();
        event.before().ifPresent(rows::add);
        event.after().ifPresent(rows::add);
        return event.operation().code() + " " + event.table() + " "
                + event.version().format() + " "
                + event.version().key().stream().map(VersionColumn::name).toList() + " "
                + String.join(
                        " -> ", rows.stream().map(HistoryRecordingsTest::text).toList());
    }

    private static String text(Row row) {
        return String.join(
                " ",
                row.columns().stream()
                        .map(column -> {
                            String value = String.valueOf(row.value(column.ordinal()));
                            return column.name() + "=" + (value.startsWith(CURRENT) ? "now" : value);
                        })
                        .toList());
    }

    @ParameterizedTest
    @CsvSource({
        "fb40/07-ddl, all",
        "fb50/07-ddl, all",
        "fb40/07-ddl, begin and end",
        "fb50/07-ddl, begin and end",
    })
    void everyChangeHasTheNamesKeyAndValuesOfItsMoment(String name, String which) {
        Recording recording = Corpus.recording(name);
        try (JournalCapture capture =
                capture(recording, catalogs(recording, which), OnDecodeError.RAW, new MemoryCheckpointStore())) {
            assertThat(texts(Captures.drain(capture))).isEqualTo(EVENTS);
        }
    }

    /** A shell lists catalog.json, the first of all, behind catalog-6.json. */
    @ParameterizedTest
    @ValueSource(strings = {"fb40/07-ddl", "fb50/07-ddl"})
    void catalogsTellWhichIsTheOlderOneWhateverOrderTheyAreGivenIn(String name) {
        Recording recording = Corpus.recording(name);
        List<Catalog> catalogs = new ArrayList<>(catalogs(recording, "all"));
        catalogs.add(recording.catalogs().get(1));
        for (int seed = 0; seed < 20; seed++) {
            Collections.shuffle(catalogs, new Random(seed));
            try (JournalCapture capture =
                    capture(recording, catalogs, OnDecodeError.RAW, new MemoryCheckpointStore())) {
                assertThat(texts(Captures.drain(capture))).as("seed %d", seed).isEqualTo(EVENTS);
            }
        }
    }

    /** What only an earlier catalog can tell: the order of dropped columns, a key before it was dropped, the first REBORN. */
    @ParameterizedTest
    @ValueSource(strings = {"fb40/07-ddl", "fb50/07-ddl"})
    void theLastCatalogAndTheDdlTellAllButWhatIsLost(String name) {
        Recording recording = Corpus.recording(name);
        try (JournalCapture capture =
                capture(recording, catalogs(recording, "end"), OnDecodeError.RAW, new MemoryCheckpointStore())) {
            List<String> texts = texts(Captures.drain(capture));
            assertThat(texts).hasSameSizeAs(EVENTS);
            for (int i = 0; i < texts.size(); i++) {
                String expected = EVENTS.get(i);
                if (expected.startsWith("c REBORN 1 [ID] ID=1")) {
                    assertThat(texts.get(i)).isEqualTo("raw REBORN");
                } else if (expected.contains(" EVOLVE ")) {
                    assertThat(valuesInAnyOrder(texts.get(i))).isEqualTo(valuesInAnyOrder(expected));
                } else {
                    assertThat(texts.get(i)).isEqualTo(expected);
                }
            }
        }
    }

    /** Without the key: what follows it, sorted. */
    private static List<String> valuesInAnyOrder(String text) {
        List<String> words = new ArrayList<>();
        words.add(text.substring(0, text.indexOf('[')));
        for (String row : text.substring(text.indexOf(']') + 2).split(" -> ")) {
            words.add(String.join(
                    " ",
                    java.util.Arrays.stream(row.split(" (?=[A-Z_]+=)")).sorted().toList()));
        }
        return words;
    }

    @ParameterizedTest
    @ValueSource(strings = {"fb40/07-ddl", "fb50/07-ddl"})
    void theLastImagesAreWhatTheServerReads(String name) {
        Recording recording = Corpus.recording(name);
        Map<String, Map<String, Row>> tables = new TreeMap<>();
        try (JournalCapture capture = capture(
                recording, catalogs(recording, "begin and end"), OnDecodeError.RAW, new MemoryCheckpointStore())) {
            for (JournalTransaction transaction : Captures.drain(capture)) {
                for (JournalEvent event : transaction) {
                    if (event instanceof ChangeEvent change) {
                        Map<String, Row> rows =
                                tables.computeIfAbsent(change.table().name(), t -> new TreeMap<>());
                        String id = String.valueOf(change.row()
                                .value(change.row()
                                        .version()
                                        .column("ID")
                                        .orElseThrow()
                                        .ordinal()));
                        if (change.operation() == Operation.DELETE) {
                            rows.remove(id);
                        } else {
                            rows.put(id, change.row());
                        }
                    }
                }
            }
        }
        int compared = 0;
        for (Map.Entry<String, JsonNode> table : recording.truth().get("tables").properties()) {
            JsonNode columns = table.getValue().get("columns");
            for (JsonNode cells : table.getValue().get("rows")) {
                Map<String, JsonNode> cell = new TreeMap<>();
                for (int i = 0; i < columns.size(); i++) {
                    cell.put(columns.get(i).get("name").asText(), cells.get(i));
                }
                Row row = tables.get(table.getKey()).get(cell.get("ID").asText());
                for (VersionColumn column : row.columns()) {
                    // an image shows what its own moment knew: later drops and renames are not in it
                    JsonNode truth = cell.get(column.name());
                    if (truth != null
                            && isLastWordOn(table.getKey(), cell.get("ID").asText(), column.name())) {
                        assertThat(TruthForm.matches(truth, row, column.ordinal(), "text"))
                                .as(
                                        "%s %s %s: %s, %s",
                                        table.getKey(),
                                        cell.get("ID"),
                                        column.name(),
                                        truth,
                                        row.value(column.ordinal()))
                                .isTrue();
                        compared++;
                    }
                }
            }
        }
        assertThat(compared).isGreaterThan(80);
    }

    /** P and R of TWIN changed their names; row 1 of BY_DOMAIN was changed while the table was out of the publication. */
    private static boolean isLastWordOn(String table, String id, String column) {
        return !(table.equals("BY_DOMAIN") && id.equals("1"))
                && !(table.equals("TWIN") && (column.equals("P") || column.equals("R")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"all", "begin and end", "end"})
    void aRestartAtEveryDeliveryGivesTheSameVersions(String which) {
        Recording recording = Corpus.recording("fb40/07-ddl");
        List<Catalog> catalogs = catalogs(recording, which);
        List<String> whole;
        try (JournalCapture capture = capture(recording, catalogs, OnDecodeError.RAW, new MemoryCheckpointStore())) {
            whole = texts(Captures.drain(capture));
        }
        MemoryCheckpointStore store = new MemoryCheckpointStore();
        List<String> pieces = new ArrayList<>();
        boolean more = true;
        while (more) {
            try (JournalCapture capture = capture(recording, catalogs, OnDecodeError.RAW, store)) {
                Optional<Delivery> next = capture.next();
                more = next.isPresent();
                next.ifPresent(delivery -> {
                    pieces.addAll(texts(List.of(delivery.transaction().orElseThrow())));
                    capture.done(delivery);
                });
            }
        }
        assertThat(pieces).isEqualTo(whole);
    }

    /** In particular between the schema's history and the checkpoint that goes with it. */
    @ParameterizedTest
    @ValueSource(strings = {"all", "end"})
    void aKillBetweenAnyTwoWritesGivesTheSameVersions(String which) {
        Recording recording = Corpus.recording("fb40/07-ddl");
        List<Catalog> catalogs = catalogs(recording, which);
        List<String> whole;
        try (JournalCapture capture = capture(recording, catalogs, OnDecodeError.RAW, new MemoryCheckpointStore())) {
            whole = texts(Captures.drain(capture));
        }
        boolean died = true;
        for (int writes = 0; died; writes++) {
            MemoryCheckpointStore store = new MemoryCheckpointStore();
            List<String> pieces = new ArrayList<>();
            died = isKilled(capture(recording, catalogs, OnDecodeError.RAW, new MortalStore(store, writes)), pieces);
            List<String> rest;
            try (JournalCapture capture = capture(recording, catalogs, OnDecodeError.RAW, store)) {
                rest = texts(Captures.drain(capture));
            }
            assertThat(pieces).as("%d writes", writes).isEqualTo(whole.subList(0, pieces.size()));
            assertThat(rest)
                    .as("after %d writes", writes)
                    .hasSizeGreaterThanOrEqualTo(whole.size() - pieces.size())
                    .isEqualTo(whole.subList(whole.size() - rest.size(), whole.size()));
            assertThat(writes).isLessThan(1000);
        }
    }

    /** What is delivered until then; false if the end was reached. */
    private static boolean isKilled(JournalCapture capture, List<String> pieces) {
        try {
            for (Optional<Delivery> next = capture.next(); next.isPresent(); next = capture.next()) {
                pieces.addAll(texts(List.of(next.get().transaction().orElseThrow())));
                capture.done(next.get());
            }
            return false;
        } catch (MortalStore.Death e) {
            return true;
        }
    }

    @Test
    void aLifeThatNoCatalogSawIsAnErrorWithItsPlaceAndReason() {
        Recording recording = Corpus.recording("fb40/07-ddl");
        try (JournalCapture capture =
                capture(recording, catalogs(recording, "all"), OnDecodeError.FAIL, new MemoryCheckpointStore())) {
            for (int attempt = 0; attempt < 2; attempt++) {
                assertThatThrownBy(() -> Captures.drain(capture))
                        .isInstanceOf(RecordDecodeException.class)
                        .hasMessageContaining("segment 4, offset 455")
                        .hasMessageContaining("REBORN")
                        .hasMessageContaining("no catalog saw")
                        .hasMessageContaining("catalogFiles");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void firebird6IsFollowedFromEitherEnd(int onlyCatalog) {
        Recording recording = Corpus.recording("fb60/01-schemas");
        List<Catalog> one = List.of(recording.catalogs().get(1));
        try (JournalCapture capture = capture(
                recording,
                onlyCatalog == 1 ? one : recording.catalogs(),
                OnDecodeError.FAIL,
                new MemoryCheckpointStore())) {
            assertThat(texts(Captures.drain(capture)))
                    .contains(
                            "c LATE.ORDERS 2 [ID] ID=1 A=late",
                            "c LATE.ORDERS 3 [ID] ID=2 A=later B=22",
                            "u LATE.ORDERS 3 [ID] ID=1 A=late B=null -> ID=1 A=late B=11",
                            "c LATE.BY_LONG_PATH 1 [ID] ID=1",
                            "c SALES.BY_SYSTEM_PATH 1 [ID] ID=1")
                    .hasSize(recording.expected().get("row_changes").asInt());
        }
    }

    @ParameterizedTest
    @CsvSource({"SKIP", "RAW"})
    void aDatabaseThatDoesNotAnswerIsWaitedForWhateverOnDecodeErrorSays(OnDecodeError onDecodeError) {
        Recording recording = Corpus.recording("fb40/07-ddl");
        boolean[] down = {true};
        SchemaHistory history = new SchemaHistory(recording.catalogs().subList(0, 1), Optional.of(() -> {
            if (down[0]) {
                throw new org.firebirdcdc.schema.MetadataException("it does not answer");
            }
            return recording.catalogs().get(1);
        }));
        try (JournalCapture capture = new JournalCapture(
                CaptureSettings.of(recording.segments(Path.of("none"))),
                events(onDecodeError),
                history,
                new MemoryCheckpointStore())) {
            List<JournalTransaction> got = new ArrayList<>();
            for (int attempt = 0; attempt < 3; attempt++) {
                assertThatThrownBy(() -> {
                            for (Optional<Delivery> next = capture.next(); next.isPresent(); next = capture.next()) {
                                got.add(next.get().transaction().orElseThrow());
                                capture.done(next.get());
                            }
                        })
                        .isInstanceOf(org.firebirdcdc.schema.MetadataException.class);
            }
            assertThat(texts(got)).isEqualTo(EVENTS.subList(0, 3));
            down[0] = false;
            got.addAll(Captures.drain(capture));
            assertThat(texts(got))
                    .isEqualTo(EVENTS.stream()
                            .filter(text -> onDecodeError == OnDecodeError.RAW || !text.startsWith("raw"))
                            .toList());
        }
    }
}
