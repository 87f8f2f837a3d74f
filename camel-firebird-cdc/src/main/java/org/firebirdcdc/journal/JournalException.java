package org.firebirdcdc.journal;

/** Base of everything that can go wrong while the journal is read. The message says what to do. */
public abstract class JournalException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    protected JournalException(String message, Throwable cause) {
        super(message, cause);
    }
}
