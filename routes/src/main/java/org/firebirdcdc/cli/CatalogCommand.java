package org.firebirdcdc.cli;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.firebirdcdc.schema.Catalog;
import org.firebirdcdc.schema.CatalogFile;
import org.firebirdcdc.schema.MetadataSource;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Writes the present metadata of a database to a file that {@code events --catalog} and others read. */
@Command(
        name = "catalog",
        description = "Writes a catalog file: the present metadata of a database, for reading its journal without it.")
final class CatalogCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Mixin
    private DatabaseOptions database;

    @Option(
            names = "--output",
            paramLabel = "FILE",
            description = "file to write, replaced if it is there; default: standard output")
    private Optional<Path> output = Optional.empty();

    @Override
    public Integer call() throws IOException {
        MetadataSource source = database.source(spec.commandLine().getErr())
                .orElseThrow(() ->
                        new ParameterException(spec.commandLine(), "no database: say with --database where it is"));
        Catalog catalog = source.readCatalog();
        if (output.isPresent()) {
            CatalogFile.write(output.get(), catalog);
        } else {
            ByteArrayOutputStream text = new ByteArrayOutputStream();
            CatalogFile.write(text, catalog);
            spec.commandLine().getOut().print(text.toString(StandardCharsets.UTF_8));
            spec.commandLine().getOut().flush();
        }
        return Failures.DONE;
    }
}
