package org.firebirdcdc.journal;

/** Gives the segment files of one history by number, for second reads. Used by one thread at a time. */
public interface JournalFiles {

    /**
     * @param sequence number of a segment that was read before and is still needed
     * @throws JournalReadException if it is not there or cannot be opened
     */
    SegmentFile segment(long sequence);
}
