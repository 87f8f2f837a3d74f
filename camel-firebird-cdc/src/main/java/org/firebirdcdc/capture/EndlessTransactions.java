package org.firebirdcdc.capture;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.firebirdcdc.schema.MetadataException;
import org.firebirdcdc.schema.TransactionOutcomeSource;
import org.firebirdcdc.schema.TransactionOutcomes;
import org.firebirdcdc.schema.TransactionOutcomes.Outcome;
import org.firebirdcdc.transaction.OpenTransactionState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds transactions whose end the journal will never hold: in limbo at a crash and settled later, or no longer published
 * after an error (segment-format.md 4.4, 4.5). The database is asked what became of one that has been open for some time;
 * if it has ended there, and the journal has been read as far as it was written then, the end is not in the journal.
 */
final class EndlessTransactions {

    private static final Logger LOG = LoggerFactory.getLogger(EndlessTransactions.class);

    /** Younger ones are simply at work. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private static final Duration ASK_INTERVAL = Duration.ofMinutes(1);

    private final Optional<TransactionOutcomeSource> database;
    private final Clock clock;
    private final Map<Long, Ended> ended = new HashMap<>();
    private Instant asked = Instant.MIN;

    /** A transaction that has ended in the database, and how far the journal was written when that was known. */
    private record Ended(Outcome outcome, long journalSequence) {}

    EndlessTransactions(Optional<TransactionOutcomeSource> database, Clock clock) {
        this.database = database;
        this.clock = clock;
    }

    /**
     * @param open    open transactions
     * @param nextSegment every segment before it is read to its end
     * @return those that will never end, to be dropped
     */
    List<OpenTransactionState> find(List<OpenTransactionState> open, long nextSegment) {
        if (database.isEmpty()) {
            return List.of();
        }
        Instant now = clock.instant();
        List<OpenTransactionState> old = open.stream()
                .filter(t ->
                        Instant.ofEpochMilli(t.sinceMillis()).plus(PATIENCE).isBefore(now))
                .toList();
        ended.keySet().retainAll(old.stream().map(OpenTransactionState::number).toList());
        // a clock that was set back must not put the next question off
        if (!old.isEmpty() && (now.isAfter(asked.plus(ASK_INTERVAL)) || now.isBefore(asked))) {
            asked = now;
            ask(old);
        }
        List<OpenTransactionState> endless = new ArrayList<>();
        for (OpenTransactionState transaction : old) {
            Ended end = ended.get(transaction.number());
            if (end != null && nextSegment > end.journalSequence()) {
                tell(transaction, end.outcome());
                endless.add(transaction);
            }
        }
        return endless;
    }

    private void ask(List<OpenTransactionState> old) {
        List<Long> unknown = old.stream()
                .map(OpenTransactionState::number)
                .filter(number -> !ended.containsKey(number))
                .toList();
        if (unknown.isEmpty()) {
            return;
        }
        try {
            TransactionOutcomes answer = database.orElseThrow().outcomes(unknown);
            answer.outcomes().forEach((number, outcome) -> {
                if (outcome != Outcome.OPEN) {
                    ended.put(number, new Ended(outcome, answer.journalSequence()));
                }
            });
        } catch (MetadataException e) {
            LOG.debug("What became of transactions {} cannot be asked now: {}", unknown, e.getMessage());
        }
    }

    private static void tell(OpenTransactionState transaction, Outcome outcome) {
        if (outcome == Outcome.COMMITTED) {
            LOG.error(
                    "Transaction {} (open since {}) was committed in the database, but its end is not in the journal: it was"
                            + " in limbo when the server crashed, or publication was switched off by an error (see"
                            + " replication.log). Its changes cannot be delivered; {} of them were in the journal. Compare"
                            + " the tables concerned with their copies",
                    transaction.number(),
                    transaction.begin(),
                    transaction.changes());
        } else {
            LOG.info(
                    "Transaction {} (open since {}) was rolled back in the database without an end in the journal; dropped",
                    transaction.number(),
                    transaction.begin());
        }
    }
}
