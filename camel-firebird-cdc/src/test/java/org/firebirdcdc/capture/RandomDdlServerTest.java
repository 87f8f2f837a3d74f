package org.firebirdcdc.capture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.firebirdcdc.schema.DatabaseAddress;
import org.firebirdcdc.schema.MetadataSource;
import org.firebirdcdc.schema.VersionColumn;
import org.firebirdcdc.testing.Captures;
import org.firebirdcdc.testing.FirebirdServer;
import org.firebirdcdc.testing.MemoryCheckpointStore;
import org.firebirdcdc.testing.TestDatabase;
import org.firebirdcdc.testing.WithFirebirdServer;
import org.firebirdcdc.transaction.ChangeEvent;
import org.firebirdcdc.transaction.DdlEvent;
import org.firebirdcdc.transaction.JournalEvent;
import org.firebirdcdc.transaction.JournalTransaction;
import org.firebirdcdc.transaction.OnDecodeError;
import org.firebirdcdc.transaction.RawEvent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/**
 * DDL of all kinds between changes of rows on a real server, captured while it happens, with stops in between, and from the
 * backlog of the whole: every event has the values that the server showed, under the names in force then, every statement is
 * in its place, and tables that are made of the events alone equal those of the server. System properties
 * {@code firebird.cdc.ddl.steps} and {@code firebird.cdc.ddl.seed} make it longer or repeat it.
 */
@WithFirebirdServer
class RandomDdlServerTest {

    /** One capture and what it gave. */
    private static final class Follower {
        final String name;
        final TestDatabase database;
        final MemoryCheckpointStore store = new MemoryCheckpointStore();
        final Map<Long, List<JournalEvent>> got = new LinkedHashMap<>();
        final RowsOfEvents rebuilt = new RowsOfEvents(RandomDdl::identity);

        Optional<JournalCapture> running = Optional.empty();
        int questions;
        /** Starts, and looks at the archive that met DDL. */
        int reasonsToAsk;

        Follower(String name, TestDatabase database) {
            this.name = name;
            this.database = database;
        }

        void take() {
            JournalCapture capture = running.orElseGet(this::open);
            running = Optional.of(capture);
            boolean ddl = false;
            for (JournalTransaction transaction : Captures.drain(capture)) {
                List<JournalEvent> events = new ArrayList<>();
                transaction.forEach(events::add);
                if (!events.isEmpty()) {
                    got.put(transaction.info().number(), events);
                }
                events.forEach(rebuilt::apply);
                ddl |= events.stream().anyMatch(event -> event.kind() == JournalEvent.Kind.DDL);
            }
            reasonsToAsk += ddl ? 1 : 0;
        }

        private JournalCapture open() {
            MetadataSource source = MetadataSource.of(DatabaseAddress.parse(
                    database.address(), Optional.of(database.user()), Optional.of(database.password())));
            reasonsToAsk++;
            EventSettings events = Captures.events();
            return new JournalCapture(
                    CaptureSettings.of(database.archiveDirectory()),
                    new EventSettings(
                            events.selection(),
                            // another type than text becomes text of no character set, with bytes as the client sent
                            // them
                            events.decoding().withNoneCharset(StandardCharsets.UTF_8),
                            events.statements(),
                            events.encoder(),
                            OnDecodeError.RAW),
                    Metadata.of(List.of(), Optional.of(() -> {
                                questions++;
                                return source.readCatalog();
                            }))
                            .history(),
                    store);
        }

        byte[] history() {
            return store.loadDocument(store.databases().get(0), "schema").orElseThrow();
        }

        void stop() {
            running.ifPresent(JournalCapture::close);
            running = Optional.empty();
        }
    }

    @Test
    void everyEventHasTheNamesAndValuesOfItsMoment(FirebirdServer server, TestReporter reporter)
            throws SQLException, IOException {
        int steps = Integer.getInteger("firebird.cdc.ddl.steps", 200);
        long seed = Long.getLong("firebird.cdc.ddl.seed", 1);
        TestDatabase database = server.createDatabase("ddl");
        database.writeAsynchronously();
        RandomDdl workload = new RandomDdl(database, seed);
        Random stops = new Random(seed);
        reporter.publishEntry("seed", String.valueOf(seed));
        workload.createTables();
        Follower always = new Follower("while it happens", database);
        Follower sometimes = new Follower("with stops", database);
        Follower late = new Follower("from the backlog", database);
        for (int step = 0; step < steps; step++) {
            workload.step();
            if (stops.nextInt(3) == 0) {
                workload.close();
                database.flush();
                always.take();
            }
            if (stops.nextInt(12) == 0) {
                workload.close();
                database.flush();
                sometimes.take();
                if (stops.nextBoolean()) {
                    sometimes.stop();
                }
            }
            if (step == steps / 2) {
                workload.close();
                workload.touchAll();
                database.flush();
                always.take();
                assertRebuilt(workload, always, seed);
            }
        }
        workload.close();
        workload.touchAll();
        database.flush();
        always.take();
        sometimes.stop();
        sometimes.take();
        late.take();
        Files.write(Path.of("target", "random-ddl.log"), workload.log());
        for (Follower follower : List.of(always, sometimes, late)) {
            Files.write(Path.of("target", "random-ddl " + follower.name + ".json"), follower.history());
        }
        String figures = "seed " + seed + ": " + steps + " steps, " + workload.ddlCount() + " DDL transactions, "
                + workload.refusedCount() + " refused, " + workload.committed().size() + " transactions";
        for (Follower follower : List.of(always, sometimes, late)) {
            int unseen = compare(workload, follower, seed);
            figures += "; " + follower.name + ": " + follower.questions + " questions to the database, " + unseen
                    + " changes of lives that no catalog saw, history of " + follower.history().length + " bytes";
            if (unseen == 0) {
                assertThat(follower.questions)
                        .as("%s, seed %s: questions", follower.name, seed)
                        .isLessThanOrEqualTo(follower.reasonsToAsk);
            }
            assertRebuilt(workload, follower, seed);
            follower.stop();
        }
        reporter.publishEntry("figures", figures);
        Files.writeString(Path.of("target", "random-ddl-figures.txt"), figures);
    }

    private static void assertRebuilt(RandomDdl workload, Follower follower, long seed) throws SQLException {
        Map<String, Map<String, Map<String, String>>> rows = workload.rows();
        for (String table : rows.keySet()) {
            assertThat(follower.rebuilt.of(table))
                    .as("%s, seed %s: table %s", follower.name, seed, table)
                    .isEqualTo(rows.get(table));
        }
    }

    private static int compare(RandomDdl workload, Follower follower, long seed) throws SQLException {
        int raw = 0;
        assertThat(follower.got.keySet())
                .as("%s, seed %s", follower.name, seed)
                .containsExactlyElementsOf(workload.committed().keySet());
        for (Map.Entry<Long, List<RandomDdl.Expected>> transaction :
                workload.committed().entrySet()) {
            List<JournalEvent> events = follower.got.get(transaction.getKey());
            String where = follower.name + ", seed " + seed + ", transaction " + transaction.getKey();
            assertThat(events).as(where).hasSameSizeAs(transaction.getValue());
            for (int i = 0; i < events.size(); i++) {
                if (transaction.getValue().get(i) instanceof RandomDdl.DdlText text) {
                    assertThat(events.get(i)).as(where).isInstanceOf(DdlEvent.class);
                    assertThat(((DdlEvent) events.get(i)).sql()).as(where).isEqualTo(text.sql());
                    continue;
                }
                RandomDdl.Change expected =
                        (RandomDdl.Change) transaction.getValue().get(i);
                if (events.get(i) instanceof RawEvent rawEvent) {
                    assertThat(workload.lives().get(expected.table()))
                            .as(where + ": " + rawEvent.cause())
                            .isGreaterThan(expected.life());
                    raw++;
                    continue;
                }
                assertThat(events.get(i)).as(where).isInstanceOf(ChangeEvent.class);
                ChangeEvent event = (ChangeEvent) events.get(i);
                assertThat(event.version().columns().stream().map(VersionColumn::name))
                        .as(where)
                        .isEqualTo(expected.names());
                assertThat(event.version().key().stream().map(VersionColumn::name))
                        .as(where + " key of " + event)
                        .isEqualTo(expected.key());
                assertThat(event.operation().code()).as(where).isEqualTo(expected.operation());
                assertThat(RowsOfEvents.values(event.row()))
                        .as(where + " " + event)
                        .isEqualTo(expected.row());
            }
        }
        return raw;
    }
}
