package org.firebirdcdc.testing;

import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.opentest4j.TestAbortedException;

/** Starts one server for a whole test run and hands it to the tests; see {@link WithFirebirdServer}. */
final class FirebirdServerExtension implements BeforeAllCallback, ParameterResolver {

    private static final ExtensionContext.Namespace NAMESPACE =
            ExtensionContext.Namespace.create(FirebirdServerExtension.class);

    /** Outcome of the only attempt to get a server. */
    private sealed interface Attempt extends AutoCloseable {

        @Override
        void close();

        record Started(FirebirdServer server) implements Attempt {
            @Override
            public void close() {
                server.close();
            }
        }

        record Failed(FirebirdServer.Unavailable reason) implements Attempt {
            @Override
            public void close() {}
        }
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        server(context);
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == FirebirdServer.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return server(context);
    }

    private static FirebirdServer server(ExtensionContext context) {
        Attempt attempt = context.getRoot()
                .getStore(NAMESPACE)
                .getOrComputeIfAbsent(Attempt.class, key -> attempt(), Attempt.class);
        if (attempt instanceof Attempt.Started started) {
            return started.server();
        }
        FirebirdServer.Unavailable reason = ((Attempt.Failed) attempt).reason();
        if (Boolean.parseBoolean(System.getenv("CI"))) {
            throw new IllegalStateException(reason.getMessage(), reason);
        }
        throw new TestAbortedException(reason.getMessage(), reason);
    }

    private static Attempt attempt() {
        try {
            return new Attempt.Started(FirebirdServer.start());
        } catch (FirebirdServer.Unavailable e) {
            return new Attempt.Failed(e);
        }
    }
}
