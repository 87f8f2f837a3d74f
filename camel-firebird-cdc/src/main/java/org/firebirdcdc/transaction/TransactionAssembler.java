package org.firebirdcdc.transaction;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.firebirdcdc.journal.JournalException;
import org.firebirdcdc.journal.JournalFormatException;
import org.firebirdcdc.journal.JournalPosition;
import org.firebirdcdc.journal.ObjectName;
import org.firebirdcdc.journal.OperationType;
import org.firebirdcdc.journal.SegmentReader;
import org.firebirdcdc.schema.DdlStatement;

/**
 * The index pass: takes the blocks of the journal in order and gives committed transactions and sequence values in journal
 * order (segment-format.md 4.8). Walks operation headers only; rows are decoded later, from the journal, when somebody
 * asks for them. One segment after the other is handed to {@link #next(SegmentReader)} until it has nothing more.
 *
 * <p>After a restart {@link #restore} says which transactions were open where reading goes on; blocks before that position
 * then only rebuild those. Not thread-safe.
 */
public final class TransactionAssembler {

    /** No server has so many; a segment that claims them is damaged or hostile. */
    private static final int MAX_OPEN_TRANSACTIONS = 250_000;
    /** No server nests so deep, but for what {@link #SAVEPOINTS_PER_CHANGE} is about. */
    private static final int MAX_SAVEPOINTS = 100_000;
    /**
     * A savepoint set anew under a name in use stays open in the journal (segment-format.md 5.5), one for each name and
     * row at worst: whoever sets one or a few before each row of a large transaction leaves as many as there are rows.
     */
    private static final int SAVEPOINTS_PER_CHANGE = 4;
    /** Transactions dropped by a cleanup that are remembered, to recognise left-overs of a journal before a crash. */
    private static final int MAX_DEAD = 10_000;

    /** The only sequence of the system's own that a server publishes: 4.0.0 to 4.0.2. Users may name theirs RDB$… too. */
    private static final ObjectName BACKUP_HISTORY = ObjectName.of("RDB$BACKUP_HISTORY");

    private final TransactionSettings settings;
    private final AssemblerListener listener;

    private final Map<Long, OpenTransaction> open = new LinkedHashMap<>();
    private final Map<Long, OpenTransactionState> restoring = new HashMap<>();
    private final Set<Long> dead = new LinkedHashSet<>();
    /** {@link #dead} as it was given out last; empty when it has changed since. */
    private Optional<List<Long>> deadGiven = Optional.empty();

    private final Map<ObjectName, Boolean> wanted = new HashMap<>();

    private long incompleteUpTo;
    private long highestTransaction;
    private JournalPosition resume = JournalPosition.START;

    private boolean inBlock;
    private Optional<OpenTransaction> current = Optional.empty();
    private boolean ended;

    public TransactionAssembler(TransactionSettings settings, AssemblerListener listener) {
        this.settings = settings;
        this.listener = listener;
    }

    /**
     * Goes on after a restart.
     *
     * @param position everything before it is done
     * @param states   transactions that are open there
     */
    public void restore(JournalPosition position, Collection<OpenTransactionState> states) {
        resume = position;
        for (OpenTransactionState state : states) {
            if (state.firstNeeded().isPresent()) {
                restoring.put(state.number(), state);
            } else {
                open.put(state.number(), OpenTransaction.restored(state));
            }
        }
    }

    /**
     * Transactions up to this number may end without having begun in view: they are dropped, the listener is told. A commit
     * of a higher one is an error.
     *
     * @param number 0 for none, {@link Long#MAX_VALUE} for all
     */
    public void allowIncompleteUpTo(long number) {
        incompleteUpTo = number;
    }

    /** Drops all open transactions, as when a part of the journal is passed over. Gives how many there were. */
    public int dropOpen() {
        int dropped = open.size() + restoring.size();
        open.clear();
        restoring.clear();
        return dropped;
    }

    /** Drops one open transaction; gives the number of its row changes so far, empty if it is not open. */
    public Optional<Long> drop(long transaction) {
        Optional<Long> waiting =
                Optional.ofNullable(restoring.remove(transaction)).map(OpenTransactionState::changes);
        return Optional.ofNullable(open.remove(transaction))
                .map(OpenTransaction::changes)
                .or(() -> waiting);
    }

    /** Whether a cleanup has dropped this transaction. */
    public boolean isDead(long transaction) {
        return dead.contains(transaction);
    }

    /** Transactions that a cleanup has dropped, oldest first. */
    public List<Long> dead() {
        if (deadGiven.isEmpty()) {
            deadGiven = Optional.of(List.copyOf(dead));
        }
        return deadGiven.get();
    }

    public void restoreDead(Collection<Long> transactions) {
        dead.addAll(transactions);
        deadGiven = Optional.empty();
    }

    /** The highest transaction number met. */
    public long highestTransaction() {
        return highestTransaction;
    }

    /** All open transactions, in order of their begin. */
    public List<OpenTransactionState> open() {
        List<OpenTransactionState> states = new ArrayList<>(open.size() + restoring.size());
        states.addAll(restoring.values());
        for (OpenTransaction transaction : open.values()) {
            states.add(transaction.state());
        }
        return states;
    }

    public int openCount() {
        return open.size() + restoring.size();
    }

    /**
     * Goes on in a segment.
     *
     * @return the next item; empty at the end of the segment
     * @throws JournalFormatException       if the operations do not make sense
     * @throws UnknownTransactionException  if a transaction commits whose beginning was never read
     */
    public Optional<JournalItem> next(SegmentReader reader) {
        while (true) {
            if (inBlock) {
                while (reader.nextOperation()) {
                    Optional<JournalItem> item = apply(reader);
                    if (item.isPresent()) {
                        return item;
                    }
                }
                endBlock(reader);
            }
            if (!reader.nextBlock()) {
                return Optional.empty();
            }
            inBlock = startBlock(reader);
        }
    }

    // ------------------------------------------------------------------------------------------------ blocks

    /** False if nothing of the block matters any more. */
    private boolean startBlock(SegmentReader reader) {
        long number = reader.transaction();
        ended = false;
        rejoin(reader);
        if (!isDone(reader, reader.blockOffset())) {
            if (reader.beginsTransaction()) {
                begin(reader);
            }
        } else if (isDone(reader, reader.blockEnd() - 1) && !isRebuilt(number)) {
            return false;
        }
        highestTransaction = Math.max(highestTransaction, number);
        if (reader.unknownFlags() != 0) {
            listener.unknownFlags(number, reader.blockPosition(), reader.unknownFlags());
        }
        current = Optional.ofNullable(open.get(number));
        current.ifPresent(t -> t.startBlock(reader.sequence(), reader.blockOffset()));
        return true;
    }

    /** Takes up a transaction that was open at the resume position, at the first of its blocks that must be read again. */
    private void rejoin(SegmentReader reader) {
        OpenTransactionState state = restoring.get(reader.transaction());
        if (state != null
                && !reader.blockPosition().isBefore(state.firstNeeded().orElseThrow())) {
            restoring.remove(state.number());
            admit(reader, OpenTransaction.rebuilt(state));
        }
    }

    private boolean isRebuilt(long number) {
        OpenTransaction transaction = open.get(number);
        return transaction != null && transaction.isRebuilt();
    }

    /** Whether an offset lies before the position from which on things are new. */
    private boolean isDone(SegmentReader reader, long offset) {
        return reader.sequence() < resume.segment()
                || reader.sequence() == resume.segment() && offset < resume.offset();
    }

    private void begin(SegmentReader reader) {
        OpenTransaction earlier = open.get(reader.transaction());
        if (earlier != null) {
            if (isSameBlock(earlier.begin(), reader)) {
                throw malformed(
                        reader,
                        reader.blockOffset(),
                        "transaction " + reader.transaction() + " begins a second time with the same block as at "
                                + earlier.begin());
            }
            listener.numberReused(reader.transaction(), reader.blockPosition(), earlier.changes());
            open.remove(reader.transaction());
        }
        if (dead.remove(reader.transaction())) {
            // a number that is used again after a crash: its blocks are no left-overs from now on
            deadGiven = Optional.empty();
        }
        admit(
                reader,
                OpenTransaction.begun(
                        reader.transaction(),
                        reader.blockPosition(),
                        reader.file().modifiedMillis()));
    }

    private void admit(SegmentReader reader, OpenTransaction transaction) {
        if (open.size() >= MAX_OPEN_TRANSACTIONS) {
            throw malformed(
                    reader, reader.blockOffset(), "more than " + MAX_OPEN_TRANSACTIONS + " transactions are open");
        }
        open.put(transaction.number(), transaction);
    }

    private boolean isSameBlock(JournalPosition earlier, SegmentReader reader) {
        try {
            return SegmentReader.isSameBlock(
                    settings.files().segment(earlier.segment()), earlier.offset(), reader.file(), reader.blockOffset());
        } catch (JournalException e) {
            // the earlier segment is gone or holds other bytes now: nobody can tell any more
            return false;
        }
    }

    private void endBlock(SegmentReader reader) {
        inBlock = false;
        if (current.isEmpty()) {
            return;
        }
        OpenTransaction transaction = current.get();
        if (reader.endsTransaction() && !ended) {
            // an end without commit or rollback means rollback (segment-format.md 2.2)
            open.remove(transaction.number());
        } else if (!ended) {
            transaction.endBlock();
        }
    }

    // ------------------------------------------------------------------------------------------------ operations

    private Optional<JournalItem> apply(SegmentReader reader) {
        OperationType operation = reader.operation();
        if (operation == OperationType.SET_SEQUENCE) {
            return sequence(reader);
        }
        if (operation == OperationType.CLEANUP_TRANSACTION) {
            if (!isDone(reader, reader.operationOffset())) {
                cleanup(reader);
            }
            return Optional.empty();
        }
        if (current.isEmpty()) {
            return withoutTransaction(reader, operation);
        }
        OpenTransaction transaction = current.get();
        if (isDone(reader, reader.operationOffset()) && !transaction.isRebuilt()) {
            transaction.passOver(reader);
            return Optional.empty();
        }
        if (transaction.mustContinueBlob()) {
            checkBlobContinues(reader, transaction, operation);
        }
        return switch (operation) {
            case START_TRANSACTION, PREPARE_TRANSACTION -> Optional.empty();
            case COMMIT_TRANSACTION -> commit(reader, transaction);
            case ROLLBACK_TRANSACTION -> {
                open.remove(transaction.number());
                ended = true;
                yield Optional.empty();
            }
            case START_SAVEPOINT -> {
                if (transaction.depth() >= MAX_SAVEPOINTS + SAVEPOINTS_PER_CHANGE * transaction.changes()) {
                    throw malformed(
                            reader,
                            reader.operationOffset(),
                            transaction.depth() + " savepoints are open, too many for " + transaction.changes()
                                    + " changes");
                }
                transaction.startSavepoint();
                yield Optional.empty();
            }
            case RELEASE_SAVEPOINT -> {
                if (hasSavepoint(reader, transaction)) {
                    transaction.releaseSavepoint();
                }
                yield Optional.empty();
            }
            case ROLLBACK_SAVEPOINT -> {
                if (hasSavepoint(reader, transaction)) {
                    transaction.rollbackSavepoint();
                }
                yield Optional.empty();
            }
            case INSERT_RECORD -> row(reader, transaction, Operation.INSERT);
            case UPDATE_RECORD -> row(reader, transaction, Operation.UPDATE);
            case DELETE_RECORD -> row(reader, transaction, Operation.DELETE);
            case STORE_BLOB -> {
                transaction.blob(reader.blobId(), reader.blobFinished());
                yield Optional.empty();
            }
            case EXECUTE_SQL, EXECUTE_SQL_INTL -> {
                transaction.statement(
                        settings.statements().read(reader), settings.selection().ddl());
                yield Optional.empty();
            }
            case CLEANUP_TRANSACTION, SET_SEQUENCE, DEFINE_ATOM ->
                throw new IllegalStateException(operation + " is handled before");
        };
    }

    private Optional<JournalItem> row(SegmentReader reader, OpenTransaction transaction, Operation operation) {
        ObjectName table = reader.objectName();
        boolean isWanted = settings.selection().operations().contains(operation) && isWanted(table);
        transaction.row(table, isWanted, !isDone(reader, reader.operationOffset()));
        return Optional.empty();
    }

    private boolean isWanted(ObjectName table) {
        return wanted.computeIfAbsent(table, settings.selection()::includes);
    }

    private boolean hasSavepoint(SegmentReader reader, OpenTransaction transaction) {
        if (transaction.depth() > 0) {
            return true;
        }
        listener.savepointUnderflow(transaction.number(), reader.operationPosition());
        return false;
    }

    private void checkBlobContinues(SegmentReader reader, OpenTransaction transaction, OperationType operation) {
        boolean undoes =
                operation == OperationType.ROLLBACK_TRANSACTION || operation == OperationType.ROLLBACK_SAVEPOINT;
        boolean continues = operation == OperationType.STORE_BLOB && reader.blobId() == transaction.unfinishedBlob();
        if (!undoes && !continues) {
            throw malformed(
                    reader,
                    reader.operationOffset(),
                    "transaction " + transaction.number() + " must go on with blob "
                            + blobText(transaction.unfinishedBlob()) + ", but " + operation + " stands here");
        }
    }

    private static String blobText(long id) {
        return Long.toHexString(id >>> 32) + ":" + Long.toHexString(id & 0xFFFF_FFFFL);
    }

    private Optional<JournalItem> sequence(SegmentReader reader) {
        if (!settings.selection().sequences()
                || isDone(reader, reader.operationOffset())
                || reader.objectName().equals(BACKUP_HISTORY)) {
            return Optional.empty();
        }
        SequenceValue value = new SequenceValue(
                settings.guid(),
                reader.operationPosition(),
                reader.file().fileName(),
                reader.file().modifiedMillis(),
                reader.objectName(),
                reader.sequenceValue(),
                settings.encoder());
        return Optional.of(new JournalItem(
                Optional.empty(), List.of(), Optional.of(value), value.position(), behindOperation(reader)));
    }

    private JournalPosition behindOperation(SegmentReader reader) {
        return new JournalPosition(reader.sequence(), reader.operationOffset() + 1);
    }

    private void cleanup(SegmentReader reader) {
        if (reader.transaction() != 0) {
            bury(reader, reader.transaction());
            ended = true;
            return;
        }
        Set<Long> all = new LinkedHashSet<>(restoring.keySet());
        all.addAll(open.keySet());
        for (long number : all) {
            bury(reader, number);
        }
    }

    private void bury(SegmentReader reader, long number) {
        OpenTransaction transaction = open.remove(number);
        OpenTransactionState waiting = restoring.remove(number);
        if (transaction != null || waiting != null) {
            listener.cleanedUp(
                    number,
                    reader.operationPosition(),
                    transaction != null ? transaction.changes() : waiting.changes());
            dead.add(number);
            deadGiven = Optional.empty();
            if (dead.size() > MAX_DEAD) {
                Iterator<Long> oldest = dead.iterator();
                oldest.next();
                oldest.remove();
            }
        }
    }

    /** A block of a transaction whose beginning was not read. */
    private Optional<JournalItem> withoutTransaction(SegmentReader reader, OperationType operation) {
        if (isDone(reader, reader.operationOffset())) {
            return Optional.empty();
        }
        if (operation == OperationType.COMMIT_TRANSACTION) {
            if (reader.transaction() > incompleteUpTo) {
                throw new UnknownTransactionException(
                        reader.file().fileName(), reader.operationPosition(), reader.transaction());
            }
            listener.incompleteTransaction(reader.transaction(), reader.operationPosition(), true);
        } else if (operation == OperationType.ROLLBACK_TRANSACTION) {
            listener.incompleteTransaction(reader.transaction(), reader.operationPosition(), false);
        }
        return Optional.empty();
    }

    private Optional<JournalItem> commit(SegmentReader reader, OpenTransaction transaction) {
        if (transaction.depth() > 0) {
            listener.openSavepointsAtCommit(transaction.number(), reader.operationPosition(), transaction.depth());
        }
        open.remove(transaction.number());
        ended = true;
        JournalPosition position = reader.operationPosition();
        TransactionInfo info = new TransactionInfo(
                settings.guid(),
                transaction.number(),
                transaction.begin(),
                position,
                reader.file().fileName(),
                reader.file().modifiedMillis());
        if (transaction.kept().isEmpty()) {
            return Optional.empty();
        }
        OpenTransaction.Kept kept = transaction.kept().get();
        List<DdlStatement> statements = kept.statements.stream()
                .map(OpenTransaction.PlacedStatement::statement)
                .toList();
        JournalTransaction committed = new JournalTransaction(settings, info, kept);
        if (committed.eventCount() == 0 && statements.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new JournalItem(
                Optional.of(committed), statements, Optional.empty(), position, behindOperation(reader)));
    }

    private static JournalFormatException malformed(SegmentReader reader, long offset, String problem) {
        return new JournalFormatException(
                reader.file().fileName(), new JournalPosition(reader.sequence(), offset), problem);
    }
}
