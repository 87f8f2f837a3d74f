package org.firebirdcdc.capture;

/** What happens with a segment that nothing needs any more. */
public enum Processed {
    KEEP,
    DELETE,
    MOVE
}
