package org.firebirdcdc.transaction;

import org.firebirdcdc.journal.JournalPosition;

/** One thing that a committed transaction did, in its place in the order. */
public sealed interface JournalEvent permits ChangeEvent, DdlEvent, RawEvent {

    /** For exhaustive switches. */
    enum Kind {
        /** {@link ChangeEvent}. */
        CHANGE,
        /** {@link DdlEvent}. */
        DDL,
        /** {@link RawEvent}. */
        RAW
    }

    Kind kind();

    /** The committed transaction that it belongs to. */
    TransactionInfo transaction();

    /** Where the operation stands. */
    JournalPosition position();

    /** Place among the events of the transaction, from 1. */
    long order();

    /** How the event is turned into bytes. */
    EventEncoder encoder();

    /**
     * Identity of the event: the same each time the same journal is read, {@code {GUID}/<segment>:<offset>}.
     */
    default String id() {
        return transaction().guid() + "/" + position();
    }
}
