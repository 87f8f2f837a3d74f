package org.firebirdcdc.journal;

/**
 * A place in the journal of one database: orders first by segment sequence, then by byte offset from the start of the
 * segment file (so the first block of a segment stands at offset 48).
 *
 * @param segment sequence number of the segment, 1 or more; 0 stands before every segment
 * @param offset  byte offset from the start of the file, 0 or more
 */
public record JournalPosition(long segment, long offset) implements Comparable<JournalPosition> {

    /** Before everything. */
    public static final JournalPosition START = new JournalPosition(0, 0);

    public JournalPosition {
        if (segment < 0 || offset < 0) {
            throw new IllegalArgumentException("negative journal position " + segment + ":" + offset);
        }
    }

    /**
     * Exact inverse of {@link #toString()}.
     *
     * @throws IllegalArgumentException on anything else
     */
    public static JournalPosition parse(String text) {
        int colon = text.indexOf(':');
        try {
            JournalPosition position = new JournalPosition(
                    Long.parseLong(text.substring(0, Math.max(colon, 0))), Long.parseLong(text.substring(colon + 1)));
            if (position.toString().equals(text)) {
                return position;
            }
        } catch (NumberFormatException e) {
            // falls through to the one error for all malformed texts
        }
        throw new IllegalArgumentException("not a journal position (<segment>:<offset>): " + text);
    }

    @Override
    public int compareTo(JournalPosition other) {
        int bySegment = Long.compare(segment, other.segment);
        return bySegment != 0 ? bySegment : Long.compare(offset, other.offset);
    }

    public boolean isBefore(JournalPosition other) {
        return compareTo(other) < 0;
    }

    /** The written form used in headers, checkpoints and output: {@code <segment>:<offset>}. */
    @Override
    public String toString() {
        return segment + ":" + offset;
    }
}
