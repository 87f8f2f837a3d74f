package org.firebirdcdc.schema;

import java.util.Optional;
import org.firebirdcdc.journal.JournalPosition;

/** Tells what DDL statements did to tables. */
public interface DdlTables {

    /** For those that do not know. */
    DdlTables NONE = (statement, commit) -> Optional.empty();

    /**
     * @param statement position of the statement
     * @param commit    commit of its transaction
     * @return empty if the statement is not about a table
     * @throws MetadataException if the database must be asked and does not answer
     */
    Optional<ChangedTable> changedTable(JournalPosition statement, JournalPosition commit);
}
