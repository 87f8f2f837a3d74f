package org.firebirdcdc.cli;

import org.firebirdcdc.journal.SegmentHeader;
import org.firebirdcdc.journal.SegmentReader;

/** Prints the parts of a segment as they are met. */
interface SegmentDump {

    /**
     * @param file name of the file
     * @param size bytes in the file
     */
    void header(String file, long size, SegmentHeader header);

    /** The block at which the reader stands. */
    void block(SegmentReader reader);

    /** The operation at which the reader stands. */
    void operation(SegmentReader reader);

    /** Hands everything to the writer. */
    void flush();

    /** Id of a blob as the engine prints it: {@code 80:0}, hexadecimal. */
    static String blobId(long id) {
        return Long.toHexString(id >>> Integer.SIZE) + ":" + Long.toHexString(id & 0xFFFF_FFFFL);
    }
}
