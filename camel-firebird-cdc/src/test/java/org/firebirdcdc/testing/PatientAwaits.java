package org.firebirdcdc.testing;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * How long tests wait for something unless they say so: long enough for a slow machine under load, since on a fast one
 * nobody waits. Registered for all tests by its service file.
 */
public final class PatientAwaits implements BeforeAllCallback {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @Override
    public void beforeAll(ExtensionContext context) {
        Awaitility.setDefaultTimeout(PATIENCE);
    }
}
