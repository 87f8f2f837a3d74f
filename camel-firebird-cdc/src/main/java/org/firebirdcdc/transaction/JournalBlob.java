package org.firebirdcdc.transaction;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.firebirdcdc.journal.JournalException;
import org.firebirdcdc.journal.JournalFiles;
import org.firebirdcdc.journal.SegmentReader;
import org.firebirdcdc.record.BlobContent;

/**
 * A blob as the pieces in which it stands in the journal (segment-format.md 3.5). Small contents are kept in memory, since
 * they were just read; of larger ones only the places.
 */
final class JournalBlob implements BlobContent {

    private final JournalFiles files;
    private final List<Piece> pieces = new ArrayList<>(1);
    private long length;
    private Optional<byte[]> bytes;
    private boolean finished;

    /** Where one piece stands: its chunks begin at an offset in a segment and end before the end of the block at latest. */
    private record Piece(long segment, long chunks, long blockEnd) {}

    JournalBlob(JournalFiles files) {
        this.files = files;
        this.bytes = Optional.of(new byte[0]);
    }

    boolean isFinished() {
        return finished;
    }

    /** Takes the piece at which the reader stands; content of up to {@code maxInMemory} bytes is kept. */
    void add(SegmentReader reader, int maxInMemory) {
        pieces.add(new Piece(reader.sequence(), reader.blobChunksOffset(), reader.blockEnd()));
        long total = length + reader.blobPieceLength();
        if (total <= maxInMemory && bytes.isPresent() && reader.capturedBlob().isPresent()) {
            byte[] piece = reader.capturedBlob().get();
            byte[] joined = length == 0 ? piece : Arrays.copyOf(bytes.get(), (int) total);
            if (length > 0) {
                System.arraycopy(piece, 0, joined, (int) length, piece.length);
            }
            bytes = Optional.of(joined);
        } else {
            bytes = Optional.empty();
        }
        length = total;
        finished = reader.blobFinished();
    }

    @Override
    public long length() {
        return length;
    }

    @Override
    public Optional<byte[]> inMemory() {
        return bytes;
    }

    @Override
    public InputStream open() throws IOException {
        return bytes.<InputStream>map(java.io.ByteArrayInputStream::new)
                .orElseGet(() -> new PieceStream(pieces.iterator()));
    }

    /** The pieces one after the other; opens a segment when its piece is reached. */
    private final class PieceStream extends InputStream {
        private final Iterator<Piece> rest;
        private InputStream piece = InputStream.nullInputStream();

        PieceStream(Iterator<Piece> rest) {
            this.rest = rest;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
        }

        @Override
        public int read(byte[] target, int start, int count) throws IOException {
            try {
                int got = piece.read(target, start, count);
                while (got < 0 && rest.hasNext()) {
                    piece.close();
                    Piece next = rest.next();
                    piece = SegmentReader.open(files.segment(next.segment())).blobPiece(next.chunks(), next.blockEnd());
                    got = piece.read(target, start, count);
                }
                return got;
            } catch (JournalException e) {
                throw new IOException(
                        "the blob cannot be read from the journal any more (a blob must be read before its exchange is"
                                + " done): " + e.getMessage(),
                        e);
            }
        }

        @Override
        public void close() throws IOException {
            piece.close();
        }
    }
}
