package org.firebirdcdc.transaction;

import java.io.Closeable;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.stream.Stream;
import org.firebirdcdc.journal.JournalPosition;
import org.firebirdcdc.journal.ObjectName;
import org.firebirdcdc.journal.SegmentReader;
import org.firebirdcdc.record.BlobContent;
import org.firebirdcdc.record.BlobSource;
import org.firebirdcdc.record.RecordContext;
import org.firebirdcdc.record.RecordDecodeException;
import org.firebirdcdc.record.Row;
import org.firebirdcdc.schema.DdlStatement;
import org.firebirdcdc.schema.FormatResolver;
import org.firebirdcdc.schema.TableVersion;
import org.firebirdcdc.schema.UnknownFormatException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The decode pass over one transaction: reads its blocks again, in order, and gives the events that no savepoint took back.
 * Holds one open segment and the blobs of one row. Closes itself at the end; not thread-safe.
 */
public final class EventIterator implements Iterator<JournalEvent>, Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(EventIterator.class);

    /** Blobs up to this size are taken from the read buffer as they pass; larger ones are read again when asked for. */
    private static final int BLOB_IN_MEMORY = 64 * 1024;

    private final TransactionSettings settings;
    private final TransactionInfo info;
    private final BlockReferences.Cursor blocks;
    private final UndoneRanges.Cursor undone;
    private final OnDecodeError onDecodeError;

    private Optional<SegmentReader> segment = Optional.empty();
    private boolean inBlock;
    private long ordinal;
    private long order;
    private long skipped;
    private final Map<ObjectName, TableState> tables = new HashMap<>();
    private Map<Long, JournalBlob> blobs = new HashMap<>();
    private Optional<JournalEvent> next = Optional.empty();
    private boolean finished;

    /** What is remembered per table while a transaction is read. */
    private static final class TableState {
        final boolean wanted;
        long changes;
        /** Length of the images that {@link #resolution} is for. */
        int length = -1;

        Optional<FormatResolver.Resolution> resolution = Optional.empty();

        TableState(boolean wanted) {
            this.wanted = wanted;
        }
    }

    EventIterator(
            TransactionSettings settings,
            TransactionInfo info,
            BlockReferences.Cursor blocks,
            UndoneRanges.Cursor undone,
            OnDecodeError onDecodeError) {
        this.settings = settings;
        this.info = info;
        this.blocks = blocks;
        this.undone = undone;
        this.onDecodeError = onDecodeError;
    }

    @Override
    public boolean hasNext() {
        if (next.isEmpty() && !finished) {
            next = advance(false);
        }
        return next.isPresent();
    }

    /**
     * @throws RecordDecodeException if a record cannot be decoded, or its format is not known
     * @throws org.firebirdcdc.journal.JournalException if the journal cannot be read any more
     */
    @Override
    public JournalEvent next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        JournalEvent event = next.orElseThrow();
        next = Optional.empty();
        return event;
    }

    /** Checks every record instead of giving events; gives how many are left out by the skip policy. */
    long verifyAll() {
        while (!finished) {
            advance(true);
        }
        return skipped;
    }

    /** The next event; empty at the end. */
    private Optional<JournalEvent> advance(boolean verify) {
        try {
            while (true) {
                if (inBlock) {
                    SegmentReader reader = segment.orElseThrow();
                    while (reader.nextOperation()) {
                        Optional<JournalEvent> event = apply(reader, verify);
                        if (event.isPresent()) {
                            return event;
                        }
                    }
                }
                if (!blocks.advance()) {
                    close();
                    return Optional.empty();
                }
                reader(blocks.segment()).moveToBlock(blocks.offset());
                inBlock = true;
            }
        } catch (RuntimeException e) {
            // a reader that has failed is nobody else's any more
            finished = true;
            segment.ifPresent(SegmentReader::close);
            segment = Optional.empty();
            throw e;
        }
    }

    private SegmentReader reader(long sequence) {
        if (segment.isEmpty() || segment.get().sequence() != sequence) {
            giveBackReader();
            SegmentReader opened = settings.readers().take(settings.files().segment(sequence));
            opened.captureBlobs(BLOB_IN_MEMORY);
            segment = Optional.of(opened);
        }
        return segment.get();
    }

    private Optional<JournalEvent> apply(SegmentReader reader, boolean verify) {
        return switch (reader.operation()) {
            case INSERT_RECORD -> row(reader, Operation.INSERT, verify);
            case UPDATE_RECORD -> row(reader, Operation.UPDATE, verify);
            case DELETE_RECORD -> row(reader, Operation.DELETE, verify);
            case STORE_BLOB -> {
                storeBlob(reader);
                yield Optional.empty();
            }
            case EXECUTE_SQL, EXECUTE_SQL_INTL -> statement(reader);
            case ROLLBACK_SAVEPOINT -> {
                // what was begun and taken back is not continued: a later blob of the same id is another one
                blobs.values().removeIf(blob -> !blob.isFinished());
                yield Optional.empty();
            }
            case START_TRANSACTION,
                    PREPARE_TRANSACTION,
                    COMMIT_TRANSACTION,
                    ROLLBACK_TRANSACTION,
                    CLEANUP_TRANSACTION,
                    START_SAVEPOINT,
                    RELEASE_SAVEPOINT,
                    SET_SEQUENCE,
                    DEFINE_ATOM -> Optional.empty();
        };
    }

    private void storeBlob(SegmentReader reader) {
        JournalBlob blob = blobs.get(reader.blobId());
        if (blob == null || blob.isFinished()) {
            // a finished one of the same id is an earlier generation: the latest before the row wins
            blob = new JournalBlob(settings.files());
            blobs.put(reader.blobId(), blob);
        }
        blob.add(reader, BLOB_IN_MEMORY);
    }

    private Optional<JournalEvent> statement(SegmentReader reader) {
        boolean gone = undone.isUndone(ordinal++);
        if (gone || !settings.selection().ddl()) {
            return Optional.empty();
        }
        order++;
        DdlStatement statement = settings.statements().read(reader);
        return Optional.of(new DdlEvent(
                info,
                statement.position(),
                order,
                statement.owner(),
                statement.searchPath(),
                statement.sql(),
                settings.encoder()));
    }

    private Optional<JournalEvent> row(SegmentReader reader, Operation operation, boolean verify) {
        boolean gone = undone.isUndone(ordinal++);
        Map<Long, JournalBlob> rowBlobs = blobs;
        if (!blobs.isEmpty()) {
            blobs = new HashMap<>();
        }
        TableState table = tables.computeIfAbsent(
                reader.objectName(), name -> new TableState(settings.selection().includes(name)));
        if (gone || !table.wanted || !settings.selection().operations().contains(operation)) {
            return Optional.empty();
        }
        order++;
        table.changes++;
        try {
            ChangeEvent event = change(reader, operation, table, rowBlobs);
            if (verify || onDecodeError != OnDecodeError.FAIL) {
                event.before().ifPresent(Row::verify);
                event.after().ifPresent(Row::verify);
            }
            return verify ? Optional.empty() : Optional.of(event);
        } catch (RecordDecodeException e) {
            return undecodable(reader, operation, table, e, verify);
        }
    }

    private ChangeEvent change(
            SegmentReader reader, Operation operation, TableState table, Map<Long, JournalBlob> rowBlobs) {
        JournalPosition position = reader.operationPosition();
        ObjectName name = reader.objectName();
        Optional<byte[]> before = before(reader, operation);
        Optional<byte[]> after = after(reader, operation);
        BlobSource contents = id -> Optional.<BlobContent>ofNullable(finishedBlob(rowBlobs, id));
        RecordContext context = new RecordContext(position, reader.file().fileName());
        TableVersion version = version(table, before, after, context, name);
        return new ChangeEvent(
                info,
                position,
                order,
                table.changes,
                operation,
                version,
                before.map(image -> row(version, image, BlobSource.NONE, context)),
                after.map(image -> row(version, image, contents, context)),
                settings.encoder());
    }

    /** Null if the journal holds no complete content of this id here. */
    private static JournalBlob finishedBlob(Map<Long, JournalBlob> blobs, long id) {
        JournalBlob blob = blobs.get(id);
        return blob != null && blob.isFinished() ? blob : null;
    }

    private Row row(TableVersion version, byte[] image, BlobSource contents, RecordContext context) {
        return new Row(version, image, 0, image.length, contents, settings.decoding(), context);
    }

    private static Optional<byte[]> before(SegmentReader reader, Operation operation) {
        return operation == Operation.INSERT
                ? Optional.empty()
                : Optional.of(copy(reader, reader.dataStart(), reader.dataLength()));
    }

    private static Optional<byte[]> after(SegmentReader reader, Operation operation) {
        return operation == Operation.DELETE
                ? Optional.empty()
                : Optional.of(copy(reader, reader.newImageStart(), reader.newImageLength()));
    }

    /** Rows own their images: users may keep them. */
    private static byte[] copy(SegmentReader reader, int start, int length) {
        return Arrays.copyOfRange(reader.buffer(), start, start + length);
    }

    private TableVersion version(
            TableState table, Optional<byte[]> before, Optional<byte[]> after, RecordContext context, ObjectName name) {
        int length = after.or(() -> before).orElseThrow().length;
        if (table.length == length
                && table.resolution
                        .filter(r -> context.position().isBefore(r.until()))
                        .isPresent()) {
            return table.resolution.get().version();
        }
        List<byte[]> images = Stream.concat(before.stream(), after.stream()).toList();
        try {
            FormatResolver.Resolution found = settings.formats()
                    .resolve(new FormatResolver.ImageContext(
                            name,
                            length,
                            images,
                            context.position(),
                            info.number(),
                            info.begin(),
                            table.resolution.map(FormatResolver.Resolution::version),
                            version -> images.stream().allMatch(image -> isPlausible(version, image, context))));
            table.length = length;
            table.resolution = Optional.of(found);
            return found.version();
        } catch (UnknownFormatException e) {
            throw new RecordDecodeException(context, name, Optional.empty(), e.getMessage(), e.advice());
        }
    }

    /** Blobs are left aside: whether they are there says nothing about the format. */
    private boolean isPlausible(TableVersion version, byte[] image, RecordContext context) {
        try {
            row(version, image, BlobSource.NONE, context).verify();
            return true;
        } catch (RecordDecodeException e) {
            return false;
        }
    }

    private Optional<JournalEvent> undecodable(
            SegmentReader reader, Operation operation, TableState table, RecordDecodeException cause, boolean verify) {
        return switch (onDecodeError) {
            case FAIL -> throw cause;
            case SKIP -> {
                order--;
                table.changes--;
                skipped++;
                if (verify) {
                    LOG.warn("Record left out (onDecodeError=skip): {}", cause.getMessage());
                }
                yield Optional.empty();
            }
            case RAW ->
                verify
                        ? Optional.empty()
                        : Optional.of(new RawEvent(
                                info,
                                reader.operationPosition(),
                                order,
                                operation,
                                reader.objectName(),
                                before(reader, operation),
                                after(reader, operation),
                                cause.getMessage(),
                                settings.encoder()));
        };
    }

    /** Ends the iteration early; does nothing at its end. */
    @Override
    public void close() {
        finished = true;
        giveBackReader();
    }

    private void giveBackReader() {
        segment.ifPresent(settings.readers()::giveBack);
        segment = Optional.empty();
    }
}
