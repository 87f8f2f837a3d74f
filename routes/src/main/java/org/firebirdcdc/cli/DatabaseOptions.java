package org.firebirdcdc.cli;

import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.util.Optional;
import java.util.stream.Stream;
import org.firebirdcdc.schema.DatabaseAddress;
import org.firebirdcdc.schema.MetadataSource;
import picocli.CommandLine.Option;

/** Where a database is and who asks, for all commands that need one. */
final class DatabaseOptions {

    private static final String PROMPT = "Password: ";

    /** Stands for no value. */
    private static final String ASK = "";

    @Option(
            names = "--database",
            paramLabel = "URL",
            description = "jdbc:firebird://host:3050/name or host:3050/name; name is an alias or a path on the server")
    private Optional<String> database = Optional.empty();

    @Option(
            names = "--user",
            paramLabel = "U",
            description = "user of the database; default: the environment variable ISC_USER")
    private Optional<String> user = Optional.empty();

    @Option(
            names = "--password",
            paramLabel = "P",
            arity = "0..1",
            fallbackValue = ASK,
            description = "password; --password at the end or before another option asks for it. Default: the"
                    + " environment variable FIREBIRD_PASSWORD or ISC_PASSWORD, which other users cannot see")
    private Optional<String> password = Optional.empty();

    Optional<String> database() {
        return database;
    }

    Optional<String> user() {
        return user;
    }

    /**
     * The password that was given, or that is asked for now.
     *
     * @param err where it is asked for if there is no terminal: standard output holds nothing but what was asked for
     */
    Optional<String> password(PrintWriter err) {
        return password.map(text -> text.equals(ASK) ? ask(err) : text);
    }

    private static String ask(PrintWriter err) {
        Console console = System.console();
        if (console != null) {
            return new String(console.readPassword(PROMPT));
        }
        err.print(PROMPT);
        err.flush();
        try {
            String line = new BufferedReader(new InputStreamReader(System.in, Charset.defaultCharset())).readLine();
            return line == null ? "" : line;
        } catch (IOException e) {
            throw new UncheckedIOException("the password cannot be read", e);
        }
    }

    /** The database, if there is one. */
    Optional<MetadataSource> source(PrintWriter err) {
        return source(database, user, password(err));
    }

    /** The database at an address; user and password are taken from the environment where they are not given. */
    static Optional<MetadataSource> source(
            Optional<String> database, Optional<String> user, Optional<String> password) {
        return database.map(text -> MetadataSource.of(DatabaseAddress.parse(
                text,
                user.or(() -> environment("ISC_USER")),
                password.or(() -> environment("FIREBIRD_PASSWORD", "ISC_PASSWORD")))));
    }

    private static Optional<String> environment(String... names) {
        return Stream.of(names)
                .flatMap(name -> Stream.ofNullable(System.getenv(name)))
                .findFirst();
    }
}
