package org.firebirdcdc.schema;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.firebirdcdc.schema.TransactionOutcomes.Outcome;

/** Asks a database what became of transactions: {@code RDB$GET_TRANSACTION_CN}. */
final class TransactionOutcomeReader {

    private static final int ROLLED_BACK = -2;

    private TransactionOutcomeReader() {}

    static TransactionOutcomes read(Connection connection, Collection<Long> transactions) throws SQLException {
        Map<Long, Outcome> outcomes = new HashMap<>();
        long sequence;
        connection.setReadOnly(true);
        // the states first: an end that is written between the two questions then counts as written before
        try (PreparedStatement ask =
                connection.prepareStatement("select rdb$get_transaction_cn(cast(? as bigint)) from rdb$database")) {
            for (long number : transactions) {
                ask.setLong(1, number);
                try (ResultSet answer = ask.executeQuery()) {
                    answer.next();
                    long commitNumber = answer.getLong(1);
                    outcomes.put(number, answer.wasNull() ? Outcome.OPEN : outcome(commitNumber));
                }
            }
        }
        try (PreparedStatement ask = connection.prepareStatement(
                        "select cast(rdb$get_context('SYSTEM', 'REPLICATION_SEQUENCE') as bigint) from rdb$database");
                ResultSet answer = ask.executeQuery()) {
            answer.next();
            sequence = answer.getLong(1);
        }
        return new TransactionOutcomes(outcomes, sequence);
    }

    private static Outcome outcome(long commitNumber) {
        if (commitNumber == ROLLED_BACK) {
            return Outcome.ROLLED_BACK;
        }
        return commitNumber >= 1 ? Outcome.COMMITTED : Outcome.OPEN;
    }
}
