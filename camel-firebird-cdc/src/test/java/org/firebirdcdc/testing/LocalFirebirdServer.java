package org.firebirdcdc.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A server on this machine, run by the tool {@code firebird-server}. Installations are kept in the cache folder, each used
 * by one JVM at a time: a lock file, which the system releases when the JVM ends, says that it is taken.
 */
final class LocalFirebirdServer extends FirebirdServer {

    private static final String TOOL = "firebird-server";
    /** Begin of the line of create-db with the database's path as the server sees it. */
    private static final String PATH = "path=";

    private static final int MAX_INSTALLATIONS = 32;
    private static final int PORT_ATTEMPTS = 5;
    private static final long TOOL_MINUTES = 10;

    private final Path tool;
    private final Path directory;
    private final FileChannel lock;
    private int port;

    private LocalFirebirdServer(Path tool, Path directory, FileChannel lock, int port) {
        this.tool = tool;
        this.directory = directory;
        this.lock = lock;
        this.port = port;
    }

    static LocalFirebirdServer launch() throws Unavailable {
        if (!System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("linux")) {
            throw new Unavailable(
                    "no Firebird server for tests: Docker does not answer, and a private server needs Linux", null);
        }
        try {
            Path tool = installTool(cache());
            Path home = cache().resolve(origin());
            Files.createDirectories(home);
            for (int number = 1; number <= MAX_INSTALLATIONS; number++) {
                FileChannel lock = FileChannel.open(
                        home.resolve(number + ".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock held = lock.tryLock();
                if (held != null) {
                    return launch(tool, home.resolve(Integer.toString(number)), lock);
                }
                lock.close();
            }
            throw new Unavailable("no Firebird server for tests: all installations in " + home + " are in use", null);
        } catch (IOException e) {
            throw new Unavailable(
                    "no Firebird server for tests: Docker does not answer, and a private one failed: " + e.getMessage(),
                    e);
        }
    }

    private static LocalFirebirdServer launch(Path tool, Path directory, FileChannel lock) throws IOException {
        try {
            run(tool, Map.of(), "install", directory.toString());
            run(tool, Map.of(), "reset", directory.toString());
            return new LocalFirebirdServer(tool, directory, lock, startOnFreePort(tool, directory));
        } catch (IOException e) {
            lock.close();
            throw e;
        }
    }

    /** One folder of installations per place they come from. */
    private static String origin() {
        String home = System.getenv("FIREBIRD_HOME");
        return home == null || home.isEmpty() ? "machine" : "home-" + Integer.toHexString(home.hashCode());
    }

    private static Path installTool(Path cache) throws IOException {
        Path tool = cache.resolve(TOOL);
        try (InputStream resource = LocalFirebirdServer.class.getResourceAsStream(TOOL)) {
            byte[] content = resource.readAllBytes();
            Path fresh = Files.createTempFile(cache, TOOL, ".tmp");
            Files.write(fresh, content);
            if (!fresh.toFile().setExecutable(true, false)) {
                throw new IOException(fresh + " cannot be made executable");
            }
            return Files.move(fresh, tool, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        }
    }

    /** Another program may take the port between the choice and the start. */
    private static int startOnFreePort(Path tool, Path directory) throws IOException {
        IOException last = null;
        for (int attempt = 0; attempt < PORT_ATTEMPTS; attempt++) {
            int port;
            try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                port = socket.getLocalPort();
            }
            try {
                run(tool, Map.of(), "start", directory.toString(), "--port", Integer.toString(port));
                return port;
            } catch (IOException e) {
                run(tool, Map.of(), "stop", directory.toString());
                last = e;
            }
        }
        throw last;
    }

    private static String run(Path tool, Map<String, String> environment, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(tool.toString()));
        command.addAll(List.of(arguments));
        Path output = Files.createTempFile(TOOL, ".out");
        try {
            ProcessBuilder builder =
                    new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
            builder.environment().putAll(environment);
            Process process = builder.start();
            process.getOutputStream().close();
            if (!process.waitFor(TOOL_MINUTES, TimeUnit.MINUTES)) {
                process.destroyForcibly();
                throw new IOException(command + " did not end within " + TOOL_MINUTES + " minutes");
            }
            String said = Files.readString(output, StandardCharsets.UTF_8);
            if (process.exitValue() != 0) {
                throw new IOException(command + " failed: " + said.strip());
            }
            return said;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(command + " was interrupted", e);
        } finally {
            Files.delete(output);
        }
    }

    @Override
    public String host() {
        return "127.0.0.1";
    }

    @Override
    public int port() {
        return port;
    }

    @Override
    TestDatabase create(String name, DatabaseOptions options) throws IOException {
        Map<String, String> environment = Map.of(
                "FB_CHARSET", options.charset(),
                "FB_SEGMENT_SIZE", Integer.toString(options.segmentSize()),
                "FB_ARCHIVE_TIMEOUT", Integer.toString(options.archiveTimeout()),
                "FB_REPL_EXTRA", String.join("\n\t", options.replication()));
        String path = run(tool, environment, "create-db", directory.toString(), name)
                .lines()
                .filter(line -> line.startsWith(PATH))
                .findFirst()
                .orElseThrow()
                .substring(PATH.length());
        return new TestDatabase(
                this, name, path, directory.resolve("data").resolve(name).resolve("archive"));
    }

    @Override
    public void crash() {
        try {
            long pid = Long.parseLong(Files.readString(directory.resolve("run").resolve("firebird.pid"))
                    .strip());
            // it may be dead already, and its number that of another process
            Optional<ProcessHandle> process = ProcessHandle.of(pid)
                    .filter(p -> p.info().command().orElse("").contains("firebird"));
            if (process.isPresent()) {
                process.get().destroyForcibly();
                process.get().onExit().get(TOOL_MINUTES, TimeUnit.MINUTES);
            }
            port = startOnFreePort(tool, directory);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("the crash was interrupted", e);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("the server cannot be killed", e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try (lock) {
            run(tool, Map.of(), "stop", directory.toString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
