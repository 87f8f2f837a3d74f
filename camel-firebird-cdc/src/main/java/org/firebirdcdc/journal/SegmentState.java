package org.firebirdcdc.journal;

import java.util.Optional;

/** State in a segment's header (segment-format.md 1.3). */
public enum SegmentState {
    /** Waits in the journal directory to be used again. */
    FREE(0),
    /** The server is writing to it. */
    USED(1),
    /** Complete, not yet archived. */
    FULL(2),
    /** Complete; every file of an archive directory is in this state. */
    ARCHIVED(3);

    private final int code;

    SegmentState(int code) {
        this.code = code;
    }

    /** Whether the server appends nothing more. */
    public boolean isComplete() {
        return this == FULL || this == ARCHIVED;
    }

    static Optional<SegmentState> ofCode(int code) {
        return switch (code) {
            case 0 -> Optional.of(FREE);
            case 1 -> Optional.of(USED);
            case 2 -> Optional.of(FULL);
            case 3 -> Optional.of(ARCHIVED);
            default -> Optional.empty();
        };
    }

    public int code() {
        return code;
    }
}
