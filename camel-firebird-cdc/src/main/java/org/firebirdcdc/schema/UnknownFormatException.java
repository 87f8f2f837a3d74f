package org.firebirdcdc.schema;

/** The version of a table that an image was written in cannot be told with certainty. The message says what is known. */
public final class UnknownFormatException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String advice;

    /**
     * @param problem what is known, one sentence without a full stop
     * @param advice  what can be done, one sentence without a full stop
     */
    public UnknownFormatException(String problem, String advice) {
        super(problem);
        this.advice = advice;
    }

    public String advice() {
        return advice;
    }
}
