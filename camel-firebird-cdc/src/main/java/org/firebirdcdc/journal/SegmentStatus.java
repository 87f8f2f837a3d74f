package org.firebirdcdc.journal;

import java.util.Optional;

/**
 * What a look at a file with a segment's name gives (segment-format.md 1.4, 11).
 *
 * @param name    the file's name
 * @param kind    whether it can be read
 * @param segment the segment; present for {@link Kind#COMPLETE}, and for {@link Kind#IN_USE} if all that its header tells
 *                is there: the blocks so far
 * @param header  its header; present as soon as 48 bytes are there and sound
 * @param size    bytes in the file
 * @param error   why the header is not sound; present for {@link Kind#DAMAGED}
 */
public record SegmentStatus(
        SegmentName name,
        Kind kind,
        Optional<SegmentFile> segment,
        Optional<SegmentHeader> header,
        long size,
        Optional<JournalFormatException> error) {

    /** How far a file is. */
    public enum Kind {
        /** Ready to be read. */
        COMPLETE,
        /** Fewer bytes than the header says, not even a header, or not to be opened: still being copied, or cut off. */
        INCOMPLETE,
        /** The server still writes to it (state USED). */
        IN_USE,
        /** A file of a journal directory that waits to be used again (state FREE). */
        FREE,
        /** The header is not that of a segment. */
        DAMAGED
    }

    /** "1234 of 5678 bytes", for messages about an incomplete file. */
    public String progress() {
        return header.map(h -> size + " of " + h.length() + " bytes")
                .orElse(
                        size < SegmentHeader.SIZE
                                ? size + " bytes, less than a header"
                                : size + " bytes, but it cannot be opened; check its permissions");
    }
}
