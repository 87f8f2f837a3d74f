package org.firebirdcdc.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.firebirdcdc.checkpoint.FileCheckpointStore;
import org.firebirdcdc.journal.DatabaseGuid;
import org.firebirdcdc.schema.DatabaseAddress;
import org.firebirdcdc.schema.MetadataSource;
import org.firebirdcdc.schema.VersionColumn;
import org.firebirdcdc.testing.Captures;
import org.firebirdcdc.testing.FirebirdServer;
import org.firebirdcdc.testing.TestDatabase;
import org.firebirdcdc.testing.WithFirebirdServer;
import org.firebirdcdc.transaction.ChangeEvent;
import org.firebirdcdc.transaction.JournalEvent;
import org.firebirdcdc.transaction.JournalTransaction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A database that gbak restored, captured as README says: another GUID, segments and formats from 1 again
 * (segment-format.md 1.6), in an archive directory of its own, with checkpoints beside those of the old one.
 */
@WithFirebirdServer
class RestoredDatabaseServerTest {

    /** Several formats, two pairs of one length, and a column that is gone. */
    private static final List<String> OLD_HISTORY = List.of(
            "create table T (ID integer not null primary key, GONE integer, A varchar(5))",
            "insert into T values (1, 11, 'one')",
            "insert into T values (2, 21, 'two')",
            "alter table T add B integer",
            "update T set B = 12 where ID = 1",
            "alter table T drop GONE",
            "update T set B = 22 where ID = 2",
            "alter table T add D integer",
            "update T set D = 13, B = null",
            "insert into T (ID, A, B, D) values (3, 'three', 32, 33)");

    private static final List<String> NEW_HISTORY = List.of(
            "update T set D = D + 100",
            "insert into T (ID, A, B, D) values (4, 'four', 42, null)",
            "alter table T drop B",
            "alter table T add E integer",
            "alter table T alter A to \"a b\"",
            "update T set E = 10 * ID",
            "delete from T where ID = 2",
            "insert into T (ID, \"a b\", D, E) values (5, 'five', 53, 54)");

    @TempDir
    Path checkpoints;

    private final RowsOfEvents rows = new RowsOfEvents(row -> row.get("ID"));

    @Test
    void nothingOfTheOldHistoryIsAppliedToTheRestoredDatabase(FirebirdServer server) throws SQLException {
        TestDatabase old = server.createDatabase("old");
        old.execute(OLD_HISTORY);
        old.flush();
        assertThat(drain(old, Optional.empty())).isNotEmpty();
        assertThat(rows.of("T")).isEqualTo(select(old, "ID", "A", "B", "D"));

        TestDatabase restored = server.createDatabase("restored");
        old.restoreOver(restored);
        DatabaseGuid guid = restored.guid();
        assertThat(guid).isNotEqualTo(old.guid());
        restored.execute(NEW_HISTORY);
        restored.flush();

        assertThatThrownBy(() -> drain(restored, Optional.empty()))
                .as("nobody said that the restored one is meant")
                .isInstanceOf(CaptureException.class)
                .hasMessageContaining("databaseGuid");
        List<ChangeEvent> changes = drain(restored, Optional.of(guid));

        assertThat(changes.get(0).transaction().commit().segment()).isEqualTo(1);
        assertThat(changes.stream().map(change -> change.version().format()).distinct())
                .containsExactly(1, 3);
        assertThat(changes.get(0).version().columns().stream().map(VersionColumn::name))
                .as("where the dropped column stood is told by nothing")
                .containsExactlyInAnyOrder("ID", "A", "B", "D");
        // each row of the restored table has been changed
        assertThat(rows.of("T")).isEqualTo(select(restored, "ID", "a b", "D", "E"));
    }

    @Test
    void theRestoredDatabaseGoesOnAtItsOwnCheckpoint(FirebirdServer server) throws SQLException {
        TestDatabase old = server.createDatabase("old");
        old.execute(OLD_HISTORY);
        old.flush();
        drain(old, Optional.empty());
        TestDatabase restored = server.createDatabase("restored");
        old.restoreOver(restored);
        Optional<DatabaseGuid> guid = Optional.of(restored.guid());
        restored.execute(NEW_HISTORY);
        restored.flush();
        drain(restored, guid);

        restored.execute("update T set D = -1 where ID = 5");
        restored.flush();

        assertThat(drain(restored, guid)).singleElement().satisfies(change -> assertThat(
                        RowsOfEvents.values(change.row()))
                .containsExactly("5", "five", "-1", "54"));
        old.execute("update T set D = -2 where ID = 3");
        old.flush();
        assertThat(drain(old, Optional.of(old.guid())))
                .as("the old one, should somebody still use it")
                .singleElement()
                .satisfies(change ->
                        assertThat(RowsOfEvents.values(change.row())).containsExactly("3", "three", "32", "-2"));
    }

    @Test
    void theRestOfTheOldHistoryIsCapturedThoughTheDatabaseIsTheRestoredOne(FirebirdServer server) throws SQLException {
        TestDatabase old = server.createDatabase("old");
        old.execute(OLD_HISTORY);
        old.flush();
        drain(old, Optional.empty());
        TestDatabase restored = server.createDatabase("restored");
        old.restoreOver(restored);
        old.execute("update T set B = 100 where ID = 1", "delete from T where ID = 2");
        old.flush();

        assertThat(drain(old, restored, Optional.empty())).hasSize(2);

        assertThat(rows.of("T")).isEqualTo(select(old, "ID", "A", "B", "D"));
    }

    private List<ChangeEvent> drain(TestDatabase database, Optional<DatabaseGuid> guid) {
        return drain(database, database, guid);
    }

    /**
     * What a capture gives that begins or goes on at its checkpoint; the rows follow it.
     *
     * @param database whose journal is captured
     * @param asked    which is asked for metadata
     */
    private List<ChangeEvent> drain(TestDatabase database, TestDatabase asked, Optional<DatabaseGuid> guid) {
        DatabaseAddress address =
                DatabaseAddress.parse(asked.address(), Optional.of(asked.user()), Optional.of(asked.password()));
        CaptureSettings defaults = CaptureSettings.of(database.archiveDirectory());
        CaptureSettings settings = new CaptureSettings(
                defaults.directory(),
                guid,
                defaults.startFrom(),
                defaults.checkpointInterval(),
                defaults.processed(),
                defaults.moveTo(),
                defaults.onGap(),
                defaults.unknownTransaction(),
                defaults.abandonAfter(),
                defaults.clock());
        List<ChangeEvent> changes = new ArrayList<>();
        try (JournalCapture capture = new JournalCapture(
                settings,
                Captures.events(),
                Metadata.of(List.of(), Optional.of(MetadataSource.of(address)::readCatalog))
                        .history(),
                new FileCheckpointStore(checkpoints))) {
            for (JournalTransaction transaction : Captures.drain(capture)) {
                for (JournalEvent event : transaction) {
                    rows.apply(event);
                    if (event instanceof ChangeEvent change) {
                        changes.add(change);
                    }
                }
            }
        }
        return changes;
    }

    private static Map<String, Map<String, String>> select(TestDatabase database, String... columns)
            throws SQLException {
        try (Connection connection = database.connect()) {
            return RandomDdl.rows(connection, "T", List.of(columns), row -> row.get("ID"));
        }
    }
}
