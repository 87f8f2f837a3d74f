package org.firebirdcdc.transaction;

import java.util.Optional;
import org.firebirdcdc.journal.JournalPosition;
import org.firebirdcdc.journal.ObjectName;

/**
 * A record that could not be decoded, for a dead letter route ({@code onDecodeError=raw}).
 *
 * @param transaction the committed transaction
 * @param position    where the operation stands
 * @param order       place among the events of the transaction, from 1
 * @param operation   what happened
 * @param table       to which table
 * @param beforeImage old image; present for updates and deletes; not to be changed
 * @param afterImage  new image; present for inserts and updates; not to be changed
 * @param cause       why it could not be decoded
 * @param encoder     how the event is turned into bytes
 */
public record RawEvent(
        TransactionInfo transaction,
        JournalPosition position,
        long order,
        Operation operation,
        ObjectName table,
        Optional<byte[]> beforeImage,
        Optional<byte[]> afterImage,
        String cause,
        EventEncoder encoder)
        implements JournalEvent {

    @Override
    public Kind kind() {
        return Kind.RAW;
    }
}
