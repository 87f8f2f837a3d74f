package org.firebirdcdc.record;

import java.util.Objects;
import org.firebirdcdc.journal.JournalPosition;

/**
 * Where a record image stands, for errors. One instance serves both images of an update.
 *
 * @param position the operation
 * @param file     name of the segment file
 */
public record RecordContext(JournalPosition position, String file) {

    public RecordContext {
        Objects.requireNonNull(position, "position");
        Objects.requireNonNull(file, "file");
    }
}
