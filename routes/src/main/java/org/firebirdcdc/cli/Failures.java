package org.firebirdcdc.cli;

import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.Optional;
import org.firebirdcdc.capture.CaptureException;
import org.firebirdcdc.journal.JournalException;
import org.firebirdcdc.journal.JournalReadException;
import org.firebirdcdc.schema.MetadataException;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Exit codes, and what is said of errors. What was printed before an error is sound and stays printed. */
final class Failures implements IParameterExceptionHandler, IExecutionExceptionHandler {

    /** The end of what is there was reached. */
    static final int DONE = 0;

    /** Wrong usage, no metadata, or something outside the journal that does not work. */
    static final int USAGE = 1;

    /** The journal is damaged, or a record cannot be decoded; the position is on standard error. */
    static final int DAMAGED = 2;

    /** A segment is missing or incomplete, and later ones are there. */
    static final int GAP = 3;

    @Override
    public int handleParseException(ParameterException e, String[] arguments) {
        CommandLine command = e.getCommandLine();
        PrintWriter err = command.getErr();
        err.println("firebird-cdc: " + e.getMessage());
        UnmatchedArgumentException.printSuggestions(e, err);
        err.println("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
        err.flush();
        return USAGE;
    }

    @Override
    public int handleExecutionException(Exception e, CommandLine command, ParseResult parsed) {
        command.getOut().flush();
        PrintWriter err = command.getErr();
        Optional<Integer> exitCode = exitCode(e);
        err.println(
                exitCode.isPresent()
                        ? "firebird-cdc: " + message(e)
                        : command.getColorScheme().richStackTraceString(e));
        err.flush();
        return exitCode.orElse(USAGE);
    }

    private static String message(Exception e) {
        return e instanceof UncheckedIOException ? e.getMessage() + ": " + e.getCause() : e.getMessage();
    }

    /** Empty for an error of the program itself. */
    private static Optional<Integer> exitCode(Exception e) {
        if (e instanceof CaptureException capture) {
            return Optional.of(
                    switch (capture.reason()) {
                        case GAP, SEGMENT_GONE -> GAP;
                        case OVERWRITTEN -> DAMAGED;
                        case AMBIGUOUS_DATABASE -> USAGE;
                    });
        }
        if (e instanceof StartFailure
                || e instanceof JournalReadException
                || e instanceof MetadataException
                || e instanceof UncheckedIOException) {
            return Optional.of(USAGE);
        }
        return e instanceof JournalException ? Optional.of(DAMAGED) : Optional.empty();
    }
}
