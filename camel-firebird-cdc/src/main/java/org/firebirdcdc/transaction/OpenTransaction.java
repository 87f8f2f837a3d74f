package org.firebirdcdc.transaction;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.firebirdcdc.journal.JournalPosition;
import org.firebirdcdc.journal.ObjectName;
import org.firebirdcdc.journal.SegmentReader;
import org.firebirdcdc.schema.DdlStatement;

/**
 * A transaction whose end has not been read. As long as nothing wanted is in it, it is a few numbers; from the first block
 * with something wanted on it keeps where its blocks stand. Memory grows with blocks and undone ranges, never with rows.
 */
final class OpenTransaction {

    /** Slot of DDL statements in the counts; tables follow in order of first appearance. */
    static final int DDL_SLOT = 0;

    private final long number;
    private final JournalPosition begin;
    private final long sinceMillis;
    private final boolean rebuilt;

    private long changes;
    private int depth;

    /** Present from the first needed block on. */
    private Optional<Kept> kept = Optional.empty();

    private long currentSegment;
    private long currentBlock;
    private int depthAtBlock;
    /** Changes and statements of the current block, while blocks are not kept. */
    private long ordinalInBlock;

    private boolean blobWaits;
    private boolean blobUnfinished;
    private long unfinishedBlob;

    /** What a transaction with something wanted in it holds. */
    static final class Kept {
        final BlockReferences blocks = new BlockReferences();
        final UndoneRanges undone = new UndoneRanges();
        final SavepointStack savepoints = new SavepointStack();
        final Map<ObjectName, Integer> slots = new LinkedHashMap<>();
        final List<PlacedStatement> statements = new ArrayList<>();
        final int depthBefore;
        /** Ordinal of the next row change or statement, counted from the first kept block. */
        long ordinal;

        Kept(int depthBefore) {
            this.depthBefore = depthBefore;
        }
    }

    record PlacedStatement(long ordinal, DdlStatement statement) {}

    private OpenTransaction(
            long number, JournalPosition begin, long sinceMillis, int depth, long changes, boolean rebuilt) {
        this.number = number;
        this.begin = begin;
        this.sinceMillis = sinceMillis;
        this.depth = depth;
        this.changes = changes;
        this.rebuilt = rebuilt;
    }

    /** A transaction that begins here. */
    static OpenTransaction begun(long number, JournalPosition begin, long sinceMillis) {
        return new OpenTransaction(number, begin, sinceMillis, 0, 0, false);
    }

    /** A transaction of which nothing must be read again: the state is that at the resume position. */
    static OpenTransaction restored(OpenTransactionState state) {
        return new OpenTransaction(
                state.number(), state.begin(), state.sinceMillis(), state.savepoints(), state.changes(), false);
    }

    /** A transaction whose blocks are read again from its first needed block on, where the state stands. */
    static OpenTransaction rebuilt(OpenTransactionState state) {
        return new OpenTransaction(
                state.number(), state.begin(), state.sinceMillis(), state.savepoints(), state.changes(), true);
    }

    /** Whether its operations before the resume position must be applied. */
    boolean isRebuilt() {
        return rebuilt;
    }

    long number() {
        return number;
    }

    JournalPosition begin() {
        return begin;
    }

    long changes() {
        return changes;
    }

    int depth() {
        return depth;
    }

    Optional<Kept> kept() {
        return kept;
    }

    // ------------------------------------------------------------------------------------------------ blocks

    void startBlock(long segment, long offset) {
        currentSegment = segment;
        currentBlock = offset;
        depthAtBlock = depth;
        ordinalInBlock = 0;
        kept.ifPresent(k -> k.blocks.add(segment, offset));
    }

    void endBlock() {
        if (blobWaits || blobUnfinished) {
            keep();
        } else if (kept.isPresent()
                && kept.get().savepoints.isEmpty()
                && kept.get().statements.isEmpty()) {
            kept = Optional.empty();
        }
    }

    /** From the current block on, blocks are kept. */
    private Kept keep() {
        if (kept.isEmpty()) {
            Kept fresh = new Kept(depthAtBlock);
            for (int i = 0; i < depth; i++) {
                fresh.savepoints.push(0);
            }
            fresh.blocks.add(currentSegment, currentBlock);
            fresh.ordinal = ordinalInBlock;
            kept = Optional.of(fresh);
        }
        return kept.get();
    }

    // ------------------------------------------------------------------------------------------------ operations

    /**
     * A row change.
     *
     * @param wanted  whether its event is
     * @param counted whether it is new; one that is read again has been counted before
     */
    void row(ObjectName table, boolean wanted, boolean counted) {
        if (counted) {
            changes++;
        }
        blobWaits = false;
        if (wanted) {
            Kept k = keep();
            k.savepoints.count(k.slots.computeIfAbsent(table, t -> k.slots.size() + 1));
        }
        nextOrdinal();
    }

    void statement(DdlStatement statement, boolean wanted) {
        Kept k = keep();
        k.statements.add(new PlacedStatement(k.ordinal, statement));
        if (wanted) {
            k.savepoints.count(DDL_SLOT);
        }
        nextOrdinal();
    }

    private void nextOrdinal() {
        if (kept.isPresent()) {
            kept.get().ordinal++;
        } else {
            ordinalInBlock++;
        }
    }

    /** An operation before the resume position, which the restored state holds already. */
    void passOver(SegmentReader reader) {
        switch (reader.operation()) {
            case START_SAVEPOINT -> depthAtBlock--;
            case RELEASE_SAVEPOINT, ROLLBACK_SAVEPOINT -> depthAtBlock++;
            case INSERT_RECORD, UPDATE_RECORD, DELETE_RECORD -> {
                blobWaits = false;
                ordinalInBlock++;
            }
            case EXECUTE_SQL, EXECUTE_SQL_INTL -> ordinalInBlock++;
            // blobs are no part of the state: one of this block may wait for a row that comes yet
            case STORE_BLOB -> blob(reader.blobId(), reader.blobFinished());
            case START_TRANSACTION,
                    PREPARE_TRANSACTION,
                    COMMIT_TRANSACTION,
                    ROLLBACK_TRANSACTION,
                    CLEANUP_TRANSACTION,
                    SET_SEQUENCE,
                    DEFINE_ATOM -> {
                // no part of what is counted per block
            }
        }
    }

    void startSavepoint() {
        depth++;
        kept.ifPresent(k -> k.savepoints.push(k.ordinal));
    }

    void releaseSavepoint() {
        depth--;
        kept.ifPresent(k -> k.savepoints.release());
    }

    void rollbackSavepoint() {
        depth--;
        kept.ifPresent(k -> {
            long mark = k.savepoints.rollback();
            k.undone.undo(mark, k.ordinal);
            while (!k.statements.isEmpty()
                    && k.statements.get(k.statements.size() - 1).ordinal() >= mark) {
                k.statements.remove(k.statements.size() - 1);
            }
        });
        blobUnfinished = false;
    }

    // ------------------------------------------------------------------------------------------------ blobs

    void blob(long id, boolean finished) {
        blobWaits = true;
        blobUnfinished = !finished;
        unfinishedBlob = id;
    }

    /** The blob that the next operation must continue, if any. */
    boolean mustContinueBlob() {
        return blobUnfinished;
    }

    long unfinishedBlob() {
        return unfinishedBlob;
    }

    OpenTransactionState state() {
        return new OpenTransactionState(
                number,
                begin,
                sinceMillis,
                kept.map(k -> k.blocks.first()),
                kept.map(k -> k.depthBefore).orElse(depth),
                changes);
    }
}
