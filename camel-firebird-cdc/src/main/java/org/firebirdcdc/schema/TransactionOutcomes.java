package org.firebirdcdc.schema;

import java.util.Map;

/**
 * What the database says of transactions, at one moment (segment-format.md 4.4, 4.5, 9).
 *
 * @param outcomes        by transaction number
 * @param journalSequence number of the segment that was written to then: every end that the journal will ever hold of a
 *                        transaction that was not active any more stands in it or before it
 */
public record TransactionOutcomes(Map<Long, Outcome> outcomes, long journalSequence) {

    public TransactionOutcomes {
        outcomes = Map.copyOf(outcomes);
    }

    /** State of a transaction in the database. */
    public enum Outcome {
        /** Active, in limbo, or not started as far as the database knows: its end may come. */
        OPEN,
        ROLLED_BACK,
        COMMITTED
    }
}
