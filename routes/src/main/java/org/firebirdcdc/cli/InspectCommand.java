package org.firebirdcdc.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.firebirdcdc.journal.SegmentDirectory;
import org.firebirdcdc.journal.SegmentFile;
import org.firebirdcdc.journal.SegmentHeader;
import org.firebirdcdc.journal.SegmentReader;
import org.firebirdcdc.journal.SegmentStatus;
import org.firebirdcdc.record.Charsets;
import org.firebirdcdc.transaction.StatementReader;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints what a segment is made of. Needs no database, and takes a file in any state: what is sound of it is printed. */
@Command(
        name = "inspect",
        description = "Prints header, blocks and operations of a segment, with their offsets.",
        footer = {"", "Exit codes: 0 the file is sound; 1 it cannot be read; 2 it is damaged or not complete."})
final class InspectCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "FILE", description = "segment file, from the archive or the journal directory")
    private Path file;

    @Option(names = "--json", description = "one JSON object per line")
    private boolean json;

    @Override
    public Integer call() throws IOException {
        if (Files.isDirectory(file)) {
            throw new ParameterException(spec.commandLine(), file + " is a directory: give one of its segment files");
        }
        SegmentStatus status = SegmentDirectory.inspect(file);
        if (status.error().isPresent()) {
            throw status.error().get();
        }
        Optional<SegmentHeader> header = status.header();
        if (header.isPresent()) {
            dump(header.get(), status.size());
        }
        if (header.isPresent() && status.size() >= header.get().length()) {
            return Failures.DONE;
        }
        PrintWriter err = spec.commandLine().getErr();
        err.println("firebird-cdc: " + file + " is not complete: " + status.progress());
        err.flush();
        return Failures.DAMAGED;
    }

    private void dump(SegmentHeader header, long size) throws IOException {
        SegmentDump dump = dump();
        dump.header(file.getFileName().toString(), size, header);
        // of a file that is not complete, what is there
        SegmentHeader there =
                new SegmentHeader(header.state(), header.guid(), header.sequence(), Math.min(header.length(), size));
        long modified = Files.getLastModifiedTime(file).toMillis();
        try (SegmentReader reader = SegmentReader.open(new SegmentFile(file, there, size, modified))) {
            reader.giveAtoms();
            while (!spec.commandLine().getOut().checkError() && reader.nextBlock()) {
                dump.block(reader);
                while (reader.nextOperation()) {
                    dump.operation(reader);
                }
            }
        } finally {
            dump.flush();
        }
    }

    private SegmentDump dump() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        StatementReader statements = new StatementReader(Charsets::java);
        return json ? new JsonDump(out, statements) : new TextDump(out, statements);
    }
}
