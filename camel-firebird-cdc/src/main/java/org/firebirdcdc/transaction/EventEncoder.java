package org.firebirdcdc.transaction;

import java.util.List;
import java.util.Optional;

/**
 * Turns events into bytes. Implemented by the envelope; events carry the encoder of the capture that made them, so that
 * whoever receives one can turn it into bytes without settings of his own. Safe for use by several threads.
 */
public interface EventEncoder {

    /** Topic of the event's record. */
    String topic(JournalEvent event);

    /** Key of the event's record; empty for no key. */
    Optional<byte[]> key(JournalEvent event);

    /** Value of the event as one record, whatever else {@link #records} makes of it. */
    byte[] value(JournalEvent event);

    /** All records of the event in order: a delete is followed by its tombstone, a changed key gives three records. */
    List<EncodedRecord> records(JournalEvent event);

    /** The record of a sequence value. */
    EncodedRecord record(SequenceValue value);

    /** Records that stand before the events of a transaction: its BEGIN, if transaction metadata is on. */
    List<EncodedRecord> begin(CommittedTransaction transaction);

    /** Records that stand behind the events of a transaction: its END, if transaction metadata is on. */
    List<EncodedRecord> end(CommittedTransaction transaction);
}
