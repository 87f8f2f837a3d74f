package org.firebirdcdc.transaction;

import org.firebirdcdc.journal.DatabaseGuid;
import org.firebirdcdc.journal.JournalFiles;
import org.firebirdcdc.journal.SegmentReaders;
import org.firebirdcdc.record.RecordDecoding;
import org.firebirdcdc.schema.FormatResolver;

/**
 * What committed transactions need to give their events.
 *
 * @param guid          database
 * @param files         segment files for the second pass
 * @param readers       readers for the second pass
 * @param selection     which events are wanted
 * @param formats       finds the format of each image
 * @param decoding      how values are read
 * @param statements    how DDL statements are read
 * @param encoder       put into each event
 * @param onDecodeError what happens with a record that cannot be decoded
 */
public record TransactionSettings(
        DatabaseGuid guid,
        JournalFiles files,
        SegmentReaders readers,
        EventSelection selection,
        FormatResolver formats,
        RecordDecoding decoding,
        StatementReader statements,
        EventEncoder encoder,
        OnDecodeError onDecodeError) {}
