package org.firebirdcdc.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.firebirdcdc.testing.SegmentBuilder.BEGIN;
import static org.firebirdcdc.testing.SegmentBuilder.END;
import static org.firebirdcdc.testing.SegmentBuilder.segment;
import static org.firebirdcdc.testing.SmallTables.NULL;
import static org.firebirdcdc.testing.SmallTables.R_T;
import static org.firebirdcdc.testing.SmallTables.S_T;
import static org.firebirdcdc.testing.SmallTables.T;
import static org.firebirdcdc.testing.SmallTables.U;
import static org.firebirdcdc.testing.SmallTables.X;
import static org.firebirdcdc.testing.SmallTables.row;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.firebirdcdc.journal.JournalFormatException;
import org.firebirdcdc.journal.JournalPosition;
import org.firebirdcdc.journal.ObjectName;
import org.firebirdcdc.journal.SegmentDirectory;
import org.firebirdcdc.journal.SegmentFile;
import org.firebirdcdc.journal.SegmentReader;
import org.firebirdcdc.journal.SegmentReaders;
import org.firebirdcdc.record.RecordDecodeException;
import org.firebirdcdc.record.RecordDecoding;
import org.firebirdcdc.schema.SchemaHistory;
import org.firebirdcdc.testing.EventText;
import org.firebirdcdc.testing.NoEncoding;
import org.firebirdcdc.testing.SegmentBuilder;
import org.firebirdcdc.testing.SegmentBuilder.Operations;
import org.firebirdcdc.testing.SmallTables;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Blocks in, committed transactions out (segment-format.md 4.8 and 5). */
class TransactionAssemblerTest {

    @TempDir
    Path directory;

    private final Map<Long, SegmentFile> files = new HashMap<>();
    private final SegmentReaders readers = new SegmentReaders();
    private final List<String> told = new ArrayList<>();
    private EventSelection selection = new EventSelection(t -> !t.equals(X), Set.of(Operation.values()), true, true);
    private TransactionAssembler assembler = assembler();

    @AfterEach
    void close() {
        readers.close();
    }

    private TransactionAssembler assembler() {
        return new TransactionAssembler(
                new TransactionSettings(
                        SegmentBuilder.GUID,
                        files::get,
                        readers,
                        selection,
                        new SchemaHistory(List.of(SmallTables.catalog()), Optional.empty()),
                        RecordDecoding.DEFAULT,
                        new StatementReader(id -> Optional.<Charset>of(StandardCharsets.UTF_8)),
                        new NoEncoding(),
                        OnDecodeError.FAIL),
                new Telling());
    }

    private final class Telling implements AssemblerListener {
        @Override
        public void openSavepointsAtCommit(long transaction, JournalPosition position, int savepoints) {
            told.add("open savepoints " + transaction + " " + savepoints);
        }

        @Override
        public void savepointUnderflow(long transaction, JournalPosition position) {
            told.add("underflow " + transaction);
        }

        @Override
        public void unknownFlags(long transaction, JournalPosition position, int flags) {
            told.add("flags " + transaction + " " + flags);
        }

        @Override
        public void numberReused(long transaction, JournalPosition position, long droppedChanges) {
            told.add("reused " + transaction + " " + droppedChanges);
        }

        @Override
        public void incompleteTransaction(long transaction, JournalPosition position, boolean committed) {
            told.add("incomplete " + transaction + " " + committed);
        }

        @Override
        public void cleanedUp(long transaction, JournalPosition position, long droppedChanges) {
            told.add("cleaned up " + transaction + " " + droppedChanges);
        }
    }

    private List<JournalItem> items(SegmentBuilder... segments) {
        List<JournalItem> items = new ArrayList<>();
        for (SegmentBuilder builder : segments) {
            SegmentFile file =
                    SegmentDirectory.inspect(builder.write(directory)).segment().orElseThrow();
            files.put(file.sequence(), file);
            try (SegmentReader reader = SegmentReader.open(file)) {
                for (Optional<JournalItem> item = assembler.next(reader);
                        item.isPresent();
                        item = assembler.next(reader)) {
                    items.add(item.get());
                }
            }
        }
        return items;
    }

    private List<String> read(SegmentBuilder... segments) {
        return items(segments).stream()
                .map(item -> item.transaction()
                        .map(EventText::of)
                        .orElseGet(() -> item.sequence().orElseThrow().sequence() + "="
                                + item.sequence().orElseThrow().value()))
                .toList();
    }

    private List<String> one(Consumer<Operations> operations) {
        return read(segment(1).committed(5, operations));
    }

    // ------------------------------------------------------------------------------------------------ savepoints

    @Test
    void anUndoneSavepointTakesItsChangesWithIt() {
        assertThat(one(o -> o.insert(T, row(1))
                        .savepoint()
                        .insert(T, row(2))
                        .delete(U, row(3))
                        .undo()
                        .insert(T, row(4))))
                .containsExactly("5: c T 1, c T 4");
    }

    @Test
    void aReleasedSavepointGivesItsChangesToTheOneAroundIt() {
        assertThat(one(o -> o.savepoint()
                        .insert(T, row(1))
                        .savepoint()
                        .insert(T, row(2))
                        .release()
                        .insert(T, row(3))
                        .undo()
                        .insert(T, row(4))))
                .containsExactly("5: c T 4");
    }

    @Test
    void anInnerUndoLeavesTheOuterChanges() {
        assertThat(one(o -> o.savepoint()
                        .insert(T, row(1))
                        .savepoint()
                        .insert(T, row(2))
                        .undo()
                        .insert(T, row(3))
                        .release()))
                .containsExactly("5: c T 1, c T 3");
    }

    @Test
    void aSavepointMayBeSetAnewAfterItWasUndone() {
        assertThat(one(o -> o.savepoint()
                        .savepoint()
                        .insert(T, row(1))
                        .release()
                        .undo()
                        .savepoint()
                        .savepoint()
                        .insert(T, row(2))
                        .release()
                        .undo()
                        .savepoint()
                        .insert(T, row(3))
                        .release()))
                .containsExactly("5: c T 3");
    }

    @Test
    void undoReachesBackOverBlocksAndSegments() {
        assertThat(read(
                        segment(1).begin(5, o -> o.insert(T, row(1)).savepoint().insert(T, row(2))),
                        segment(2).more(5, o -> o.insert(T, row(3)).insert(X, row(4))),
                        segment(3)
                                .more(5, Operations::undo)
                                .more(5, o -> o.insert(T, row(5)))
                                .commit(5)))
                .containsExactly("5: c T 1, c T 5");
    }

    @Test
    void aTransactionLevelSavepointIsNothingSpecial() {
        assertThat(read(segment(1)
                        .begin(
                                5,
                                o -> o.savepoint().savepoint().insert(T, row(1)).release())
                        .end(5, o -> o.release().commit())
                        .begin(6, o -> o.savepoint()
                                .savepoint()
                                .insert(T, row(2))
                                .release()
                                .undo())
                        .end(6, Operations::rollback)))
                .containsExactly("5: c T 1");
        assertThat(told).isEmpty();
    }

    @Test
    void savepointsOpenAtTheCommitAreTold() {
        assertThat(one(o -> o.savepoint().insert(T, row(1)).savepoint().insert(T, row(2))))
                .containsExactly("5: c T 1, c T 2");
        assertThat(told).containsExactly("open savepoints 5 2");
    }

    @Test
    void aSavepointThatEndsWithoutHavingBegunIsToldAndPassedOver() {
        assertThat(one(o -> o.insert(T, row(1)).release().undo().insert(T, row(2))))
                .containsExactly("5: c T 1, c T 2");
        assertThat(told).containsExactly("underflow 5", "underflow 5");
    }

    @Test
    void statementsAreUndoneLikeChanges() {
        List<JournalItem> items = items(segment(1).committed(5, o -> o.sql("A", "ONE")
                .savepoint()
                .sql("A", "TWO")
                .insert(T, row(1))
                .undo()
                .sql("A", "THREE")));
        assertThat(items).hasSize(1);
        assertThat(items.get(0).statements()).extracting(s -> s.sql()).containsExactly("ONE", "THREE");
        assertThat(EventText.of(items.get(0).transaction().orElseThrow())).isEqualTo("5: ddl ONE, ddl THREE");
    }

    @Test
    void aSavepointLeftOpenByEachChangeIsSoundHoweverManyTheyAre() {
        int changes = 100_002;
        assertThat(one(o -> IntStream.range(0, changes)
                        .forEach(
                                i -> o.savepoint().savepoint().insert(T, row(i)).release())))
                .singleElement()
                .satisfies(line -> assertThat(line).endsWith("c T " + (changes - 1)));
        assertThat(told).containsExactly("open savepoints 5 " + changes);
    }

    @Test
    void tooManySavepointsAreDamage() {
        assertThatThrownBy(() -> one(o -> IntStream.rangeClosed(0, 100_000).forEach(i -> o.savepoint())))
                .isInstanceOf(JournalFormatException.class)
                .hasMessageContaining("savepoints are open");
    }

    // ------------------------------------------------------------------------------------------------ ends

    @Test
    void onlyACommitDelivers() {
        assertThat(read(segment(1)
                        .begin(5, o -> o.insert(T, row(1)))
                        .end(5, Operations::rollback)
                        .begin(6, o -> o.insert(T, row(2)))
                        .end(6, o -> o.sequence(ObjectName.of("G"), 3))
                        .block(7, BEGIN | END, o -> o.start().insert(T, row(3)))
                        .begin(8, o -> o.insert(T, row(4)))
                        .block(9, BEGIN | END, o -> o.start().insert(T, row(5)).commit())))
                .containsExactly("G=3", "9: c T 5");
        assertThat(assembler.open()).extracting(OpenTransactionState::number).containsExactly(8L);
    }

    @Test
    void theOrderIsThatOfTheCommits() {
        assertThat(read(
                        segment(1)
                                .begin(5, o -> o.insert(T, row(1)))
                                .begin(6, o -> o.insert(T, row(2)))
                                .begin(7, o -> o.insert(T, row(3)))
                                .commit(6),
                        segment(2).commit(7).commit(5)))
                .containsExactly("6: c T 2", "7: c T 3", "5: c T 1");
    }

    @Test
    void whatHasNoEventsIsNoItem() {
        assertThat(read(segment(1)
                        .committed(5, o -> o.savepoint().release())
                        .committed(6, o -> o.insert(X, row(1)))
                        .committed(7, o -> o.savepoint().insert(T, row(1)).undo())))
                .isEmpty();
    }

    @Test
    void aCleanupDropsOneTransactionOrAll() {
        assertThat(read(segment(1)
                        .begin(5, o -> o.insert(T, row(1)))
                        .begin(6, o -> o.insert(T, row(2)).insert(X, row(3)))
                        .begin(7, o -> o.insert(T, row(4)))
                        .end(6, Operations::cleanup)
                        .end(99, Operations::cleanup)
                        .commit(7)
                        .cleanupAll()
                        .begin(8, o -> o.insert(T, row(5)))
                        .commit(8)))
                .containsExactly("7: c T 4", "8: c T 5");
        assertThat(told).containsExactly("cleaned up 6 2", "cleaned up 5 1");
        assertThat(assembler.dead()).containsExactly(6L, 5L);
        assertThat(assembler.openCount()).isZero();
    }

    @Test
    void prepareIsNoEnd() {
        assertThat(read(segment(1).begin(5, o -> o.insert(T, row(1)).prepare()).commit(5)))
                .containsExactly("5: c T 1");
    }

    @Test
    void theSameBeginTwiceIsDamage() {
        assertThatThrownBy(() -> read(
                        segment(1).begin(5, o -> o.insert(T, row(1))),
                        segment(2).begin(5, o -> o.insert(T, row(1)))))
                .isInstanceOf(JournalFormatException.class)
                .hasMessageContaining("transaction 5 begins a second time with the same block as at 1:48");
    }

    @Test
    void anotherBeginOfAnOpenNumberIsAnotherTransaction() {
        assertThat(read(
                        segment(1).begin(5, o -> o.insert(T, row(1)).insert(T, row(2))),
                        segment(2).begin(5, o -> o.insert(T, row(3))).commit(5)))
                .containsExactly("5: c T 3");
        assertThat(told).containsExactly("reused 5 2");
    }

    @Test
    void aCommitWithoutABeginIsAnErrorUnlessItMayHaveBegunBefore() {
        assembler.allowIncompleteUpTo(5);
        assertThatThrownBy(() -> read(segment(1)
                        .more(5, o -> o.insert(T, row(1)))
                        .commit(5)
                        .more(6, o -> o.insert(T, row(1)))
                        .end(6, Operations::rollback)
                        .commit(7)))
                .isInstanceOfSatisfying(UnknownTransactionException.class, e -> assertThat(e.transaction())
                        .isEqualTo(7));
        assertThat(told).containsExactly("incomplete 5 true", "incomplete 6 false");
    }

    @Test
    void unknownFlagsAreTold() {
        assertThat(read(segment(1).block(5, 0x8000 | BEGIN | END, o -> o.start()
                        .insert(T, row(1))
                        .commit())))
                .containsExactly("5: c T 1");
        assertThat(told).containsExactly("flags 5 32768");
    }

    // ------------------------------------------------------------------------------------------------ blobs

    @Test
    void aBlobGoesOnOverBlocksAndSegmentsWithOthersInBetween() {
        assertThat(read(
                        segment(1).begin(5, o -> o.blobPart(1, "one ", "two ")).committed(6, o -> o.blob(1, "other")
                                .insert(T, row(60, 1, NULL))),
                        segment(2).more(5, o -> o.blobPart(1)).begin(7, o -> o.insert(T, row(70))),
                        segment(3).more(5, o -> o.blobPart(1, "three ")).commit(7),
                        segment(4)
                                .more(5, o -> o.blob(1, "four").insert(T, row(50, 1, NULL)))
                                .commit(5)))
                .containsExactly("6: c T 60 A=other", "7: c T 70", "5: c T 50 A=one two three four");
    }

    @Test
    void theLatestContentBeforeTheRowIsTheRows() {
        assertThat(one(o -> o.blob(1, "old")
                        .blob(1, "new")
                        .insert(T, row(1, 1, NULL))
                        .blob(1, "again")
                        .update(T, row(1, 1, NULL), row(1, 1, NULL))))
                .containsExactly("5: c T 1 A=new, u T 1 A=again");
    }

    @Test
    void oneContentMayStandInTwoColumns() {
        assertThat(one(o -> o.blob(1, "both").insert(T, row(1, 1, 1)))).containsExactly("5: c T 1 A=both B=both");
    }

    @Test
    void aBlobMayBeEmpty() {
        assertThat(one(o -> o.blob(1).insert(T, row(1, 1, NULL)))).containsExactly("5: c T 1 A=");
    }

    @Test
    void aLongBlobIsReadFromTheJournal() {
        String chunk = "x".repeat(65_535);
        assertThat(one(o -> o.blob(1, chunk, chunk, chunk).insert(T, row(1, 1, NULL))))
                .containsExactly("5: c T 1 A=" + chunk + chunk + chunk);
    }

    @Test
    void anUnfinishedBlobMustGoOnWithNothingInBetween() {
        for (Consumer<Operations> wrong : List.<Consumer<Operations>>of(
                o -> o.insert(T, row(1, 1, NULL)),
                o -> o.blob(2, "x"),
                Operations::savepoint,
                Operations::commit,
                o -> o.sql("A", "B"))) {
            assembler = assembler();
            assertThatThrownBy(() ->
                            read(segment(1).begin(5, o -> o.blobPart(1, "x")).more(5, wrong)))
                    .isInstanceOf(JournalFormatException.class)
                    .hasMessageContaining("must go on with blob 0:1");
        }
    }

    @Test
    void anUnfinishedBlobEndsWithItsTransactionOrSavepoint() {
        assertThat(read(segment(1)
                        .begin(5, o -> o.blobPart(1, "x"))
                        .end(5, Operations::rollback)
                        .begin(6, o -> o.insert(T, row(1)).savepoint().blobPart(1, "half"))
                        .more(6, Operations::undo)
                        .more(6, o -> o.blob(1, "whole").insert(T, row(2, 1, NULL)))
                        .commit(6)))
                .containsExactly("6: c T 1, c T 2 A=whole");
    }

    @Test
    void aBlobThatIsNotInTheJournalIsAnErrorOfDecoding() {
        List<JournalItem> items = items(
                segment(1).committed(5, o -> o.blob(1, "x").insert(T, row(1)).insert(T, row(2, 1, NULL))));
        JournalTransaction transaction = items.get(0).transaction().orElseThrow();
        assertThatThrownBy(transaction::verify)
                .isInstanceOf(RecordDecodeException.class)
                .hasMessageContaining("column A");
    }

    // ------------------------------------------------------------------------------------------------ memory

    @Test
    void aTransactionHoldsNothingAsLongAsNothingWantedIsInIt() {
        items(segment(1)
                .begin(5, o -> o.savepoint()
                        .insert(X, row(1))
                        .blob(1, "x")
                        .insert(X, row(2, 1, NULL))
                        .release())
                .more(5, o -> o.savepoint().insert(T, row(3)).undo()));
        assertThat(assembler.open()).singleElement().satisfies(state -> {
            assertThat(state.firstNeeded()).isEmpty();
            assertThat(state.changes()).isEqualTo(3);
            assertThat(state.savepoints()).isZero();
        });
    }

    @Test
    void aBlobThatWaitsForItsRowIsHeld() {
        SegmentBuilder segment = segment(1).begin(5, o -> o.insert(X, row(1)));
        long second = segment.offset();
        items(segment.more(5, o -> o.savepoint().blob(1, "x")));
        assertThat(assembler.open()).singleElement().satisfies(state -> {
            assertThat(state.firstNeeded()).contains(new JournalPosition(1, second));
            assertThat(state.savepoints()).isZero();
        });
        // the row is of no interest after all
        items(segment(2).more(5, o -> o.insert(X, row(2, 1, NULL))));
        assertThat(assembler.open().get(0).firstNeeded()).isEmpty();
        assertThat(assembler.open().get(0).savepoints()).isEqualTo(1);
    }

    @Test
    void itIsHeldFromTheFirstBlockWithSomethingWanted() {
        SegmentBuilder segment = segment(1).begin(5, o -> o.savepoint().insert(X, row(1)));
        long second = segment.offset();
        items(segment.more(5, o -> o.release().savepoint().insert(X, row(1)).insert(T, row(2))));
        assertThat(assembler.open()).singleElement().satisfies(state -> {
            assertThat(state.firstNeeded()).contains(new JournalPosition(1, second));
            assertThat(state.savepoints()).isEqualTo(1);
        });
    }

    // ------------------------------------------------------------------------------------------------ other

    @Test
    void countsAreThoseOfAnIteration() {
        JournalTransaction transaction = items(segment(1).committed(5, o -> o.insert(T, row(1))
                        .savepoint()
                        .insert(U, row(2))
                        .undo()
                        .delete(T, row(3))
                        .insert(X, row(4))
                        .sql("A", "B")))
                .get(0)
                .transaction()
                .orElseThrow();
        assertThat(transaction.eventCount()).isEqualTo(3);
        assertThat(transaction.eventCounts()).containsExactly(Map.entry(T, 2L));
        for (int i = 0; i < 3; i++) {
            assertThat(EventText.events(transaction)).containsExactly("c T 1", "d T 3", "ddl B");
        }
        List<JournalEvent> events = new ArrayList<>();
        transaction.forEach(events::add);
        assertThat(events).extracting(JournalEvent::order).containsExactly(1L, 2L, 3L);
        assertThat(events.get(1)).isInstanceOfSatisfying(ChangeEvent.class, change -> {
            assertThat(change.tableOrder()).isEqualTo(2);
            assertThat(change.id()).isEqualTo(SegmentBuilder.GUID + "/" + change.position());
        });
    }

    @Test
    void severalIteratorsOfOneTransactionDoNotDisturbEachOther() {
        JournalTransaction transaction = items(
                        segment(1).begin(5, o -> o.insert(T, row(1)).insert(T, row(2))),
                        segment(2).more(5, o -> o.insert(T, row(3))).commit(5))
                .get(0)
                .transaction()
                .orElseThrow();
        try (EventIterator one = transaction.iterator();
                EventIterator other = transaction.iterator()) {
            List<String> seen = new ArrayList<>();
            while (one.hasNext()) {
                seen.add(EventText.of(one.next()));
                seen.add(EventText.of(other.next()));
            }
            assertThat(seen).containsExactly("c T 1", "c T 1", "c T 2", "c T 2", "c T 3", "c T 3");
        }
    }

    @Test
    void tablesOfOneNameInTwoSchemasAreTwo() {
        assertThat(read(segment(1).protocol(2).committed(5, o -> o.insert(S_T, row(1))
                        .insert(R_T, row(2))
                        .delete(S_T, row(3)))))
                .containsExactly("5: c S.T 1, c R.T 2, d S.T 3");
    }

    @Test
    void onlyWantedOperationsAreEvents() {
        selection = new EventSelection(t -> true, Set.of(Operation.DELETE), false, false);
        assembler = assembler();
        assertThat(read(segment(1).committed(5, o -> o.insert(T, row(1))
                        .delete(T, row(2))
                        .sql("A", "B")
                        .sequence(ObjectName.of("G"), 1))))
                .containsExactly("5: d T 2");
    }

    @Test
    void valuesOfSequencesAreOutsideTransactions() {
        assertThat(read(segment(1).begin(5, o -> o.insert(T, row(1))).end(5, o -> o.sequence(ObjectName.of("G"), -1)
                        .sequence(ObjectName.of("RDB$7"), 8)
                        .sequence(ObjectName.of("RDB$BACKUP_HISTORY"), 9)
                        .sequence(ObjectName.of("RDB$SEQ"), 10)
                        .rollback())))
                .containsExactly("G=-1", "RDB$7=8", "RDB$SEQ=10");
    }
}
