package org.firebirdcdc.testing;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import org.firebirdcdc.journal.DatabaseGuid;
import org.firebirdcdc.journal.ObjectName;

/** Writes the bytes of a segment as a server does (segment-format.md 1 to 3), of either protocol. */
public final class SegmentBuilder {

    /** The database that writes unless told otherwise. */
    public static final DatabaseGuid GUID = DatabaseGuid.parse("{ACDF8355-196D-4BDB-A704-8104225851F0}");

    public static final int BEGIN = 1;
    public static final int END = 2;

    private static final int HEADER = 48;
    private static final int ARCHIVED = 3;

    private final long sequence;
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private DatabaseGuid guid = GUID;
    private int state = ARCHIVED;
    private int protocol = 1;

    private SegmentBuilder(long sequence) {
        this.sequence = sequence;
    }

    public static SegmentBuilder segment(long sequence) {
        return new SegmentBuilder(sequence);
    }

    public SegmentBuilder guid(DatabaseGuid value) {
        guid = value;
        return this;
    }

    public SegmentBuilder state(int value) {
        state = value;
        return this;
    }

    /** Protocol of the blocks from here on. */
    public SegmentBuilder protocol(int value) {
        protocol = value;
        return this;
    }

    /** The first block of a transaction: its start, then what is given. */
    public SegmentBuilder begin(long transaction, Consumer<Operations> operations) {
        return block(transaction, BEGIN, o -> operations.accept(o.start()));
    }

    /** A block that neither begins nor ends. */
    public SegmentBuilder more(long transaction, Consumer<Operations> operations) {
        return block(transaction, 0, operations);
    }

    /** An end block. */
    public SegmentBuilder end(long transaction, Consumer<Operations> operations) {
        return block(transaction, END, operations);
    }

    /** An end block with nothing but the commit. */
    public SegmentBuilder commit(long transaction) {
        return end(transaction, Operations::commit);
    }

    /** A whole small transaction as a server writes it: two blocks. */
    public SegmentBuilder committed(long transaction, Consumer<Operations> operations) {
        return begin(transaction, operations).commit(transaction);
    }

    /** The server found dead transactions after a crash: all open ones are dropped. */
    public SegmentBuilder cleanupAll() {
        return end(0, Operations::cleanup);
    }

    public SegmentBuilder block(long transaction, int flags, Consumer<Operations> operations) {
        Operations made = new Operations(protocol);
        operations.accept(made);
        byte[] bytes = made.bytes();
        body.writeBytes(ByteBuffer.allocate(16)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(transaction)
                .putShort((short) protocol)
                .putShort((short) flags)
                .putInt(bytes.length)
                .array());
        body.writeBytes(bytes);
        return this;
    }

    /** Bytes as they are, between blocks. */
    public SegmentBuilder raw(byte[] bytes) {
        body.writeBytes(bytes);
        return this;
    }

    /** Where the next block will stand. */
    public long offset() {
        return HEADER + body.size();
    }

    public byte[] bytes() {
        ByteBuffer out = ByteBuffer.allocate(HEADER + body.size()).order(ByteOrder.LITTLE_ENDIAN);
        out.put("FBCHANGELOG\0".getBytes(StandardCharsets.US_ASCII));
        out.putShort((short) 1).putShort((short) state);
        UUID uuid = guid.value();
        out.putInt((int) (uuid.getMostSignificantBits() >>> 32));
        out.putShort((short) (uuid.getMostSignificantBits() >>> 16));
        out.putShort((short) uuid.getMostSignificantBits());
        out.order(ByteOrder.BIG_ENDIAN).putLong(uuid.getLeastSignificantBits()).order(ByteOrder.LITTLE_ENDIAN);
        out.putLong(sequence).putLong(HEADER + body.size());
        out.put(body.toByteArray());
        return out.array();
    }

    public String fileName() {
        return fileName("demo.fdb");
    }

    public String fileName(String prefix) {
        return String.format("%s.journal-%09d", prefix, sequence);
    }

    /** Writes the file under its name, replacing one that is there. */
    public Path write(Path directory) {
        return write(directory, fileName());
    }

    public Path write(Path directory, String name) {
        try {
            Files.createDirectories(directory);
            return Files.write(directory.resolve(name), bytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The operations of one block; names are defined when they are first used. */
    public static final class Operations {

        private final int protocol;
        private final ByteArrayOutputStream out = new ByteArrayOutputStream();
        private final List<String> atoms = new ArrayList<>();

        Operations(int protocol) {
            this.protocol = protocol;
        }

        byte[] bytes() {
            return out.toByteArray();
        }

        public Operations start() {
            return raw(1);
        }

        public Operations prepare() {
            return raw(2);
        }

        public Operations commit() {
            return raw(3);
        }

        public Operations rollback() {
            return raw(4);
        }

        public Operations cleanup() {
            return raw(5);
        }

        public Operations savepoint() {
            return raw(6);
        }

        public Operations release() {
            return raw(7);
        }

        public Operations undo() {
            return raw(8);
        }

        public Operations insert(ObjectName table, byte[] image) {
            return object(9, table).image(image);
        }

        public Operations update(ObjectName table, byte[] before, byte[] after) {
            return object(10, table).image(before).image(after);
        }

        public Operations delete(ObjectName table, byte[] image) {
            return object(11, table).image(image);
        }

        /** A whole blob, or its last piece. */
        public Operations blob(long id, String... chunks) {
            return blobPart(id, chunks).u16(0);
        }

        /** A piece of a blob without its end: must be the last operation of the block. */
        public Operations blobPart(long id, String... chunks) {
            raw(12).u32((int) (id >>> 32)).u32((int) id);
            for (String chunk : chunks) {
                byte[] bytes = chunk.getBytes(StandardCharsets.UTF_8);
                u16(bytes.length);
                out.writeBytes(bytes);
            }
            return this;
        }

        /** A statement in UTF-8. */
        public Operations sql(String owner, String text) {
            return sql(owner, "\"PUBLIC\", \"SYSTEM\"", 4, text.getBytes(StandardCharsets.UTF_8));
        }

        public Operations sql(String owner, String searchPath, int charset, byte[] text) {
            int ownerAtom = atom(owner);
            int pathAtom = protocol == 2 ? atom(searchPath) : -1;
            raw(15).u32(ownerAtom);
            if (protocol == 2) {
                u32(pathAtom);
            }
            return raw(charset).image(text);
        }

        /** The statement operation that no server writes today: always UTF-8, no search path. */
        public Operations plainSql(String owner, String text) {
            int ownerAtom = atom(owner);
            return raw(13).u32(ownerAtom).image(text.getBytes(StandardCharsets.UTF_8));
        }

        public Operations sequence(ObjectName sequence, long value) {
            object(14, sequence);
            out.writeBytes(ByteBuffer.allocate(8)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putLong(value)
                    .array());
            return this;
        }

        /** Defines a name; gives its number in the block. */
        public int atom(String name) {
            return atom(name, name.getBytes(StandardCharsets.UTF_8));
        }

        public int atom(String name, byte[] bytes) {
            int known = atoms.indexOf(name);
            if (known >= 0) {
                return known;
            }
            raw(16).raw(bytes.length);
            out.writeBytes(bytes);
            atoms.add(name);
            return atoms.size() - 1;
        }

        public Operations raw(int... bytes) {
            for (int b : bytes) {
                out.write(b);
            }
            return this;
        }

        public Operations u16(int value) {
            return raw(value & 0xFF, value >>> 8);
        }

        public Operations u32(int value) {
            return raw(value & 0xFF, value >>> 8 & 0xFF, value >>> 16 & 0xFF, value >>> 24);
        }

        private Operations object(int code, ObjectName name) {
            int schema = protocol == 2 ? atom(name.schema()) : -1;
            int own = atom(name.name());
            raw(code);
            if (protocol == 2) {
                u32(schema);
            }
            return u32(own);
        }

        private Operations image(byte[] bytes) {
            u32(bytes.length);
            out.writeBytes(bytes);
            return this;
        }
    }
}
