package org.firebirdcdc.record;

/** What is done with text whose bytes are malformed or undefined in its character set. */
public enum MalformedText {
    /** A {@link RecordDecodeException}. */
    FAIL,
    /** U+FFFD for each malformed part; counted once per decoded value. */
    REPLACE
}
