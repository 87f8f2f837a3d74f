package org.firebirdcdc.capture;

/** What happens when a transaction commits whose beginning was never read although it should have been. */
public enum UnknownTransaction {
    FAIL,
    WARN
}
