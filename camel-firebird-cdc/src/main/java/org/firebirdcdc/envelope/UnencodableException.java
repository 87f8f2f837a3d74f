package org.firebirdcdc.envelope;

/**
 * A value that the options give no form to. Says what is wrong and which option helps; the encoder turns it into an
 * {@link EncodeException}, which says where. Carries no stack trace: it never leaves this package.
 */
final class UnencodableException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    UnencodableException(String problem) {
        super(problem, null, false, false);
    }
}
