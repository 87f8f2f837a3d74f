package org.firebirdcdc.record;

/**
 * Bytes that are no value of their type. Says what is wrong and what to do; the row or blob that meets it turns it into a
 * {@link RecordDecodeException}, which says where. Carries no stack trace: it never leaves this package.
 */
final class BadValueException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** For bytes that the engine does not write into a column of this type. */
    static final String WRONG_BYTES = "The metadata in use may be that of another moment than this change "
            + "(check the catalog files or the database), or the segment is damaged";

    private final String advice;

    BadValueException(String problem) {
        this(problem, WRONG_BYTES);
    }

    BadValueException(String problem, String advice) {
        super(problem, null, false, false);
        this.advice = advice;
    }

    String advice() {
        return advice;
    }
}
