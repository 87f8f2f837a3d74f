package org.firebirdcdc.schema;

import java.util.Objects;
import java.util.Optional;
import org.firebirdcdc.journal.DatabaseGuid;

/**
 * What a catalog tells about its database. Texts are empty where a catalog file does not give them.
 *
 * @param name           alias, or file name without directory and extension
 * @param engine         version of the server, {@code 5.0.4}
 * @param ods            version of the database file's structure, {@code 13.1}
 * @param dialect        SQL dialect, 1 or 3
 * @param defaultCharset name of the default character set
 * @param guid           GUID of the database; it identifies the history in the journal
 * @param publication    state of the publication; empty where a catalog file does not give it
 */
public record DatabaseInfo(
        String name,
        String engine,
        String ods,
        int dialect,
        String defaultCharset,
        Optional<DatabaseGuid> guid,
        Optional<Publication> publication) {

    public DatabaseInfo {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(engine, "engine");
        Objects.requireNonNull(ods, "ods");
        Objects.requireNonNull(defaultCharset, "defaultCharset");
        Objects.requireNonNull(guid, "guid");
        Objects.requireNonNull(publication, "publication");
    }
}
