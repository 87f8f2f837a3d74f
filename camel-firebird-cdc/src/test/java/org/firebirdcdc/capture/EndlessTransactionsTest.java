package org.firebirdcdc.capture;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.firebirdcdc.journal.JournalPosition;
import org.firebirdcdc.schema.MetadataException;
import org.firebirdcdc.schema.TransactionOutcomeSource;
import org.firebirdcdc.schema.TransactionOutcomes;
import org.firebirdcdc.schema.TransactionOutcomes.Outcome;
import org.firebirdcdc.testing.TestClock;
import org.firebirdcdc.transaction.OpenTransactionState;
import org.junit.jupiter.api.Test;

/** Transactions whose end the journal will never hold. */
class EndlessTransactionsTest {

    private static final long LIMBO = 10;
    private static final long SEQUENCE = 5;

    private final TestClock clock = new TestClock();
    private final Database database = new Database();
    private final EndlessTransactions endless = new EndlessTransactions(Optional.of(database), clock);
    private final OpenTransactionState open = new OpenTransactionState(
            LIMBO, new JournalPosition(2, 48), clock.millis(), Optional.of(new JournalPosition(2, 48)), 0, 7);

    private static final class Database implements TransactionOutcomeSource {
        final Map<Long, Outcome> outcomes = new HashMap<>();
        final List<Collection<Long>> questions = new ArrayList<>();
        boolean down;

        @Override
        public TransactionOutcomes outcomes(Collection<Long> transactions) {
            questions.add(transactions);
            if (down) {
                throw new MetadataException("down");
            }
            return new TransactionOutcomes(outcomes, SEQUENCE);
        }
    }

    private List<OpenTransactionState> find(long nextSegment) {
        clock.advance(Duration.ofMinutes(2));
        return endless.find(List.of(open), nextSegment);
    }

    @Test
    void theDatabaseIsNotAskedAboutAYoungOne() {
        assertThat(endless.find(List.of(open), 9)).isEmpty();
        assertThat(database.questions).isEmpty();
    }

    @Test
    void oneThatIsActiveOrInLimboStaysOpen() {
        database.outcomes.put(LIMBO, Outcome.OPEN);
        assertThat(find(9)).isEmpty();
        assertThat(find(99)).isEmpty();
        assertThat(database.questions).hasSize(2);
    }

    @Test
    void oneThatHasEndedIsDroppedOnlyWhenItsEndWouldHaveBeenRead() {
        database.outcomes.put(LIMBO, Outcome.COMMITTED);
        assertThat(find(SEQUENCE)).isEmpty();
        assertThat(find(SEQUENCE + 1)).containsExactly(open);
        assertThat(database.questions).as("what is known is not asked again").hasSize(1);
    }

    @Test
    void oneThatWasRolledBackIsDroppedLikewise() {
        database.outcomes.put(LIMBO, Outcome.ROLLED_BACK);
        assertThat(find(SEQUENCE + 1)).containsExactly(open);
    }

    @Test
    void aDatabaseThatIsDownIsAskedAgainLater() {
        database.outcomes.put(LIMBO, Outcome.ROLLED_BACK);
        database.down = true;
        assertThat(find(9)).isEmpty();
        database.down = false;
        assertThat(find(9)).containsExactly(open);
    }

    @Test
    void withoutADatabaseNothingIsDropped() {
        clock.advance(Duration.ofDays(1));
        assertThat(new EndlessTransactions(Optional.empty(), clock).find(List.of(open), 99))
                .isEmpty();
    }
}
