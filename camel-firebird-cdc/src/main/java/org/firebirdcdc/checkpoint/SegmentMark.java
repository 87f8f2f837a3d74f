package org.firebirdcdc.checkpoint;

import java.util.Objects;

/**
 * A segment that was read and may come again: as the same file, as a copy, or with other content after a crash of the
 * server (segment-format.md 1.5).
 *
 * @param sequence    its number
 * @param length      length in its header, bytes
 * @param modifiedMillis last-modified time of the file; another one means that the content must be looked at again.
 *                    1 ms before 1970 as long as the file is removed: whatever comes is looked at
 * @param digest      SHA-256 of the bytes behind the header, lower-case hex
 * @param holdsCommit whether a transaction commits in it
 * @param leftOver    whether it is known to be left over from before a crash: it waits to be overwritten
 */
public record SegmentMark(
        long sequence, long length, long modifiedMillis, String digest, boolean holdsCommit, boolean leftOver) {

    /** A time that no file has. */
    private static final long NO_FILE = -1;

    /** The same segment, whose file was removed when it was finished. */
    public SegmentMark withoutFile() {
        return new SegmentMark(sequence, length, NO_FILE, digest, holdsCommit, leftOver);
    }

    /** The same segment, known to be left over from before a crash. */
    public SegmentMark asLeftOver() {
        return new SegmentMark(sequence, length, modifiedMillis, digest, holdsCommit, true);
    }

    public SegmentMark {
        Objects.requireNonNull(digest, "digest");
    }
}
