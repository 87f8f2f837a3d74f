package org.firebirdcdc.differential;

import java.io.ByteArrayInputStream;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.firebirdcdc.testing.TestDatabase;
import org.firebirdsql.gds.TransactionParameterBuffer;
import org.firebirdsql.jaybird.fb.constants.TpbItems;
import org.firebirdsql.jdbc.FirebirdConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection that does random things in one transaction after the other. Nothing waits for a lock: whoever comes second
 * gets an error and goes on, from a savepoint or with a new transaction.
 */
final class RandomSession implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(RandomSession.class);

    private static final double[] ODD_DOUBLES = {
        Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, -0.0, Double.MIN_VALUE, Math.PI
    };
    private static final int LARGEST_BLOB = 200_000;

    private final Random random;
    private final RandomStatements statements;
    private final Connection connection;
    /** The server commits after each statement, retaining what the transaction sees. */
    private final boolean retaining;

    private final List<String> savepoints = new ArrayList<>();
    private int names;
    private long errors;
    private long executed;

    RandomSession(TestDatabase database, Random random, RandomStatements statements) throws SQLException {
        this.random = random;
        this.statements = statements;
        this.retaining = random.nextInt(6) == 0;
        this.connection = database.connect("useFirebirdAutocommit=" + retaining);
        beginAnew();
        connection.setAutoCommit(retaining);
    }

    /** Another kind of transaction from here on. */
    private void beginAnew() throws SQLException {
        savepoints.clear();
        FirebirdConnection firebird = connection.unwrap(FirebirdConnection.class);
        TransactionParameterBuffer parameters = firebird.createTransactionParameterBuffer();
        parameters.addArgument(TpbItems.isc_tpb_write);
        parameters.addArgument(TpbItems.isc_tpb_nowait);
        if (random.nextBoolean()) {
            parameters.addArgument(TpbItems.isc_tpb_concurrency);
        } else {
            parameters.addArgument(TpbItems.isc_tpb_read_committed);
            parameters.addArgument(TpbItems.isc_tpb_rec_version);
        }
        if (random.nextInt(6) == 0) {
            parameters.addArgument(TpbItems.isc_tpb_no_auto_undo);
        }
        firebird.setTransactionParameters(parameters);
    }

    void step() throws SQLException {
        try {
            if (retaining) {
                change();
            } else {
                stepOfTransaction();
            }
        } catch (SQLException e) {
            failed(e);
        }
    }

    private void stepOfTransaction() throws SQLException {
        int kind = random.nextInt(100);
        if (kind < 60) {
            change();
        } else if (kind < 70) {
            String name = "S" + names++;
            execute("savepoint " + name);
            savepoints.add(name);
        } else if (kind < 75) {
            rollbackToSavepoint();
        } else if (kind < 79) {
            if (!savepoints.isEmpty()) {
                int at = random.nextInt(savepoints.size());
                execute("release savepoint " + savepoints.get(at));
                savepoints.subList(at, savepoints.size()).clear();
            }
        } else if (kind < 95) {
            connection.commit();
            beginAnew();
        } else {
            rollback();
        }
    }

    private void rollbackToSavepoint() throws SQLException {
        if (!savepoints.isEmpty()) {
            int at = random.nextInt(savepoints.size());
            execute("rollback to savepoint " + savepoints.get(at));
            savepoints.subList(at + 1, savepoints.size()).clear();
        }
    }

    private void change() throws SQLException {
        int kind = random.nextInt(100);
        if (kind < 45) {
            execute(statements.statement());
        } else if (kind < 75) {
            execute(statements.block());
        } else if (kind < 90) {
            execute(statements.manyTransactions());
        } else if (kind < 94) {
            execute(statements.manyRows());
        } else {
            insertWithParameters();
        }
    }

    /** What SQL has no words for: not-a-number and infinities, and blobs that come in pieces. */
    private void insertWithParameters() throws SQLException {
        RandomTable table = statements.table();
        List<RandomColumn> parameters = table.stored().stream()
                .filter(c -> c.type().startsWith("double")
                        || c.type().startsWith("float")
                        || c.type().startsWith("blob sub_type binary"))
                .toList();
        try (PreparedStatement insert =
                connection.prepareStatement(statements.insertWithParameters(table, parameters))) {
            for (int i = 0; i < parameters.size(); i++) {
                if (parameters.get(i).type().startsWith("blob")) {
                    byte[] content = new byte[random.nextInt(random.nextInt(4) == 0 ? LARGEST_BLOB : 2_000)];
                    random.nextBytes(content);
                    insert.setBinaryStream(i + 1, new ByteArrayInputStream(content));
                } else if (parameters.get(i).type().startsWith("double")) {
                    insert.setDouble(i + 1, ODD_DOUBLES[random.nextInt(ODD_DOUBLES.length)]);
                } else {
                    insert.setFloat(i + 1, (float) ODD_DOUBLES[random.nextInt(ODD_DOUBLES.length)]);
                }
            }
            insert.execute();
            executed++;
        }
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
            executed++;
        }
    }

    /** Most errors are wanted. The transaction goes on, is undone in part, or as a whole. */
    private void failed(SQLException error) throws SQLException {
        errors++;
        LOG.debug("{}", error.getMessage());
        if (isFault(error)) {
            throw error;
        }
        if (retaining) {
            return;
        }
        switch (random.nextInt(4)) {
            case 0 -> rollback();
            case 1 -> {
                try {
                    rollbackToSavepoint();
                } catch (SQLException e) {
                    // an update conflict can cost a transaction its savepoints
                    rollback();
                }
            }
            default -> {
                // the statement is undone, what was before it stays
            }
        }
    }

    private void rollback() throws SQLException {
        connection.rollback();
        beginAnew();
    }

    /** Errors that no statement here should have: of the journal, of the connection, of syntax. */
    private static boolean isFault(SQLException error) {
        String text = String.valueOf(error.getMessage()).toLowerCase(Locale.ROOT);
        return text.contains("replication")
                || text.contains("journal")
                || text.contains("dynamic sql error") && !text.contains("too many contexts")
                || text.contains("i/o error")
                || text.contains("internal firebird")
                || error instanceof SQLNonTransientConnectionException;
    }

    void commit() throws SQLException {
        if (!retaining) {
            connection.commit();
            beginAnew();
        }
    }

    long errors() {
        return errors;
    }

    long executed() {
        return executed;
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
