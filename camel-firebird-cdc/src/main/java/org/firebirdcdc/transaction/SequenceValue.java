package org.firebirdcdc.transaction;

import org.firebirdcdc.journal.DatabaseGuid;
import org.firebirdcdc.journal.JournalPosition;
import org.firebirdcdc.journal.ObjectName;

/**
 * The value of a sequence as the journal reports it: outside transactions, perhaps late, repeated or out of order
 * (segment-format.md 3.8).
 *
 * @param guid            database
 * @param position        where the operation stands
 * @param file            name of the segment file
 * @param timestampMillis last-modified time of that file, milliseconds since 1970 UTC
 * @param sequence        name
 * @param value           current value
 * @param encoder         how the event is turned into bytes
 */
public record SequenceValue(
        DatabaseGuid guid,
        JournalPosition position,
        String file,
        long timestampMillis,
        ObjectName sequence,
        long value,
        EventEncoder encoder) {

    public String id() {
        return guid + "/" + position;
    }
}
