package org.firebirdcdc.schema;

import org.firebirdcdc.journal.JournalPosition;
import org.firebirdcdc.journal.ObjectName;

/** Finds the version of a table that a record image was written in. */
public interface FormatResolver {

    /**
     * @param image where the image stands and what is known of it
     * @return the version, and how far it holds
     * @throws UnknownFormatException if it cannot be told with certainty
     */
    Resolution resolve(ImageContext image);

    /**
     * What is known of an image besides its bytes.
     *
     * @param table       its table
     * @param length      bytes of the image
     * @param position    operation that holds it
     * @param transaction number of the transaction
     * @param begin       first block of the transaction
     * @param check       tells whether the image makes sense when read in a version
     */
    record ImageContext(
            ObjectName table,
            int length,
            JournalPosition position,
            long transaction,
            JournalPosition begin,
            PlausibilityCheck check) {}

    /** Tries an image in a version: lengths, ranges, characters. */
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
