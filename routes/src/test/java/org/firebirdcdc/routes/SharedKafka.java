package org.firebirdcdc.routes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.firebirdcdc.examples.kafka.EmbeddedKafka;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * One broker for all test classes of a run that ask for an {@link EmbeddedKafka}; tests choose topic prefixes of their own.
 * Its topics take records of 16 MB.
 */
public final class SharedKafka implements ParameterResolver {

    private static final ExtensionContext.Namespace NAMESPACE = ExtensionContext.Namespace.create(SharedKafka.class);

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == EmbeddedKafka.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return context.getRoot()
                .getStore(NAMESPACE)
                .getOrComputeIfAbsent(EmbeddedKafka.class, key -> start(), EmbeddedKafka.class);
    }

    private static EmbeddedKafka start() {
        try {
            Path target = Files.createDirectories(Path.of("target"));
            return EmbeddedKafka.start(
                    Files.createTempDirectory(target, "kafka"), Map.of("message.max.bytes", "16777216"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
