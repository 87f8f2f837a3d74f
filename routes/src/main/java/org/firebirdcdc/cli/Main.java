package org.firebirdcdc.cli;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The command {@code firebird-cdc}. */
@Command(
        name = "firebird-cdc",
        description = "Change data capture for Firebird from its replication journal.",
        subcommands = {RunCommand.class, EventsCommand.class, CatalogCommand.class, InspectCommand.class},
        scope = ScopeType.INHERIT,
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        usageHelpAutoWidth = true)
public final class Main implements Callable<Integer> {

    private static final int OUTPUT_BUFFER = 64 * 1024;

    @Spec
    private CommandSpec spec;

    /** The command line with its exit codes; its writers are those of the process until others are set. */
    static CommandLine commandLine() {
        Failures failures = new Failures();
        return new CommandLine(new Main())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler(failures)
                .setExecutionExceptionHandler(failures);
    }

    /** Output is UTF-8 whatever the locale: the same journal gives the same bytes everywhere. */
    public static void main(String[] arguments) {
        StandardOutput standardOutput =
                new StandardOutput(new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), OUTPUT_BUFFER));
        PrintWriter out = new PrintWriter(new OutputStreamWriter(standardOutput, StandardCharsets.UTF_8));
        PrintWriter err = new PrintWriter(
                new OutputStreamWriter(new FileOutputStream(FileDescriptor.err), StandardCharsets.UTF_8), true);
        int exitCode = commandLine().setOut(out).setErr(err).execute(arguments);
        out.flush();
        if (standardOutput.failure().isPresent()) {
            standardOutput.unexpectedFailure().ifPresent(failure -> err.println("firebird-cdc: " + failure));
            exitCode = Failures.USAGE;
        }
        System.exit(exitCode);
    }

    /** Without a command, routes are run. */
    @Override
    public Integer call() {
        return spec.subcommands().get("run").execute();
    }
}
