package org.firebirdcdc.transaction;

/** What happens with a record that cannot be decoded with certainty. */
public enum OnDecodeError {
    /** Nothing of the transaction is delivered; capture stops there until the cause is gone. */
    FAIL,
    /** The record is left out, logged and counted. */
    SKIP,
    /** A {@link RawEvent} takes its place. */
    RAW
}
