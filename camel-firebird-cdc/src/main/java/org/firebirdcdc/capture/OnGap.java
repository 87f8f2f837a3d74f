package org.firebirdcdc.capture;

/** What happens when a segment is missing while later ones are there. */
public enum OnGap {
    /** Wait until it arrives, and tell. */
    WAIT,
    /** An error at every poll. */
    FAIL,
    /** Go on behind the gap; open transactions are dropped, since a part of them may be missing. A decision to lose data. */
    SKIP
}
