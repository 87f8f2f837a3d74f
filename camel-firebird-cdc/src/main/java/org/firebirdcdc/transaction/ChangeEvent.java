package org.firebirdcdc.transaction;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.firebirdcdc.journal.JournalPosition;
import org.firebirdcdc.journal.ObjectName;
import org.firebirdcdc.record.Row;
import org.firebirdcdc.schema.TableVersion;
import org.firebirdcdc.schema.VersionColumn;

/**
 * Insert, update or delete of one row.
 *
 * @param transaction the committed transaction
 * @param position    where the operation stands
 * @param order       place among the events of the transaction, from 1
 * @param tableOrder  place among the changes of the same table in the transaction, from 1
 * @param operation   what happened
 * @param version     the table as of this change
 * @param before      old row; present for updates and deletes
 * @param after       new row; present for inserts and updates
 * @param encoder     how the event is turned into bytes
 */
public record ChangeEvent(
        TransactionInfo transaction,
        JournalPosition position,
        long order,
        long tableOrder,
        Operation operation,
        TableVersion version,
        Optional<Row> before,
        Optional<Row> after,
        EventEncoder encoder)
        implements JournalEvent {

    public ChangeEvent {
        Objects.requireNonNull(version, "version");
    }

    @Override
    public Kind kind() {
        return Kind.CHANGE;
    }

    public ObjectName table() {
        return version.table();
    }

    /** The new row, or the old one of a delete. */
    public Row row() {
        return after.or(() -> before).orElseThrow();
    }

    /**
     * The columns whose values an update changed, in the order of {@code SELECT *} (see {@link Row#sameValue}); empty for
     * inserts and deletes.
     */
    public List<VersionColumn> changedColumns() {
        return before.isPresent() && after.isPresent() ? Row.changedColumns(before.get(), after.get()) : List.of();
    }

    /** Names what happened without values: {@code u CUSTOMERS at 3:1045 (transaction 12)}. */
    @Override
    public String toString() {
        return operation.code() + " " + table() + " at " + position + " (transaction " + transaction.number() + ")";
    }
}
