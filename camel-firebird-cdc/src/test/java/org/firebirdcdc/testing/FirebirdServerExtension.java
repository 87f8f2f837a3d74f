package org.firebirdcdc.testing;

import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Starts one server for a whole test run and hands it to the tests; see {@link WithFirebirdServer}. */
final class FirebirdServerExtension implements ExecutionCondition, BeforeAllCallback, ParameterResolver {

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
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        return attempt(context) instanceof Attempt.Failed failed && !serverIsDue()
                ? ConditionEvaluationResult.disabled(failed.reason().getMessage())
                : ConditionEvaluationResult.enabled("there is a server, or there has to be one");
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        server(context);
    }

    private static boolean serverIsDue() {
        return Boolean.parseBoolean(System.getenv("CI"));
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
        Attempt attempt = attempt(context);
        if (attempt instanceof Attempt.Started started) {
            return started.server();
        }
        FirebirdServer.Unavailable reason = ((Attempt.Failed) attempt).reason();
        throw new IllegalStateException(reason.getMessage(), reason);
    }

    private static Attempt attempt(ExtensionContext context) {
        return context.getRoot().getStore(NAMESPACE).getOrComputeIfAbsent(Attempt.class, key -> start(), Attempt.class);
    }

    private static Attempt start() {
        try {
            return new Attempt.Started(FirebirdServer.start());
        } catch (FirebirdServer.Unavailable e) {
            return new Attempt.Failed(e);
        }
    }
}
