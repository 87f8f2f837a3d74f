package org.firebirdcdc.capture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.StreamSupport;
import javax.sql.XAConnection;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.awaitility.Awaitility;
import org.firebirdcdc.schema.DatabaseAddress;
import org.firebirdcdc.schema.MetadataSource;
import org.firebirdcdc.schema.SchemaHistory;
import org.firebirdcdc.testing.Captures;
import org.firebirdcdc.testing.DatabaseOptions;
import org.firebirdcdc.testing.FirebirdServer;
import org.firebirdcdc.testing.MemoryCheckpointStore;
import org.firebirdcdc.testing.TestDatabase;
import org.firebirdcdc.testing.WithFirebirdServer;
import org.firebirdcdc.transaction.ChangeEvent;
import org.firebirdcdc.transaction.JournalEvent;
import org.firebirdcdc.transaction.JournalTransaction;
import org.firebirdsql.ds.FBXADataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two-phase commit and the server's death, on a real server (segment-format.md 4.4, 4.5). */
@WithFirebirdServer
class TwoPhaseCommitServerTest {

    private static final int PREPARED_ROWS = 40;
    private static final int OTHER_ROWS = 300;

    private FirebirdServer server;
    private TestDatabase database;

    private record Branch(int number) implements Xid {

        @Override
        public int getFormatId() {
            return 1;
        }

        @Override
        public byte[] getGlobalTransactionId() {
            return ("global" + number).getBytes(StandardCharsets.US_ASCII);
        }

        @Override
        public byte[] getBranchQualifier() {
            return ("branch" + number).getBytes(StandardCharsets.US_ASCII);
        }
    }

    @BeforeEach
    void createDatabase(FirebirdServer started) throws SQLException {
        server = started;
        // a large transaction has blocks in the journal before its end, and segments fill fast
        database = server.createDatabase(
                "phases", DatabaseOptions.DEFAULT.withSegmentSize(5_000).withReplication("buffer_size = 500"));
        database.execute("create table T (ID integer not null primary key, V varchar(200))");
    }

    @Test
    void preparedChangesComeWithTheSecondPhaseManySegmentsLater() throws Exception {
        try (JournalCapture capture = capture()) {
            XAConnection connection = xaConnection();
            XAResource resource = connection.getXAResource();
            Branch branch = new Branch(1);
            prepare(connection, resource, branch);
            insert(database, 10_000, OTHER_ROWS);

            assertThat(ids(drain(capture))).hasSize(OTHER_ROWS).allMatch(id -> id >= 10_000);
            assertThat(capture.status().open()).hasSize(1);

            resource.commit(branch, false);
            connection.close();
            List<JournalTransaction> transactions = drain(capture);

            assertThat(transactions).hasSize(1);
            assertThat(ids(transactions)).hasSize(PREPARED_ROWS).allMatch(id -> id < PREPARED_ROWS);
            assertThat(transactions.get(0).info().commit().segment())
                    .isGreaterThan(transactions.get(0).info().begin().segment() + 5);
            assertThat(capture.status().open()).isEmpty();
        }
    }

    @Test
    void preparedChangesThatAreRolledBackNeverCome() throws Exception {
        try (JournalCapture capture = capture()) {
            XAConnection connection = xaConnection();
            XAResource resource = connection.getXAResource();
            Branch branch = new Branch(2);
            prepare(connection, resource, branch);
            resource.rollback(branch);
            connection.close();
            insert(database, 10_000, 1);

            assertThat(ids(drain(capture))).containsExactly(10_000);
            assertThat(capture.status().open()).isEmpty();
        }
    }

    @Test
    void whatIsInLimboStaysOpenAndIsNeverReportedUntilItIsAbandoned() throws Exception {
        try (JournalCapture capture = capture()) {
            XAConnection connection = xaConnection();
            prepare(connection, connection.getXAResource(), new Branch(3));
            insert(database, 10_000, 1);
            assertThat(ids(drain(capture))).containsExactly(10_000);
            long limbo = capture.status().oldestOpen().orElseThrow().number();

            // the session ends between the phases; whoever ends the transaction then does not write to the journal
            connection.close();
            endInLimbo();
            insert(database, 20_000, OTHER_ROWS);

            assertThat(count()).isEqualTo(1 + OTHER_ROWS + PREPARED_ROWS);
            assertThat(ids(drain(capture))).hasSize(OTHER_ROWS).allMatch(id -> id >= 20_000);
            assertThat(capture.status().open()).singleElement().satisfies(open -> assertThat(open.number())
                    .isEqualTo(limbo));
            assertThat(capture.abandon(limbo)).isPresent();
            assertThat(capture.status().open()).isEmpty();
        }
    }

    @Test
    void whatWasOpenWhenTheServerDiedIsDroppedAndNothingElse() throws Exception {
        try (JournalCapture capture = capture()) {
            // not closed: the server is gone by then
            Connection dying = database.connect();
            dying.setAutoCommit(false);
            insert(dying.createStatement(), 0, PREPARED_ROWS);
            insert(database, 10_000, OTHER_ROWS);
            assertThat(ids(drain(capture))).hasSize(OTHER_ROWS);
            assertThat(capture.status().open()).hasSize(1);
            server.crash();
            insert(database, 20_000, OTHER_ROWS);

            assertThat(ids(drain(capture))).hasSize(OTHER_ROWS).allMatch(id -> id >= 20_000);
            assertThat(capture.status().open()).isEmpty();
            assertThat(capture.status().counters().cleanedUp()).isEqualTo(1);
            assertThat(count()).isEqualTo(2 * OTHER_ROWS);
        }
    }

    private JournalCapture capture() {
        MetadataSource metadata = MetadataSource.of(DatabaseAddress.parse(
                database.address(), Optional.of(database.user()), Optional.of(database.password())));
        return new JournalCapture(
                CaptureSettings.of(database.archiveDirectory()),
                Captures.events(),
                new SchemaHistory(List.of(), Optional.of(metadata::readCatalog)),
                new MemoryCheckpointStore());
    }

    private XAConnection xaConnection() throws SQLException {
        FBXADataSource source = new FBXADataSource();
        source.setServerName(server.host());
        source.setPortNumber(server.port());
        source.setDatabaseName(database.path());
        source.setUser(database.user());
        source.setPassword(database.password());
        source.setCharSet("UTF-8");
        return source.getXAConnection();
    }

    private static void prepare(XAConnection connection, XAResource resource, Branch branch)
            throws SQLException, XAException {
        resource.start(branch, XAResource.TMNOFLAGS);
        try (Statement statement = connection.getConnection().createStatement()) {
            insert(statement, 0, PREPARED_ROWS);
        }
        resource.end(branch, XAResource.TMSUCCESS);
        assertThat(resource.prepare(branch)).isEqualTo(XAResource.XA_OK);
    }

    /** As {@code gfix -commit} does. */
    private void endInLimbo() throws SQLException, XAException {
        XAConnection connection = xaConnection();
        XAResource resource = connection.getXAResource();
        Xid[] branches = resource.recover(XAResource.TMSTARTRSCAN | XAResource.TMENDRSCAN);
        assertThat(branches).hasSize(1);
        resource.commit(branches[0], false);
        connection.close();
    }

    private static void insert(TestDatabase database, int first, int count) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            insert(statement, first, count);
        }
    }

    private static void insert(Statement statement, int first, int count) throws SQLException {
        statement.execute("execute block as declare I integer = 0; begin while (I < " + count
                + ") do begin insert into T values (" + first + " + :I, rpad('', 200, :I)); I = I + 1; end end");
    }

    private int count() throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select count(*) from T")) {
            row.next();
            return row.getInt(1);
        }
    }

    /** Everything up to the end of what is committed now. */
    private List<JournalTransaction> drain(JournalCapture capture) throws SQLException {
        List<JournalTransaction> all = new ArrayList<>();
        long last = database.lastSegment();
        Awaitility.await("segment " + last)
                .atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(20))
                .until(() -> {
                    all.addAll(Captures.drain(capture));
                    return capture.status().reading().segment() > last;
                });
        return all.stream().filter(t -> !t.eventCounts().isEmpty()).toList();
    }

    private static List<Integer> ids(List<JournalTransaction> transactions) {
        return transactions.stream()
                .flatMap(t -> StreamSupport.stream(t.spliterator(), false))
                .filter(event -> event.kind() == JournalEvent.Kind.CHANGE)
                .map(event -> ((ChangeEvent) event).row().getInt("ID"))
                .toList();
    }
}
