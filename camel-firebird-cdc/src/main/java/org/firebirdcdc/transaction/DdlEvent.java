package org.firebirdcdc.transaction;

import org.firebirdcdc.journal.JournalPosition;

/**
 * A DDL statement of a committed transaction.
 *
 * @param transaction the committed transaction
 * @param position    where the operation stands
 * @param order       place among the events of the transaction, from 1
 * @param owner       user who ran it
 * @param searchPath  schema search path of the session (Firebird 6, may be cut), else empty
 * @param sql         the statement as the client sent it
 * @param encoder     how the event is turned into bytes
 */
public record DdlEvent(
        TransactionInfo transaction,
        JournalPosition position,
        long order,
        String owner,
        String searchPath,
        String sql,
        EventEncoder encoder)
        implements JournalEvent {

    @Override
    public Kind kind() {
        return Kind.DDL;
    }
}
