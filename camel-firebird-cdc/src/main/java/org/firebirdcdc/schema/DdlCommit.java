package org.firebirdcdc.schema;

import java.util.ArrayList;
import java.util.List;
import org.firebirdcdc.journal.JournalPosition;

/**
 * A committed transaction with DDL.
 *
 * @param transaction number
 * @param position    its commit
 * @param highest     highest transaction number met in the journal up to there
 * @param statements  its statements that matter for tables, in order; empty if none does
 */
record DdlCommit(long transaction, JournalPosition position, long highest, List<Statement> statements) {

    /**
     * @param source the statement as the journal holds it
     * @param parsed what it does
     */
    record Statement(DdlStatement source, List<Ddl> parsed) {}

    static DdlCommit of(
            long transaction, JournalPosition position, long highest, List<DdlStatement> statements, int dialect) {
        List<Statement> relevant = new ArrayList<>();
        for (DdlStatement statement : statements) {
            List<Ddl> parsed = DdlParser.parse(statement.sql(), dialect).stream()
                    .filter(ddl -> !(ddl instanceof Ddl.Unrelated))
                    .toList();
            if (!parsed.isEmpty()) {
                relevant.add(new Statement(statement, parsed));
            }
        }
        return new DdlCommit(transaction, position, highest, List.copyOf(relevant));
    }

    DdlCommit withHighest(long number) {
        return new DdlCommit(transaction, position, Math.max(highest, number), statements);
    }

    /** Whether its statements act at once in their own transaction (segment-format.md 8.4). */
    static boolean actsAtOnce(DdlStatement statement) {
        return statement.protocol() >= 2;
    }
}
