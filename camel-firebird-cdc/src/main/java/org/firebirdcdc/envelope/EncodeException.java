package org.firebirdcdc.envelope;

import org.firebirdcdc.journal.JournalException;
import org.firebirdcdc.journal.JournalPosition;
import org.firebirdcdc.journal.ObjectName;

/** An event that cannot be put into the form that the options ask for. The message says which option helps. */
public final class EncodeException extends JournalException {

    private static final long serialVersionUID = 1L;

    private final transient JournalPosition position;

    EncodeException(JournalPosition position, ObjectName table, String problem, Throwable cause) {
        super(
                "segment " + position.segment() + ", offset " + position.offset() + ", table " + table + ": " + problem,
                cause);
        this.position = position;
    }

    /** Of the operation. */
    public JournalPosition position() {
        return position;
    }
}
