package org.firebirdcdc.testing;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.firebirdcdc.journal.DatabaseGuid;
import org.firebirdcdc.journal.SegmentDirectory;
import org.firebirdcdc.journal.SegmentStatus;
import org.firebirdsql.management.FBBackupManager;
import org.firebirdsql.management.FBMaintenanceManager;

/** A database of the test's server whose journal is archived into a folder that the test can read. */
public final class TestDatabase {

    private static final Duration ARCHIVING = Duration.ofSeconds(60);

    private final FirebirdServer server;
    private final String name;
    private final String path;
    private final Path archive;

    /**
     * @param path    path as the server sees it
     * @param archive archive directory as the test sees it
     */
    TestDatabase(FirebirdServer server, String name, String path, Path archive) {
        this.server = server;
        this.name = name;
        this.path = path;
        this.archive = archive;
    }

    public String name() {
        return name;
    }

    /** Path as the server sees it. */
    public String path() {
        return path;
    }

    /** Address in the short form of the option {@code database}: {@code host:port/name}. */
    public String address() {
        return server.host() + ":" + server.port() + "/" + path;
    }

    public String jdbcUrl() {
        return "jdbc:firebird://" + address() + "?encoding=UTF8";
    }

    public String user() {
        return FirebirdServer.USER;
    }

    public String password() {
        return FirebirdServer.PASSWORD;
    }

    public Path archiveDirectory() {
        return archive;
    }

    public Connection connect() throws SQLException {
        return DriverManager.getConnection(jdbcUrl(), user(), password());
    }

    /**
     * A connection with more properties of the driver.
     *
     * @param properties {@code name=value}, several with {@code &} between them
     */
    public Connection connect(String properties) throws SQLException {
        return DriverManager.getConnection(jdbcUrl() + "&" + properties, user(), password());
    }

    /** Does not wait for the disk with what goes into the database; what goes into the journal is not concerned. */
    public void writeAsynchronously() throws SQLException {
        FBMaintenanceManager maintenance = new FBMaintenanceManager();
        maintenance.setServerName(server.host());
        maintenance.setPortNumber(server.port());
        maintenance.setDatabase(path);
        maintenance.setUser(user());
        maintenance.setPassword(password());
        maintenance.setForcedWrites(false);
    }

    /** Backs the database up and restores it over another one of the same server, which takes its place as it is then. */
    public void restoreOver(TestDatabase other) throws SQLException {
        FBBackupManager manager = new FBBackupManager();
        manager.setServerName(server.host());
        manager.setPortNumber(server.port());
        manager.setUser(user());
        manager.setPassword(password());
        manager.setDatabase(path);
        manager.setBackupPath(path + ".fbk");
        manager.backupDatabase();
        manager.clearRestorePaths();
        manager.clearBackupPaths();
        manager.setBackupPath(path + ".fbk");
        manager.setDatabase(other.path);
        manager.setRestoreReplace(true);
        manager.restoreDatabase();
    }

    /** Runs statements in one connection, each in a transaction of its own. */
    public void execute(String... statements) throws SQLException {
        execute(List.of(statements));
    }

    public void execute(List<String> statements) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    public DatabaseGuid guid() throws SQLException {
        return DatabaseGuid.parse(context("DB_GUID"));
    }

    private String context(String variable) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "select RDB$GET_CONTEXT('SYSTEM', '" + variable + "') from RDB$DATABASE")) {
            row.next();
            return row.getString(1);
        }
    }

    /** Number of the segment that holds what was committed last, archived or not; 0 if nothing was ever written. */
    public long lastSegment() throws SQLException {
        return Long.parseLong(context("REPLICATION_SEQUENCE"));
    }

    /**
     * Waits until everything that was committed is archived. The server archives at once when the last connection ends,
     * so tests should have closed theirs; with others open it happens after the archive timeout.
     *
     * @return number of the last segment; 0 if nothing was ever written
     */
    public long flush() throws SQLException {
        long last = lastSegment();
        if (last > 0) {
            SegmentDirectory directory = new SegmentDirectory(archive);
            Awaitility.await("segment " + last + " in " + archive)
                    .atMost(ARCHIVING)
                    .pollInterval(Duration.ofMillis(20))
                    .until(() -> directory.scan().stream()
                            .anyMatch(status -> status.kind() == SegmentStatus.Kind.COMPLETE
                                    && status.name().sequence() == last));
        }
        return last;
    }

    @Override
    public String toString() {
        return name + " at " + address();
    }
}
