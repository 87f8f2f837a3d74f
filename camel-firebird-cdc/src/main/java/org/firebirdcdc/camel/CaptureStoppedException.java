package org.firebirdcdc.camel;

import org.apache.camel.RuntimeCamelException;

/** Capture stops in the middle of a transaction; nothing of it counts as delivered, and it comes again after the restart. */
public final class CaptureStoppedException extends RuntimeCamelException {

    private static final long serialVersionUID = 1L;

    CaptureStoppedException(long transaction) {
        super("capture stops: transaction " + transaction + " ends here unfinished and comes again after the restart");
    }
}
