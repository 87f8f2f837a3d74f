package org.firebirdcdc.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.testcontainers.DockerClientFactory;

/**
 * A running Firebird of version 4 or later that belongs to the tests of this JVM. Where it comes from: a container if
 * Docker answers, else a private installation (see the tool {@code firebird-server}): of $FIREBIRD_HOME, of the machine's
 * own Firebird, or of Debian's packages.
 */
public abstract class FirebirdServer implements AutoCloseable {

    static final String USER = "SYSDBA";
    static final String PASSWORD = "masterkey";

    private final Set<String> names = new HashSet<>();

    /** No server can be had here; the message says why. */
    public static final class Unavailable extends Exception {

        private static final long serialVersionUID = 1L;

        Unavailable(String reason, Throwable cause) {
            super(reason, cause);
        }
    }

    /**
     * Starts a server.
     *
     * @throws Unavailable if there is none for this machine
     */
    public static FirebirdServer start() throws Unavailable {
        if (!DockerClientFactory.instance().isDockerAvailable()) {
            return LocalFirebirdServer.launch();
        }
        try {
            return ContainerFirebirdServer.launch();
        } catch (RuntimeException noContainer) {
            try {
                return LocalFirebirdServer.launch();
            } catch (Unavailable e) {
                e.addSuppressed(noContainer);
                throw e;
            }
        }
    }

    public abstract String host();

    public abstract int port();

    /** A new empty database with UTF8 as its character set. */
    public TestDatabase createDatabase(String name) {
        return createDatabase(name, DatabaseOptions.DEFAULT);
    }

    /**
     * A new empty database whose changes are all published.
     *
     * @param name letters, digits, {@code _} and {@code -}; a number is appended if this server had one of the name before
     */
    public synchronized TestDatabase createDatabase(String name, DatabaseOptions options) {
        String free = name;
        for (int number = 2; !names.add(free); number++) {
            free = name + "_" + number;
        }
        try {
            return create(free, options);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot create database " + free, e);
        }
    }

    abstract TestDatabase create(String name, DatabaseOptions options) throws IOException;

    /**
     * Kills the server (signal 9) and starts it again. All connections are lost; {@link #port()} may be another one then.
     */
    public abstract void crash();

    /** Stops the server. */
    @Override
    public abstract void close();

    /** The folder that survives builds: system property {@code firebird.cdc.server.dir}. */
    static Path cache() throws IOException {
        String configured = System.getProperty("firebird.cdc.server.dir");
        Path directory = configured != null
                ? Path.of(configured)
                : Path.of(System.getProperty("user.home"), ".cache", "firebird-cdc", "server");
        return Files.createDirectories(directory.toAbsolutePath());
    }
}
