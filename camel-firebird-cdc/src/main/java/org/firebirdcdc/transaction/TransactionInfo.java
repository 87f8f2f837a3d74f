package org.firebirdcdc.transaction;

import org.firebirdcdc.journal.DatabaseGuid;
import org.firebirdcdc.journal.JournalPosition;

/**
 * What is known of a committed transaction as a whole.
 *
 * @param guid         database
 * @param number       Firebird's transaction number
 * @param begin        its first block
 * @param commit       its commit operation
 * @param file         name of the segment file that holds the commit
 * @param timestampMillis last-modified time of that file, milliseconds since 1970 UTC: the journal has no commit time
 */
public record TransactionInfo(
        DatabaseGuid guid,
        long number,
        JournalPosition begin,
        JournalPosition commit,
        String file,
        long timestampMillis) {}
