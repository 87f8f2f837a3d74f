package org.firebirdcdc.schema;

import org.firebirdcdc.journal.JournalPosition;

/**
 * A DDL statement as the journal holds it.
 *
 * @param position   where the operation stands
 * @param protocol   protocol of its block: 2 means that it acts at once in its own transaction (segment-format.md 8.4)
 * @param owner      user who ran it
 * @param searchPath schema search path of the session, may be cut; empty before Firebird 6
 * @param sql        the text, decoded from the client's character set
 */
public record DdlStatement(JournalPosition position, int protocol, String owner, String searchPath, String sql) {}
