package org.firebirdcdc.cli;

import java.util.Optional;
import java.util.stream.Stream;
import org.firebirdcdc.schema.DatabaseAddress;
import org.firebirdcdc.schema.MetadataSource;
import picocli.CommandLine.Option;

/** Where a database is and who asks, for all commands that need one. */
final class DatabaseOptions {

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
            interactive = true,
            prompt = "Password: ",
            description = "password; --password at the end or before another option asks for it. Default: the"
                    + " environment variable FIREBIRD_PASSWORD or ISC_PASSWORD, which other users cannot see")
    private char[] password = {};

    Optional<String> database() {
        return database;
    }

    Optional<String> user() {
        return user;
    }

    Optional<String> password() {
        return password.length == 0 ? Optional.empty() : Optional.of(new String(password));
    }

    /** The database, if there is one. */
    Optional<MetadataSource> source() {
        return source(database, user, password());
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
