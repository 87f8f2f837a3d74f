package org.firebirdcdc.camel;

import org.apache.camel.RuntimeCamelException;

/** A route did not take what was handed over; the cause is what went wrong there. It comes again at the next poll. */
public final class DeliveryFailedException extends RuntimeCamelException {

    private static final long serialVersionUID = 1L;

    DeliveryFailedException(String what, String problem, Throwable cause) {
        super(what + " " + problem + ". It is delivered again, before anything later, at the next poll", cause);
    }

    DeliveryFailedException(String what, String problem) {
        super(what + " " + problem + ". It is delivered again, before anything later, at the next poll");
    }
}
