package org.firebirdcdc.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.firebirdcdc.testing.Corpus.Recording;

/** A run of the command line in this JVM: what it printed and how it ended. */
record CommandRun(int exitCode, String out, String err) {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    static CommandRun of(String... arguments) {
        StringWriter out = new StringWriter();
        CommandRun run = of(out, arguments);
        return new CommandRun(run.exitCode(), out.toString(), run.err());
    }

    private static CommandRun of(Writer out, String... arguments) {
        StringWriter err = new StringWriter();
        int exitCode = Main.commandLine()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(arguments);
        return new CommandRun(exitCode, "", err.toString());
    }

    /** {@code events} with the recording's catalog. */
    static CommandRun events(Path directory, Recording recording, String... options) {
        return of(arguments(directory, recording, options));
    }

    /**
     * The same without keeping what is printed, which may be much.
     *
     * @param lines gets each line
     */
    static CommandRun events(Path directory, Recording recording, Consumer<JsonNode> lines, String... options) {
        return of(new LineWriter(lines), arguments(directory, recording, options));
    }

    private static String[] arguments(Path directory, Recording recording, String... options) {
        List<String> arguments = new ArrayList<>(List.of(
                "events",
                directory.toString(),
                "--catalog",
                recording.folder().resolve("catalog.json").toString()));
        arguments.addAll(List.of(options));
        return arguments.toArray(String[]::new);
    }

    private static final class LineWriter extends Writer {
        private final Consumer<JsonNode> lines;
        private final StringBuilder line = new StringBuilder();

        LineWriter(Consumer<JsonNode> lines) {
            this.lines = lines;
        }

        @Override
        public void write(char[] buffer, int start, int count) {
            for (int i = start; i < start + count; i++) {
                if (buffer[i] == '\n') {
                    lines.accept(json(line.toString()));
                    line.setLength(0);
                } else {
                    line.append(buffer[i]);
                }
            }
        }

        @Override
        public void flush() {
            // lines are handed on when they are whole
        }

        @Override
        public void close() {
            // nothing is open
        }
    }

    /** Lines of standard output; each must be one JSON object. */
    List<JsonNode> lines() {
        return out.lines().map(CommandRun::json).toList();
    }

    static JsonNode json(String line) {
        try {
            return MAPPER.readTree(line);
        } catch (IOException e) {
            throw new UncheckedIOException(line, e);
        }
    }
}
