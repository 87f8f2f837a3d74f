package org.firebirdcdc.record;

import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/** Content of a blob or array as it stands in the journal: stored bytes, in the blob's own character set. */
public interface BlobContent {

    /** Bytes. */
    long length();

    /** The bytes, if they are in memory already; not to be changed. */
    Optional<byte[]> inMemory();

    /**
     * A new stream from the first byte, straight from the journal; the caller closes it.
     *
     * @throws IOException if a segment that holds a part cannot be opened or read any more
     */
    InputStream open() throws IOException;
}
