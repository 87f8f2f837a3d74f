package org.firebirdcdc.cli;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Locale;
import java.util.Optional;

/** Standard output that remembers why it failed: a PrintWriter around it tells only that it did. */
final class StandardOutput extends FilterOutputStream {

    private Optional<IOException> failure = Optional.empty();

    StandardOutput(OutputStream out) {
        super(out);
    }

    Optional<IOException> failure() {
        return failure;
    }

    /** Message of a failure that is not simply a reader who had enough, such as {@code head}. */
    Optional<String> unexpectedFailure() {
        return failure.map(e -> String.valueOf(e.getMessage()))
                .filter(message -> !message.toLowerCase(Locale.ROOT).contains("pipe"))
                .map(message -> "standard output cannot be written: " + message);
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int start, int count) throws IOException {
        try {
            out.write(bytes, start, count);
        } catch (IOException e) {
            throw remembered(e);
        }
    }

    @Override
    public void flush() throws IOException {
        try {
            out.flush();
        } catch (IOException e) {
            throw remembered(e);
        }
    }

    private IOException remembered(IOException e) {
        if (failure.isEmpty()) {
            failure = Optional.of(e);
        }
        return e;
    }
}
