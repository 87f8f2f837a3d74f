package org.firebirdcdc.schema;

/** Metadata could not be had: from the database, from a catalog file. The message says what to do; it holds no secret. */
public final class MetadataException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public MetadataException(String message) {
        super(message);
    }

    public MetadataException(String message, Throwable cause) {
        super(message, cause);
    }
}
