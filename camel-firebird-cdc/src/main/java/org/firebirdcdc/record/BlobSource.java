package org.firebirdcdc.record;

import java.util.Optional;

/** Where a row finds the contents of its blobs and arrays. */
@FunctionalInterface
public interface BlobSource {

    /**
     * For before-images and deletes: the journal holds only ids (segment-format.md 3.6). Rows know this very instance: from
     * any other source a missing content is an error.
     */
    BlobSource NONE = id -> Optional.empty();

    /**
     * @param id blob id as in the image: high half the first four bytes
     * @return empty if the journal holds no content for it here
     */
    Optional<BlobContent> content(long id);
}
