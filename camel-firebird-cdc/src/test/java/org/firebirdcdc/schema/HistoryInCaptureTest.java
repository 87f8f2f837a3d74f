package org.firebirdcdc.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.firebirdcdc.schema.HistoryFixture.catalog;
import static org.firebirdcdc.schema.HistoryFixture.format;
import static org.firebirdcdc.schema.HistoryFixture.image;
import static org.firebirdcdc.schema.HistoryFixture.table;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.firebirdcdc.capture.CaptureSettings;
import org.firebirdcdc.capture.Delivery;
import org.firebirdcdc.capture.JournalCapture;
import org.firebirdcdc.capture.Processed;
import org.firebirdcdc.journal.ObjectName;
import org.firebirdcdc.testing.Captures;
import org.firebirdcdc.testing.MemoryCheckpointStore;
import org.firebirdcdc.testing.SegmentBuilder;
import org.firebirdcdc.transaction.ChangeEvent;
import org.firebirdcdc.transaction.DdlEvent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The history as a capture uses it, on segments made for the purpose. */
class HistoryInCaptureTest {

    private static final ObjectName S_T = new ObjectName("S", "T");
    private static final ObjectName T = ObjectName.of("T");

    private static final RecordFormat PARTIAL = format(1, "ID:int");
    private static final RecordFormat F2 = format(2, "ID:int", "A:int");
    private static final RecordFormat F3 = format(3, "ID:int", "A:none", "B:int");
    private static final RecordFormat F4 = format(4, "ID:int", "A:none", "B:none", "C:float");

    private static List<String> events(JournalCapture capture) {
        List<String> texts = new ArrayList<>();
        for (Optional<Delivery> next = capture.next(); next.isPresent(); next = capture.next()) {
            next.get()
                    .transaction()
                    .ifPresent(transaction -> transaction.forEach(event -> {
                        if (event instanceof ChangeEvent change) {
                            texts.add(transaction.info().number() + " format "
                                    + change.version().format() + " " + HistoryFixture.names(change.version()));
                        } else if (event instanceof DdlEvent ddl) {
                            texts.add(transaction.info().number() + " " + ddl.sql());
                        }
                    }));
            capture.done(next.get());
        }
        return texts;
    }

    @Test
    void aTransactionOfFirebird6CanPassThroughSeveralFormatsOfOneLength(@TempDir Path directory) {
        SegmentBuilder.segment(1)
                .protocol(2)
                .committed(5, o -> o.sql("SYSDBA", "CREATE TABLE S.T (ID INTEGER NOT NULL PRIMARY KEY, A INTEGER)"))
                .committed(10, o -> o.insert(S_T, image(F2))
                        .sql("SYSDBA", "ALTER TABLE S.T DROP A, ADD B INTEGER")
                        .insert(S_T, image(F3))
                        .insert(S_T, image(F3, 2))
                        .sql("SYSDBA", "ALTER TABLE S.T DROP B, ADD C FLOAT")
                        .insert(S_T, image(F4)))
                .committed(12, o -> o.update(S_T, image(F4), image(F4, 3)))
                .write(directory);
        Catalog last = catalog(
                Optional.empty(),
                List.of("PUBLIC", "S"),
                table(
                        S_T,
                        140,
                        List.of("ID"),
                        List.of(PARTIAL, F2, F3, F4),
                        Set.of(),
                        "ID:int:nn",
                        "A:none",
                        "B:none",
                        "C:float"));

        try (JournalCapture capture = Captures.open(
                CaptureSettings.of(directory), Captures.events(), List.of(last), new MemoryCheckpointStore())) {
            assertThat(events(capture))
                    .containsExactly(
                            "5 CREATE TABLE S.T (ID INTEGER NOT NULL PRIMARY KEY, A INTEGER)",
                            "10 format 2 [ID, A]",
                            "10 ALTER TABLE S.T DROP A, ADD B INTEGER",
                            "10 format 3 [ID, B]",
                            "10 format 3 [ID, B]",
                            "10 ALTER TABLE S.T DROP B, ADD C FLOAT",
                            "10 format 4 [ID, C]",
                            "12 format 4 [ID, C]");
        }
    }

    @Test
    void beforeFirebird6ImagesKeepTheOldFormatUntilTheCommit(@TempDir Path directory) {
        RecordFormat first = format(1, "ID:int", "A:int");
        RecordFormat second = format(2, "ID:int", "A:int", "B:int");
        SegmentBuilder.segment(1)
                .committed(10, o -> o.insert(T, image(first))
                        .sql("SYSDBA", "ALTER TABLE T ADD B INTEGER")
                        .insert(T, image(first)))
                // began before the commit of the DDL, in a block that was written behind it
                .committed(9, o -> o.insert(T, image(first)).insert(T, image(second)))
                .committed(12, o -> o.insert(T, image(second)))
                .write(directory);
        Catalog last = catalog(table("T", 128, List.of(), List.of(first, second), "ID:int:nn", "A:int", "B:int"));

        try (JournalCapture capture = Captures.open(
                CaptureSettings.of(directory), Captures.events(), List.of(last), new MemoryCheckpointStore())) {
            assertThat(events(capture))
                    .containsExactly(
                            "10 format 1 [ID, A]",
                            "10 ALTER TABLE T ADD B INTEGER",
                            "10 format 1 [ID, A]",
                            "9 format 1 [ID, A]",
                            "9 format 2 [ID, A, B]",
                            "12 format 2 [ID, A, B]");
        }
    }

    @Test
    void whatServedSegmentsThatAreGoneIsSummedUp(@TempDir Path directory) {
        RecordFormat only = format(1, "ID:int", "A:int");
        Catalog first = catalog(
                Optional.of(new CatalogMoment(1, 1, 1)),
                List.of(),
                table("T", 128, List.of(), List.of(only), "ID:int:nn", "A:int"));
        MemoryCheckpointStore store = new MemoryCheckpointStore();
        // an open transaction needs all segments
        renames(1, 30, only, true).write(directory);
        try (JournalCapture capture = deleting(directory, List.of(first), store)) {
            for (int segment = 2; segment <= 20; segment++) {
                renames(segment, 30, only, false).write(directory);
                assertThat(events(capture)).endsWith(segment + "00 format 1 [ID, A" + 30 * segment + "]");
            }
            assertThat(savedCommits(store)).isEqualTo(20 * 30);
            assertThat(directory).isDirectoryContaining(file -> file.toString().endsWith("000000001"));

            renames(21, 30, only, false).commit(5).write(directory);
            events(capture);
            renames(22, 30, only, false).write(directory);
            assertThat(events(capture)).endsWith("2200 format 1 [ID, A660]");
        }

        assertThat(directory).isDirectoryNotContaining(file -> file.toString().endsWith("000000001"));
        assertThat(savedCommits(store)).isLessThan(300);
        renames(23, 30, only, false).write(directory);
        try (JournalCapture capture = deleting(directory, List.of(), store)) {
            assertThat(events(capture)).endsWith("2300 format 1 [ID, A690]");
        }
    }

    /** A segment in which the column A(n) is renamed again and again, and a row is put in at the end. */
    private static SegmentBuilder renames(int segment, int count, RecordFormat format, boolean leavesOneOpen) {
        SegmentBuilder builder = SegmentBuilder.segment(segment);
        if (leavesOneOpen) {
            builder.begin(5, o -> o.insert(T, image(format)));
        }
        for (int i = 0; i < count; i++) {
            int number = count * (segment - 1) + i;
            String from = number == 0 ? "A" : "A" + number;
            builder.committed(
                    100L * segment - count + i,
                    o -> o.sql("SYSDBA", "ALTER TABLE T ALTER " + from + " TO A" + (number + 1)));
        }
        return builder.committed(100L * segment, o -> o.insert(T, image(format)));
    }

    private static JournalCapture deleting(Path directory, List<Catalog> catalogs, MemoryCheckpointStore store) {
        CaptureSettings settings = CaptureSettings.of(directory);
        return Captures.open(
                new CaptureSettings(
                        directory,
                        settings.guid(),
                        settings.startFrom(),
                        settings.checkpointInterval(),
                        Processed.DELETE,
                        settings.moveTo(),
                        settings.onGap(),
                        settings.unknownTransaction(),
                        settings.abandonAfter(),
                        settings.clock()),
                Captures.events(),
                catalogs,
                store);
    }

    private static int savedCommits(MemoryCheckpointStore store) {
        byte[] document = store.loadDocument(SegmentBuilder.GUID, "schema").orElseThrow();
        return HistoryJson.read(document, 3).commits().size();
    }

    @Test
    void ddlInSegmentsAheadIsFoundThoughItsTransactionBeganBefore(@TempDir Path directory) {
        RecordFormat only = format(1, "ID:int", "A:int");
        SegmentBuilder.segment(1)
                .begin(8, o -> o.sql("SYSDBA", "ALTER TABLE T ALTER A TO B"))
                .committed(7, o -> o.insert(T, image(only)))
                .write(directory);
        SegmentBuilder.segment(2).commit(8).write(directory);
        SegmentBuilder.segment(3).committed(9, o -> o.insert(T, image(only))).write(directory);
        // as the database is in the end, seen by a capture that begins with its first segment
        Catalog last = catalog(
                Optional.of(new CatalogMoment(3, 3, 20)),
                List.of(),
                table("T", 128, List.of(), List.of(only), "ID:int:nn", "B:int"));

        try (JournalCapture capture = Captures.open(
                CaptureSettings.of(directory), Captures.events(), List.of(last), new MemoryCheckpointStore())) {
            assertThat(events(capture))
                    .containsExactly("7 format 1 [ID, A]", "8 ALTER TABLE T ALTER A TO B", "9 format 1 [ID, B]");
        }
    }
}
