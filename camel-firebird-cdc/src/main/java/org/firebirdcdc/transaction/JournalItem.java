package org.firebirdcdc.transaction;

import java.util.List;
import java.util.Optional;
import org.firebirdcdc.journal.JournalPosition;
import org.firebirdcdc.schema.DdlStatement;

/**
 * What the assembler gives, in journal order: a committed transaction, or a sequence value.
 *
 * @param transaction the committed transaction; empty for a sequence value
 * @param statements  its surviving DDL statements, whether they are wanted as events or not
 * @param sequence    the sequence value; empty for a transaction
 * @param position    where the commit or the sequence operation stands
 * @param next        where reading goes on; everything before it is done when this item is done
 */
public record JournalItem(
        Optional<JournalTransaction> transaction,
        List<DdlStatement> statements,
        Optional<SequenceValue> sequence,
        JournalPosition position,
        JournalPosition next) {}
