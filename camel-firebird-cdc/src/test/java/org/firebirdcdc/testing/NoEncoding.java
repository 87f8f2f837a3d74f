package org.firebirdcdc.testing;

import java.util.List;
import java.util.Optional;
import org.firebirdcdc.transaction.CommittedTransaction;
import org.firebirdcdc.transaction.EncodedRecord;
import org.firebirdcdc.transaction.EventEncoder;
import org.firebirdcdc.transaction.JournalEvent;
import org.firebirdcdc.transaction.SequenceValue;

/** For tests that look at events, not at bytes. */
public final class NoEncoding implements EventEncoder {

    @Override
    public String topic(JournalEvent event) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Optional<byte[]> key(JournalEvent event) {
        throw new UnsupportedOperationException();
    }

    @Override
    public byte[] value(JournalEvent event) {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<EncodedRecord> records(JournalEvent event) {
        throw new UnsupportedOperationException();
    }

    @Override
    public EncodedRecord record(SequenceValue value) {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<EncodedRecord> begin(CommittedTransaction transaction) {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<EncodedRecord> end(CommittedTransaction transaction) {
        throw new UnsupportedOperationException();
    }
}
