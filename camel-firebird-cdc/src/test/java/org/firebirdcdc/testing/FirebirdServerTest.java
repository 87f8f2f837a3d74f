package org.firebirdcdc.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.firebirdcdc.journal.SegmentDirectory;
import org.firebirdcdc.journal.SegmentHeader;
import org.firebirdcdc.journal.SegmentStatus;
import org.junit.jupiter.api.Test;

@WithFirebirdServer
class FirebirdServerTest {

    @Test
    void afterFlushTheArchiveHoldsWhatWasCommitted(FirebirdServer server) throws SQLException {
        TestDatabase database = server.createDatabase("flushed");
        assertThat(database.flush()).isZero();

        database.execute("create table T (ID integer)", "insert into T values (1)");
        long first = database.flush();
        database.execute("insert into T values (2)");
        long second = database.flush();

        assertThat(second).isEqualTo(first + 1);
        SegmentDirectory archive = new SegmentDirectory(database.archiveDirectory());
        assertThat(archive.scan()).extracting(SegmentStatus::kind).hasSize(2).containsOnly(SegmentStatus.Kind.COMPLETE);
        assertThat(archive.scan())
                .map(status -> status.header().orElseThrow())
                .allSatisfy(header -> assertThat(header.length()).isGreaterThan(SegmentHeader.SIZE))
                .extracting(SegmentHeader::guid)
                .containsOnly(database.guid());
    }

    @Test
    void flushDoesNotNeedTheLastConnection(FirebirdServer server) throws SQLException {
        TestDatabase database = server.createDatabase("flushed");
        try (Connection open = database.connect();
                Statement statement = open.createStatement()) {
            statement.execute("create table T (ID integer)");

            assertThat(database.flush()).isEqualTo(1);
        }
    }

    @Test
    void databasesOfOneNameAreSeparate(FirebirdServer server) throws SQLException {
        TestDatabase first = server.createDatabase("twin");
        TestDatabase second = server.createDatabase("twin");

        assertThat(first.guid()).isNotEqualTo(second.guid());
        assertThat(first.archiveDirectory()).isNotEqualTo(second.archiveDirectory());
    }

    @Test
    void optionsReachTheServer(FirebirdServer server) throws SQLException {
        TestDatabase database = server.createDatabase(
                "small",
                DatabaseOptions.DEFAULT
                        .withCharset("WIN1251")
                        .withSegmentSize(2048)
                        .withArchiveTimeout(3600)
                        .withReplication("buffer_size = 512", "log_errors = true"));
        database.execute("create table T (ID integer, V char(100))");
        long before = database.flush();
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("execute block as declare I integer = 0; begin while (I < 100) do begin"
                    + " insert into T values (:I, 'x'); I = I + 1; end end");
            try (ResultSet row = statement.executeQuery("select RDB$CHARACTER_SET_NAME from RDB$DATABASE")) {
                row.next();
                assertThat(row.getString(1).strip()).isEqualTo("WIN1251");
            }
        }

        assertThat(database.flush()).isGreaterThan(before + 3);
    }
}
