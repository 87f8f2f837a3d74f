package org.firebirdcdc.checkpoint;

/** A checkpoint cannot be read, written or locked. The message says what to do. Never means "start anew". */
public final class CheckpointException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public CheckpointException(String message) {
        super(message);
    }

    public CheckpointException(String message, Throwable cause) {
        super(message, cause);
    }
}
