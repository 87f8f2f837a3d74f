package org.firebirdcdc.capture;

import org.firebirdcdc.record.RecordDecoding;
import org.firebirdcdc.transaction.EventEncoder;
import org.firebirdcdc.transaction.EventSelection;
import org.firebirdcdc.transaction.OnDecodeError;
import org.firebirdcdc.transaction.StatementReader;

/**
 * Which events are made, and how.
 *
 * @param selection     which are wanted
 * @param decoding      how values are read
 * @param statements    how DDL statements are read
 * @param encoder       given to each event
 * @param onDecodeError what happens with a record that cannot be decoded
 */
public record EventSettings(
        EventSelection selection,
        RecordDecoding decoding,
        StatementReader statements,
        EventEncoder encoder,
        OnDecodeError onDecodeError) {}
