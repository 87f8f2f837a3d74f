package org.firebirdcdc.schema;

import java.util.List;
import java.util.Optional;
import org.firebirdcdc.journal.JournalPosition;
import org.firebirdcdc.journal.ObjectName;

/** Finds the version of a table that a record image was written in. */
public interface FormatResolver {

    /**
     * @param image where the image stands and what is known of it
     * @return the version, and how far it holds
     * @throws UnknownFormatException if it cannot be told with certainty
     * @throws MetadataException      if it cannot be told now, but perhaps later: the database does not answer, or segments
     *                                that are not complete yet must be read first
     */
    Resolution resolve(ImageContext image);

    /**
     * What is known of an image besides its bytes.
     *
     * @param table       its table
     * @param length      bytes of the image
     * @param images      the images of the operation: old and new one of an update
     * @param position    operation that holds it
     * @param transaction number of the transaction
     * @param begin       first block of the transaction
     * @param earlier     version of the image of the table before it in the transaction: formats never go back there
     * @param check       tells whether the images make sense when read in a version
     */
    record ImageContext(
            ObjectName table,
            int length,
            List<byte[]> images,
            JournalPosition position,
            long transaction,
            JournalPosition begin,
            Optional<TableVersion> earlier,
            PlausibilityCheck check) {}

    /** Tries the images in a version: lengths, ranges, characters. */
    @FunctionalInterface
    interface PlausibilityCheck {
        boolean isPlausible(TableVersion version);
    }

    /**
     * @param version   the version
     * @param until     images of the same table and length in the same transaction have this version as long as they stand
     *                  before this position
     */
    record Resolution(TableVersion version, JournalPosition until) {

        /** Farther than any position. */
        public static final JournalPosition FOREVER = new JournalPosition(Long.MAX_VALUE, Long.MAX_VALUE);
    }
}
