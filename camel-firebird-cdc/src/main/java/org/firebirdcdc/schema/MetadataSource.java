package org.firebirdcdc.schema;

import java.net.SocketTimeoutException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Objects;
import javax.sql.DataSource;
import org.firebirdsql.jdbc.FBDriver;

/**
 * The database as a place to ask for metadata. A connection lives as long as one question: none can be stale, and none
 * keeps the database open on the server, where the last one that leaves closes the journal's segment (segment-format.md
 * 1.5). Thread-safe.
 */
public final class MetadataSource implements TransactionOutcomeSource {

    private static final int LOGIN = 335544472;
    private static final int IO_ERROR = 335544344;
    private static final int NETWORK_ERROR = 335544721;
    private static final int CONNECT_REJECTED = 335544421;
    private static final int UNAVAILABLE = 335544375;
    private static final int SHUTDOWN = 335544528;
    private static final int NO_PRIVILEGE = 335544352;

    private interface ConnectionSupplier {
        Connection get() throws SQLException;
    }

    private final String description;
    private final ConnectionSupplier connections;

    private MetadataSource(String description, ConnectionSupplier connections) {
        this.description = description;
        this.connections = connections;
    }

    /** The database at an address. */
    public static MetadataSource of(DatabaseAddress address) {
        return new MetadataSource("database " + address.url(), () -> {
            Connection connection = new FBDriver().connect(address.url(), address.properties());
            if (connection == null) {
                throw new SQLException("the driver does not know this form of address");
            }
            return connection;
        });
    }

    /** The database of a data source, whose connections should use the encoding UTF8. */
    public static MetadataSource of(DataSource dataSource) {
        Objects.requireNonNull(dataSource, "dataSource");
        return new MetadataSource("the database of the option dataSource", dataSource::getConnection);
    }

    /**
     * Reads the present state of the database in one snapshot.
     *
     * @throws MetadataException if there is no answer, or no usable one: the message says where, why and what to do
     */
    public Catalog readCatalog() {
        try {
            return ask(CatalogReader::read);
        } catch (MetadataException e) {
            throw new MetadataException("metadata of " + description + " is not usable: " + e.getMessage(), e);
        }
    }

    @Override
    public TransactionOutcomes outcomes(Collection<Long> transactions) {
        return ask(connection -> TransactionOutcomeReader.read(connection, transactions));
    }

    private interface Question<T> {
        T put(Connection connection) throws SQLException;
    }

    private <T> T ask(Question<T> question) {
        try (Connection connection = connections.get()) {
            return question.put(connection);
        } catch (SQLException e) {
            throw new MetadataException(
                    "metadata cannot be read from " + description + ": " + e.getMessage() + "; " + advice(e), e);
        }
    }

    private static String advice(SQLException failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SocketTimeoutException) {
                return "check host and port, and that no firewall is in between";
            }
        }
        return switch (failure.getErrorCode()) {
            case LOGIN -> "check the options username and password";
            case NETWORK_ERROR ->
                "check host and port, that the Firebird server runs, and that no firewall is in between";
            case IO_ERROR, UNAVAILABLE ->
                "check the name of the database: an alias in databases.conf of the server, or a"
                        + " path there that the server may open";
            case CONNECT_REJECTED -> "the server refuses connections; see its firebird.log";
            case SHUTDOWN -> "the database is shut down; bring it online with gfix -online";
            case NO_PRIVILEGE -> "the user needs the right to read the system tables";
            default -> "see the server's firebird.log";
        };
    }

    /** Which database, without secrets. */
    @Override
    public String toString() {
        return description;
    }
}
