package org.firebirdcdc.journal;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The 48 bytes at the start of a segment file (segment-format.md 1.2).
 *
 * <pre>
 *   12 bytes  "FBCHANGELOG" and one NUL
 *   u16       version, always 1
 *   u16       state
 *   16 bytes  GUID
 *   u64       sequence
 *   u64       length: header and all complete blocks, bytes
 * </pre>
 *
 * @param state    state of the file
 * @param guid     database that wrote it
 * @param sequence number of the segment
 * @param length   used bytes of the file, 48 or more; a value beyond 2^63 is given as {@link Long#MAX_VALUE} (no file is
 *                 that long)
 */
public record SegmentHeader(SegmentState state, DatabaseGuid guid, long sequence, long length) {

    /** Bytes of the header. */
    public static final int SIZE = 48;

    private static final byte[] SIGNATURE = "FBCHANGELOG\0".getBytes(StandardCharsets.US_ASCII);
    private static final int VERSION = 1;

    /**
     * @param file           file name, for errors
     * @param nameSequence   number in the file's name, for the position in errors
     * @param bytes          at least 48 bytes
     * @throws JournalFormatException if signature, version, state or length are not those of a segment
     */
    public static SegmentHeader parse(String file, long nameSequence, byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes, 0, SIZE).order(ByteOrder.LITTLE_ENDIAN);
        if (!Arrays.equals(bytes, 0, SIGNATURE.length, SIGNATURE, 0, SIGNATURE.length)) {
            throw new JournalFormatException(
                    file, new JournalPosition(nameSequence, 0), "the signature FBCHANGELOG is missing");
        }
        in.position(SIGNATURE.length);
        int version = Short.toUnsignedInt(in.getShort());
        if (version != VERSION) {
            throw new JournalFormatException(
                    file,
                    new JournalPosition(nameSequence, 12),
                    "journal version " + version + " is unknown, this reader knows version " + VERSION);
        }
        int stateCode = Short.toUnsignedInt(in.getShort());
        SegmentState state = SegmentState.ofCode(stateCode)
                .orElseThrow(() -> new JournalFormatException(
                        file, new JournalPosition(nameSequence, 14), "segment state " + stateCode + " is unknown"));
        DatabaseGuid guid = DatabaseGuid.read(in);
        long sequence = in.getLong();
        if (sequence <= 0) {
            throw new JournalFormatException(
                    file,
                    new JournalPosition(nameSequence, 32),
                    "sequence " + Long.toUnsignedString(sequence) + " is out of range");
        }
        long length = in.getLong();
        if (length >= 0 && length < SIZE) {
            throw new JournalFormatException(
                    file,
                    new JournalPosition(nameSequence, 40),
                    "the header gives a length of " + length + " bytes, less than the header itself");
        }
        return new SegmentHeader(state, guid, sequence, length < 0 ? Long.MAX_VALUE : length);
    }
}
