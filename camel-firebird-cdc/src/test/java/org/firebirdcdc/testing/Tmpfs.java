package org.firebirdcdc.testing;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** A small file system in memory, mounted on a directory. Only root can do that, and only on Linux: else tests are skipped. */
public final class Tmpfs implements AutoCloseable {

    private final Path directory;
    private boolean mounted;

    private Tmpfs(Path directory) {
        this.directory = directory;
    }

    /** Mounts one of a size such as {@code 64k}; skips the test where that is not allowed. */
    public static Tmpfs mount(Path directory, String size) {
        Tmpfs made = new Tmpfs(directory);
        String refusal = made.run("mount", "-t", "tmpfs", "-o", "size=" + size, "tmpfs", directory.toString());
        assumeTrue(refusal.isEmpty(), () -> "not run, it needs root on Linux to mount a small file system: " + refusal);
        made.mounted = true;
        return made;
    }

    /** Takes it from its directory, even if files of it are open; its content is gone as soon as none is. */
    public void unmount() {
        if (mounted) {
            must("umount", "--lazy", directory.toString());
            mounted = false;
        }
    }

    /** Shows the content in another place, too, where it stays when this one is unmounted. */
    public Tmpfs alsoAt(Path other) {
        Tmpfs second = new Tmpfs(other);
        second.must("mount", "--bind", directory.toString(), other.toString());
        second.mounted = true;
        return second;
    }

    /** Mounts on this directory again what is mounted in another place. */
    public void mountAgainFrom(Tmpfs other) {
        must("mount", "--bind", other.directory.toString(), directory.toString());
        mounted = true;
    }

    private void must(String... command) {
        String refusal = run(command);
        if (!refusal.isEmpty()) {
            throw new IllegalStateException(String.join(" ", command) + ": " + refusal);
        }
    }

    /** What it complains of; empty if it went well. */
    private String run(String... command) {
        try {
            Files.createDirectories(directory);
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            int exitCode = process.waitFor();
            return exitCode == 0 ? "" : said + " (exit code " + exitCode + ")";
        } catch (IOException e) {
            return e.getMessage();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Fills it to the last byte with a file of this name. */
    public void fill(String name) throws IOException {
        Path file = directory.resolve(name);
        byte[] bytes = new byte[1024];
        try (var out = Files.newOutputStream(file)) {
            while (true) {
                out.write(bytes);
            }
        } catch (IOException e) {
            // full now
            if (Files.size(file) == 0) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Override
    public void close() {
        unmount();
    }
}
