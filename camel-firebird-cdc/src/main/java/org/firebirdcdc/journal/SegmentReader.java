package org.firebirdcdc.journal;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Optional;

/**
 * Walks the blocks of one segment and the operations of a block (segment-format.md 2 and 3), in order, through a window
 * over the file. The window grows to the largest single operation, never to a block or file; every length is compared
 * with what is left of its frame before anything is read or allocated. Nothing is allocated per operation.
 *
 * <p>Use: {@link #nextBlock()} (or {@link #moveToBlock(long)}), then {@link #nextOperation()} until it returns false.
 * What the accessors return is valid until the next move. Not thread-safe; the file is read with positional reads, so
 * several readers of one file do not disturb each other.
 */
public final class SegmentReader implements Closeable {

    /** Bytes of a block's header. */
    public static final int BLOCK_HEADER_SIZE = 16;

    private static final VarHandle U16 = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle I32 = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle I64 = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private static final int WINDOW = 256 * 1024;
    /** The window grows as reading goes on: most transactions are a few hundred bytes, and read on their own. */
    private static final int FIRST_WINDOW = 8 * 1024;

    /** Longest record image by protocol (segment-format.md 7.12); index = protocol. */
    private static final int[] MAX_RECORD = {0, 65_535, 1_048_576};
    /** Longer than any statement that a server takes. */
    private static final long MAX_SQL = 32L * 1024 * 1024;

    private static final int FLAG_BEGIN = 1;
    private static final int FLAG_END = 2;

    private final SegmentFile file;
    private final FileChannel channel;
    private final long length;
    private final Optional<MessageDigest> digest;
    private final AtomTable atoms = new AtomTable();

    private byte[] buffer;
    private long windowStart = SegmentHeader.SIZE;
    private int position;
    private int limit;
    /** First byte that a refill must keep: start of the current operation or of the current blob chunk. */
    private int keepFrom;

    private long blockOffset = -1;
    private long blockEnd = SegmentHeader.SIZE;
    private long transaction;
    private int protocol;
    private int flags;
    /** The block's transaction has ended in it. */
    private boolean ended;

    private OperationType operation = OperationType.START_TRANSACTION;
    private long operationOffset;
    private int firstAtom;
    private int secondAtom;
    private int dataStart;
    private int dataLength;
    private int newImageStart;
    private int newImageLength;
    private long number;
    private int sqlCharset;
    private long blobChunks;
    private long blobLength;
    private boolean blobFinished;

    private byte[] captured = new byte[0];
    private int captureLimit;
    private boolean atomsAreGiven;

    private SegmentReader(SegmentFile file, FileChannel channel, Optional<MessageDigest> digest) {
        this.file = file;
        this.channel = channel;
        this.length = file.header().length();
        this.digest = digest;
        this.buffer = new byte[(int) Math.min(FIRST_WINDOW, length)];
    }

    /**
     * Opens a reader before the first block.
     *
     * @throws JournalReadException if the file cannot be opened
     */
    public static SegmentReader open(SegmentFile file) {
        return open(file, Optional.empty());
    }

    /**
     * Opens a reader that feeds all bytes behind the header to a digest; it must be used from the first block to the end,
     * without {@link #moveToBlock(long)}.
     */
    static SegmentReader open(SegmentFile file, Optional<MessageDigest> digest) {
        try {
            // on Windows, Java opens with all sharing allowed: the file can be deleted while we read
            return new SegmentReader(file, FileChannel.open(file.path(), StandardOpenOption.READ), digest);
        } catch (IOException e) {
            throw new JournalReadException(
                    file.path(), "cannot be opened for reading; check that it exists and its permissions", e);
        }
    }

    public SegmentFile file() {
        return file;
    }

    public long sequence() {
        return file.sequence();
    }

    // ------------------------------------------------------------------------------------------------ blocks

    /**
     * Goes to the next block, skipping what is left of the current one.
     *
     * @return false at the end of the segment
     * @throws JournalFormatException if the block's header or body does not fit the segment, or its protocol is unknown
     */
    public boolean nextBlock() {
        skipTo(blockEnd);
        if (blockEnd == length) {
            return false;
        }
        readBlockHeader(blockEnd);
        return true;
    }

    /**
     * Goes to the block whose header stands at an offset that {@link #blockOffset()} gave earlier.
     *
     * @throws JournalFormatException as {@link #nextBlock()}
     */
    public void moveToBlock(long offset) {
        if (offset < SegmentHeader.SIZE || offset >= length) {
            throw malformed(Math.max(0, offset), "no block can begin here, the segment is " + length + " bytes long");
        }
        skipTo(offset);
        readBlockHeader(offset);
    }

    /**
     * <pre>
     *   u64  transaction number
     *   u16  protocol
     *   u16  flags: 1 begin, 2 end
     *   u32  length of the body
     * </pre>
     */
    private void readBlockHeader(long offset) {
        blockOffset = offset;
        if (length - offset < BLOCK_HEADER_SIZE) {
            throw malformed(
                    offset,
                    "a block header of " + BLOCK_HEADER_SIZE + " bytes does not fit the " + (length - offset)
                            + " bytes left in the segment");
        }
        blockEnd = offset + BLOCK_HEADER_SIZE;
        keepFrom = position;
        ensure(BLOCK_HEADER_SIZE);
        transaction = (long) I64.get(buffer, position);
        protocol = u16(position + 8);
        flags = u16(position + 10);
        long bodyLength = Integer.toUnsignedLong((int) I32.get(buffer, position + 12));
        position += BLOCK_HEADER_SIZE;
        if (transaction < 0) {
            throw malformed(offset, "transaction number " + Long.toUnsignedString(transaction) + " is out of range");
        }
        if (protocol != 1 && protocol != 2) {
            throw malformed(offset + 8, "block protocol " + protocol + " is unknown, this reader knows 1 and 2");
        }
        if (bodyLength > length - blockEnd) {
            throw malformed(
                    offset + 12,
                    "a block body of " + bodyLength + " bytes does not fit the " + (length - blockEnd)
                            + " bytes left in the segment");
        }
        blockEnd += bodyLength;
        atoms.clear();
        ended = false;
    }

    /**
     * Whether two blocks are the same to the byte, header included.
     *
     * @throws JournalReadException if one of the files cannot be read
     */
    public static boolean isSameBlock(SegmentFile file, long offset, SegmentFile otherFile, long otherOffset) {
        try (SegmentReader one = open(file);
                SegmentReader other = open(otherFile)) {
            one.moveToBlock(offset);
            other.moveToBlock(otherOffset);
            boolean same = one.transaction == other.transaction
                    && one.protocol == other.protocol
                    && one.flags == other.flags
                    && one.blockEnd - one.blockOffset == other.blockEnd - other.blockOffset;
            while (same && one.offset() < one.blockEnd) {
                int size = (int) Math.min(WINDOW, one.blockEnd - one.offset());
                same = one.take(size).equals(other.take(size));
            }
            return same;
        }
    }

    private ByteBuffer take(int size) {
        keepFrom = position;
        ensure(size);
        position += size;
        return ByteBuffer.wrap(buffer, position - size, size);
    }

    /** Offset of the block's header in the file. */
    public long blockOffset() {
        return blockOffset;
    }

    /** Offset of the first byte behind the block. */
    public long blockEnd() {
        return blockEnd;
    }

    public JournalPosition blockPosition() {
        return new JournalPosition(sequence(), blockOffset);
    }

    /** Number of the transaction that the whole block belongs to; 0 only in a cleanup of all transactions. */
    public long transaction() {
        return transaction;
    }

    /** 1 (Firebird 4 and 5) or 2 (Firebird 6). */
    public int protocol() {
        return protocol;
    }

    /** Whether the transaction begins with this block. */
    public boolean beginsTransaction() {
        return (flags & FLAG_BEGIN) != 0;
    }

    /** Whether the transaction ends with this block; only a commit operation says that it is committed. */
    public boolean endsTransaction() {
        return (flags & FLAG_END) != 0;
    }

    /** Flag bits that no server version sets today; 0 in a sound journal. */
    public int unknownFlags() {
        return flags & ~(FLAG_BEGIN | FLAG_END);
    }

    // ------------------------------------------------------------------------------------------------ operations

    /**
     * Reads the next operation of the block. Atom definitions are taken in silently, unless {@link #giveAtoms()} was
     * called.
     *
     * @return false at the end of the block
     * @throws JournalFormatException if the operation is unknown, does not fit the block or cannot stand where it does
     */
    public boolean nextOperation() {
        while (offset() < blockEnd) {
            keepFrom = position;
            operationOffset = offset();
            ensure(1);
            int code = Byte.toUnsignedInt(buffer[position++]);
            if (!OperationType.isKnown(code)) {
                throw malformed(operationOffset, "operation code " + code + " is unknown");
            }
            operation = OperationType.ofCode(code);
            checkPlace();
            switch (operation) {
                case START_TRANSACTION, PREPARE_TRANSACTION, START_SAVEPOINT, RELEASE_SAVEPOINT, ROLLBACK_SAVEPOINT -> {
                    return true;
                }
                case COMMIT_TRANSACTION, ROLLBACK_TRANSACTION, CLEANUP_TRANSACTION -> {
                    ended = true;
                    return true;
                }
                case DEFINE_ATOM -> {
                    readAtom();
                    if (atomsAreGiven) {
                        return true;
                    }
                }
                case INSERT_RECORD, DELETE_RECORD -> {
                    readObjectAtoms();
                    readImage();
                    return true;
                }
                case UPDATE_RECORD -> {
                    readUpdate();
                    return true;
                }
                case STORE_BLOB -> {
                    readBlob();
                    return true;
                }
                case SET_SEQUENCE -> {
                    readObjectAtoms();
                    ensure(Long.BYTES);
                    number = (long) I64.get(buffer, position);
                    position += Long.BYTES;
                    return true;
                }
                case EXECUTE_SQL -> {
                    firstAtom = readAtomIndex();
                    secondAtom = -1;
                    sqlCharset = CHARSET_UTF8;
                    readSql();
                    return true;
                }
                case EXECUTE_SQL_INTL -> {
                    firstAtom = readAtomIndex();
                    secondAtom = protocol == 2 ? readAtomIndex() : -1;
                    ensure(1);
                    sqlCharset = Byte.toUnsignedInt(buffer[position++]);
                    readSql();
                    return true;
                }
            }
        }
        return false;
    }

    /** Behind an end come at most values of sequences, and number 0 is that of no transaction (segment-format.md 2.2). */
    private void checkPlace() {
        boolean inTransaction = operation != OperationType.SET_SEQUENCE && operation != OperationType.DEFINE_ATOM;
        if (ended && inTransaction) {
            throw malformed(operationOffset, operation + " stands behind the end of transaction " + transaction);
        }
        if (transaction == 0 && operation != OperationType.CLEANUP_TRANSACTION) {
            throw malformed(operationOffset, operation + " stands in a block of no transaction (number 0)");
        }
    }

    private static final int CHARSET_UTF8 = 4;

    /** {@code u8 n, n bytes}: a name, numbered from 0 within the block. */
    private void readAtom() {
        ensure(1);
        int size = Byte.toUnsignedInt(buffer[position]);
        ensure(1 + size);
        atoms.define(buffer, position + 1, size);
        position += 1 + size;
    }

    private int readAtomIndex() {
        ensure(Integer.BYTES);
        int index = (int) I32.get(buffer, position);
        if (index < 0 || index >= atoms.size()) {
            throw malformed(
                    offset(),
                    "name " + Integer.toUnsignedString(index) + " is referred to, but this block has defined "
                            + atoms.size() + " so far");
        }
        position += Integer.BYTES;
        return index;
    }

    /** Protocol 1: atom of the name. Protocol 2: atom of the schema, atom of the name. */
    private void readObjectAtoms() {
        if (protocol == 2) {
            firstAtom = readValidAtom("schema");
            secondAtom = readValidAtom("object");
        } else {
            firstAtom = -1;
            secondAtom = readValidAtom("object");
        }
    }

    private int readValidAtom(String what) {
        int index = readAtomIndex();
        if (!atoms.get(index).validUtf8()) {
            throw malformed(offset() - Integer.BYTES, "the " + what + " name is not valid UTF-8");
        }
        return index;
    }

    /** {@code u32 n, n bytes}. */
    private void readImage() {
        dataLength = readImageLength();
        ensure(dataLength);
        dataStart = position;
        position += dataLength;
        newImageStart = dataStart;
        newImageLength = dataLength;
    }

    /** Old image, then new image, each {@code u32 n, n bytes}. */
    private void readUpdate() {
        readObjectAtoms();
        int oldLength = readImageLength();
        ensure(oldLength);
        position += oldLength;
        int newLength = readImageLength();
        ensure(newLength);
        // the window may have moved since the old image was met: count back from here
        newImageStart = position;
        newImageLength = newLength;
        dataStart = position - Integer.BYTES - oldLength;
        dataLength = oldLength;
        position += newLength;
    }

    private int readImageLength() {
        ensure(Integer.BYTES);
        long size = Integer.toUnsignedLong((int) I32.get(buffer, position));
        if (size > MAX_RECORD[protocol]) {
            throw malformed(
                    offset(),
                    "a record of " + size + " bytes is longer than the " + MAX_RECORD[protocol]
                            + " bytes that a server can write");
        }
        position += Integer.BYTES;
        if (size > blockEnd - offset()) {
            throw malformed(
                    offset() - Integer.BYTES,
                    "a record of " + size + " bytes does not fit the " + (blockEnd - offset())
                            + " bytes left in the block");
        }
        return (int) size;
    }

    private void readSql() {
        ensure(Integer.BYTES);
        long size = Integer.toUnsignedLong((int) I32.get(buffer, position));
        long left = blockEnd - offset() - Integer.BYTES;
        if (size > left) {
            throw malformed(
                    offset(),
                    "a statement of " + size + " bytes does not fit the " + left + " bytes left in the block");
        }
        if (size > MAX_SQL) {
            throw malformed(offset(), "a statement of " + size + " bytes is longer than any that a server takes");
        }
        position += Integer.BYTES;
        dataLength = (int) size;
        ensure(dataLength);
        dataStart = position;
        position += dataLength;
    }

    /**
     * <pre>
     *   i32 id high, i32 id low
     *   repeated: u16 n (unsigned), n bytes; n = 0 ends the blob
     * </pre>
     *
     * The block may end instead of the end marker: the blob goes on in the transaction's next block (segment-format.md
     * 3.5).
     */
    private void readBlob() {
        ensure(Long.BYTES);
        number = Integer.toUnsignedLong((int) I32.get(buffer, position)) << 32
                | Integer.toUnsignedLong((int) I32.get(buffer, position + Integer.BYTES));
        position += Long.BYTES;
        blobChunks = offset();
        blobLength = 0;
        blobFinished = false;
        while (!blobFinished && offset() < blockEnd) {
            keepFrom = position;
            ensure(Short.BYTES);
            int size = u16(position);
            position += Short.BYTES;
            if (size > blockEnd - offset()) {
                throw malformed(
                        offset() - Short.BYTES,
                        "a blob piece of " + size + " bytes does not fit the " + (blockEnd - offset())
                                + " bytes left in the block");
            }
            if (size == 0) {
                blobFinished = true;
            } else {
                takeBlobContent(size);
                blobLength += size;
            }
        }
    }

    private void takeBlobContent(int size) {
        if (blobLength + size <= captureLimit) {
            ensure(size);
            int end = (int) blobLength + size;
            if (end > captured.length) {
                captured = Arrays.copyOf(captured, Math.min(captureLimit, Math.max(end, captured.length * 2)));
            }
            System.arraycopy(buffer, position, captured, (int) blobLength, size);
            position += size;
        } else {
            skipTo(offset() + size);
        }
    }

    public OperationType operation() {
        return operation;
    }

    /** Offset of the operation's code in the file. */
    public long operationOffset() {
        return operationOffset;
    }

    public JournalPosition operationPosition() {
        return new JournalPosition(sequence(), operationOffset);
    }

    /** Offset in the file of the first byte behind the operation. */
    public long operationEnd() {
        return offset();
    }

    /** From now on {@link #nextOperation()} stops at definitions of atoms too. */
    public void giveAtoms() {
        atomsAreGiven = true;
    }

    /** Name that a DEFINE_ATOM defines; bytes that are not UTF-8 are replaced. */
    public String atomName() {
        return atoms.get(atoms.size() - 1).text();
    }

    /** Table of a record operation, sequence of a SET_SEQUENCE. Equal names of one reader are one instance. */
    public ObjectName objectName() {
        return atoms.name(
                firstAtom < 0 ? "" : atoms.get(firstAtom).text(),
                atoms.get(secondAtom).text());
    }

    /** Value of a SET_SEQUENCE. */
    public long sequenceValue() {
        return number;
    }

    /** User who ran the statement of an EXECUTE_SQL(_INTL); invalid UTF-8 is replaced. */
    public String sqlOwner() {
        return atoms.get(firstAtom).text();
    }

    /** Schema search path of the statement, as in the journal (it may be cut); empty before protocol 2. */
    public String sqlSearchPath() {
        return secondAtom < 0 ? "" : atoms.get(secondAtom).text();
    }

    /** Firebird's id of the character set of the statement's bytes. */
    public int sqlCharsetId() {
        return sqlCharset;
    }

    /** The window: images and statements stand in it at the offsets that the accessors give. Read only. */
    public byte[] buffer() {
        return buffer;
    }

    /** Start in {@link #buffer()} of the old image (update, delete), of the only image (insert) or of the statement. */
    public int dataStart() {
        return dataStart;
    }

    /** Bytes from {@link #dataStart()} on. */
    public int dataLength() {
        return dataLength;
    }

    /** Start in {@link #buffer()} of the new image of an update or insert. */
    public int newImageStart() {
        return newImageStart;
    }

    public int newImageLength() {
        return newImageLength;
    }

    /** Blob id as it stands in images: high half the first four bytes, low half the last four. */
    public long blobId() {
        return number;
    }

    /** Offset in the file of the first chunk of this piece of the blob. */
    public long blobChunksOffset() {
        return blobChunks;
    }

    /** Content bytes in this piece. */
    public long blobPieceLength() {
        return blobLength;
    }

    /** Whether the blob ends with this piece; else the transaction's next block continues it. */
    public boolean blobFinished() {
        return blobFinished;
    }

    /** From now on the content of blob pieces up to this length is kept for {@link #capturedBlob()}; 0 keeps none. */
    public void captureBlobs(int maxBytes) {
        captureLimit = maxBytes;
    }

    /** A copy of the piece's content; only if it is no longer than {@link #captureBlobs(int)} said. */
    public Optional<byte[]> capturedBlob() {
        return blobLength <= captureLimit ? Optional.of(Arrays.copyOf(captured, (int) blobLength)) : Optional.empty();
    }

    /**
     * The content of one blob piece as a stream; owns this reader from now on and closes it.
     *
     * @param chunks   {@link #blobChunksOffset()} of the piece
     * @param blockEnd {@link #blockEnd()} of its block
     */
    public InputStream blobPiece(long chunks, long blockEnd) {
        this.blockEnd = blockEnd;
        skipTo(chunks);
        return new BlobPieceStream();
    }

    private final class BlobPieceStream extends InputStream {
        private int left;
        private boolean finished;

        @Override
        public int read() {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
        }

        @Override
        public int read(byte[] target, int start, int count) {
            if (count == 0) {
                return 0;
            }
            if (left == 0 && !nextChunk()) {
                return -1;
            }
            int size = Math.min(left, Math.min(count, WINDOW));
            keepFrom = position;
            ensure(size);
            System.arraycopy(buffer, position, target, start, size);
            position += size;
            left -= size;
            return size;
        }

        private boolean nextChunk() {
            if (finished || offset() >= blockEnd) {
                finished = true;
                return false;
            }
            keepFrom = position;
            ensure(Short.BYTES);
            left = u16(position);
            position += Short.BYTES;
            finished = left == 0;
            return !finished;
        }

        @Override
        public void close() {
            SegmentReader.this.close();
        }
    }

    // ------------------------------------------------------------------------------------------------ window

    private int u16(int index) {
        return Short.toUnsignedInt((short) U16.get(buffer, index));
    }

    /** Offset in the file of the next byte to read. */
    private long offset() {
        return windowStart + position;
    }

    /** Makes the next {@code count} bytes available in the window, which must lie inside the block. */
    private void ensure(int count) {
        if (limit - position >= count && blockEnd - offset() >= count) {
            return;
        }
        if (count > blockEnd - offset()) {
            throw malformed(
                    offset(), count + " bytes are needed, but " + (blockEnd - offset()) + " are left in the block");
        }
        int kept = limit - keepFrom;
        int needed = position - keepFrom + count;
        byte[] target = buffer;
        if (needed > buffer.length) {
            target = new byte[Integer.highestOneBit(needed - 1) << 1];
        } else if (buffer.length < WINDOW && buffer.length < length) {
            target = new byte[Math.min(buffer.length * 2, WINDOW)];
        }
        System.arraycopy(buffer, keepFrom, target, 0, kept);
        buffer = target;
        windowStart += keepFrom;
        position -= keepFrom;
        keepFrom = 0;
        limit = kept;
        fill(needed);
    }

    /** Reads from the file until the window holds {@code needed} bytes, and as many more as fit and are there. */
    private void fill(int needed) {
        int wanted = (int) Math.min(buffer.length, length - windowStart);
        try {
            while (limit < needed) {
                int got = channel.read(ByteBuffer.wrap(buffer, limit, wanted - limit), windowStart + limit);
                if (got < 0) {
                    throw new IOException("the file ends at byte " + (windowStart + limit) + " of " + length);
                }
                int from = limit;
                digest.ifPresent(d -> d.update(buffer, from, got));
                limit += got;
            }
        } catch (IOException e) {
            throw new JournalReadException(
                    file.path(),
                    "cannot be read at offset " + (windowStart + limit) + " (" + e.getMessage()
                            + "); it is read again at the next poll",
                    e);
        }
    }

    /** Moves to an offset in the file; with a digest only forwards, and every byte on the way is read. */
    private void skipTo(long target) {
        if (target >= windowStart && target <= windowStart + limit) {
            position = (int) (target - windowStart);
        } else if (digest.isEmpty()) {
            windowStart = target;
            position = 0;
            limit = 0;
        } else {
            while (target > windowStart + limit) {
                windowStart += limit;
                limit = 0;
                fill((int) Math.min(buffer.length, target - windowStart));
            }
            position = (int) (target - windowStart);
        }
        keepFrom = position;
    }

    private JournalFormatException malformed(long offset, String problem) {
        return new JournalFormatException(file.fileName(), new JournalPosition(sequence(), offset), problem);
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new JournalReadException(file.path(), "cannot be closed", e);
        }
    }
}
