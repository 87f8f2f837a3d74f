package org.firebirdcdc.capture;

/** Capture cannot go on. The message says why and what to do; when the cause is gone, capture goes on by itself. */
public final class CaptureException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Why capture cannot go on. */
    public enum Reason {
        /** A segment is missing or incomplete while later ones are there. */
        GAP,
        /** A segment that the checkpoint needs is gone. */
        SEGMENT_GONE,
        /** A segment that was read has other content now. */
        OVERWRITTEN,
        /** More than one database's segments or checkpoint are there, and nothing says which one is meant. */
        AMBIGUOUS_DATABASE
    }

    private final Reason reason;

    CaptureException(Reason reason, String message) {
        super(message);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }
}
