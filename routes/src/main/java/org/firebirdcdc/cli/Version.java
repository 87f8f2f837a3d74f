package org.firebirdcdc.cli;

import java.util.Optional;
import picocli.CommandLine.IVersionProvider;

/** Version of the product, from the manifest of the jar that runs. */
final class Version implements IVersionProvider {

    /** {@code development} where classes do not come from a jar. */
    static String text() {
        return Optional.ofNullable(Version.class.getPackage().getImplementationVersion())
                .orElse("development");
    }

    @Override
    public String[] getVersion() {
        return new String[] {"firebird-cdc " + text()};
    }
}
