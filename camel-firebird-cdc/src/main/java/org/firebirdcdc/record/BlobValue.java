package org.firebirdcdc.record;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.Optional;
import java.util.function.Function;
import org.firebirdcdc.schema.DataType;
import org.firebirdcdc.schema.ValueType;

/**
 * A blob: its id and, where the journal has it, its content. New rows have the content of each blob; old rows and deleted
 * ones have ids only (segment-format.md 3.6). Reads from the journal each time it is asked; safe for several threads.
 */
public final class BlobValue {

    private static final int LARGEST_ARRAY = Integer.MAX_VALUE - 8;

    private static final BlobContent EMPTY = new BlobContent() {
        @Override
        public long length() {
            return 0;
        }

        @Override
        public Optional<byte[]> inMemory() {
            return Optional.of(new byte[0]);
        }

        @Override
        public InputStream open() {
            return InputStream.nullInputStream();
        }
    };

    private final long id;
    private final ValueType type;
    private final Optional<BlobContent> content;
    private final RecordDecoding decoding;
    private final Function<BadValueException, RecordDecodeException> site;

    private BlobValue(
            long id,
            ValueType type,
            Optional<BlobContent> content,
            RecordDecoding decoding,
            Function<BadValueException, RecordDecodeException> site) {
        this.id = id;
        this.type = type;
        this.content = content;
        this.decoding = decoding;
        this.site = site;
    }

    /**
     * @param site says where, for errors
     * @throws BadValueException if the source should have the content and has not
     */
    static BlobValue of(
            long id,
            ValueType type,
            BlobSource blobs,
            RecordDecoding decoding,
            Function<BadValueException, RecordDecodeException> site) {
        return new BlobValue(id, type, content(id, blobs), decoding, site);
    }

    /**
     * Content of a blob or array of a row.
     *
     * @return empty only from {@link BlobSource#NONE}
     */
    static Optional<BlobContent> content(long id, BlobSource blobs) {
        if (id == 0) {
            return Optional.of(EMPTY);
        }
        Optional<BlobContent> found = blobs.content(id);
        if (found.isEmpty() && blobs != BlobSource.NONE) {
            throw new BadValueException(
                    "the content of blob " + idText(id) + " is not in the journal before its row",
                    "The segment is damaged, or the metadata in use is not that of this change");
        }
        return found;
    }

    /** All bytes of a content. */
    static byte[] read(BlobContent content) {
        if (content.inMemory().isPresent()) {
            return content.inMemory().get();
        }
        if (content.length() > LARGEST_ARRAY) {
            throw new IllegalStateException(
                    "a blob of " + content.length() + " bytes does not fit an array: read it as a stream");
        }
        int length = (int) content.length();
        try (InputStream in = content.open()) {
            byte[] bytes = in.readNBytes(length);
            if (bytes.length != length) {
                throw new IOException("the segments hold " + bytes.length + " bytes of a blob of " + length);
            }
            return bytes;
        } catch (IOException e) {
            throw unreadable(e);
        }
    }

    /** As in the image: high half the first four bytes. 0 is the empty blob. */
    public long id() {
        return id;
    }

    /** BLOB SUB_TYPE: 1 is text. */
    public int subType() {
        return type.subType();
    }

    /** Whether the content is text: sub type 1 in any set but OCTETS. */
    public boolean isText() {
        return type.type() == DataType.BLOB && !type.isBinary();
    }

    /** Firebird's character set id of a text blob. */
    public int charsetId() {
        return type.charsetId();
    }

    /** Stored bytes; empty if the journal holds only the id. */
    public Optional<BlobContent> content() {
        return content;
    }

    /**
     * The stored bytes; the caller's to keep.
     *
     * @throws IllegalStateException if the journal holds only the id, or the content does not fit an array
     * @throws UncheckedIOException  if the journal cannot be read any more
     */
    public byte[] bytes() {
        byte[] bytes = read(presentContent());
        return presentContent().inMemory().isPresent() ? bytes.clone() : bytes;
    }

    /**
     * A stream of the stored bytes, straight from the journal; the caller closes it.
     *
     * @throws IllegalStateException if the journal holds only the id
     * @throws IOException           if the journal cannot be read any more
     */
    public InputStream open() throws IOException {
        BlobContent present = presentContent();
        return present.inMemory().isPresent()
                ? new ByteArrayInputStream(present.inMemory().get())
                : present.open();
    }

    /**
     * The text.
     *
     * @throws IllegalStateException if this is no text, the journal holds only the id, or the content does not fit an array
     * @throws RecordDecodeException if the bytes are malformed and that is an error, or the character set is unknown
     * @throws UncheckedIOException  if the journal cannot be read any more
     */
    public String text() {
        requireText();
        byte[] bytes = read(presentContent());
        try {
            TextCodec codec = decoding.codec(type.charsetId());
            return decoding.text(codec, type.charsetId(), bytes, 0, bytes.length);
        } catch (BadValueException e) {
            throw site.apply(e);
        }
    }

    /**
     * A reader of the text, straight from the journal, for text of any length; the caller closes it. It throws a
     * {@link RecordDecodeException} where it meets malformed text, if that is an error.
     *
     * @throws IllegalStateException if this is no text, or the journal holds only the id
     * @throws RecordDecodeException if the character set is unknown
     * @throws IOException           if the journal cannot be read any more
     */
    public Reader reader() throws IOException {
        requireText();
        TextCodec codec;
        try {
            codec = decoding.codec(type.charsetId());
        } catch (BadValueException e) {
            throw site.apply(e);
        }
        return new TextReader(
                open(), codec.newDecoder(), decoding, () -> site.apply(decoding.malformed(type.charsetId())));
    }

    /**
     * Finds what {@link #text()} would throw, if the content is in memory or {@link RecordDecoding#withCheckedBlobs} asks
     * for it.
     *
     * @throws UncheckedIOException if the journal cannot be read any more
     */
    void check() {
        if (!isText() || content.isEmpty()) {
            return;
        }
        Optional<byte[]> inMemory = content.get().inMemory();
        if (inMemory.isEmpty() && content.get().length() > decoding.checkedBlobs()) {
            return;
        }
        TextCodec codec = decoding.codec(type.charsetId());
        if (decoding.malformedText() == MalformedText.FAIL) {
            if (inMemory.isEmpty()) {
                readThrough();
            } else if (!codec.isValid(inMemory.get(), 0, inMemory.get().length)) {
                throw decoding.malformed(type.charsetId());
            }
        }
    }

    private void readThrough() {
        try (Reader reader = reader()) {
            reader.transferTo(Writer.nullWriter());
        } catch (IOException e) {
            throw unreadable(e);
        }
    }

    private static UncheckedIOException unreadable(IOException cause) {
        return new UncheckedIOException("a blob cannot be read from the journal: " + cause.getMessage(), cause);
    }

    private void requireText() {
        if (!isText()) {
            throw new IllegalStateException("a blob of sub type " + type.subType() + " is not text: read its bytes");
        }
    }

    private BlobContent presentContent() {
        return content.orElseThrow(() -> new IllegalStateException("the journal holds only the id of blob " + idText(id)
                + ", as of all blobs in old rows: ask content() first"));
    }

    /** As the server prints blob ids: both halves in hexadecimal. */
    static String idText(long id) {
        return Long.toHexString(id >>> Integer.SIZE) + ":" + Integer.toHexString((int) id);
    }

    /** Names the blob without its content. */
    @Override
    public String toString() {
        return "blob " + idText(id)
                + content.map(found -> " of " + found.length() + " bytes").orElse("");
    }
}
