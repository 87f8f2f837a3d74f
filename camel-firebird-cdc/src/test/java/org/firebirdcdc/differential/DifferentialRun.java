package org.firebirdcdc.differential;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.firebirdcdc.journal.ObjectName;
import org.firebirdcdc.schema.Catalog;
import org.firebirdcdc.schema.CharacterSet;
import org.firebirdcdc.schema.DatabaseAddress;
import org.firebirdcdc.schema.MetadataSource;
import org.firebirdcdc.schema.Table;
import org.firebirdcdc.schema.TableVersion;
import org.firebirdcdc.testing.DatabaseOptions;
import org.firebirdcdc.testing.FirebirdServer;
import org.firebirdcdc.testing.RebuiltTables;
import org.firebirdcdc.testing.TestDatabase;

/** One random database: a seed gives its tables, its journal's settings, what is done in it and how it is captured. */
final class DifferentialRun {

    private static final int ROUNDS = 3;
    private static final int MOST_SHOWN = 5;
    private static final int[] SEGMENT_SIZES = {50_000, 200_000, 1_000_000, 16_000_000};
    private static final int[] BUFFER_SIZES = {700, 3_000, 30_000, 1_048_576};

    private final long seed;
    private final int stepsPerRound;
    private final Random random;
    private final TestDatabase database;
    private final List<RandomTable> tables = new ArrayList<>();
    private final RebuiltTables<String> rebuilt = new RebuiltTables<>(RowText::of);
    private long values;

    private DifferentialRun(FirebirdServer server, long seed, int stepsPerRound) {
        this.seed = seed;
        this.stepsPerRound = stepsPerRound;
        this.random = new Random(seed);
        this.database = server.createDatabase(
                "seed" + seed,
                DatabaseOptions.DEFAULT
                        .withSegmentSize(SEGMENT_SIZES[random.nextInt(SEGMENT_SIZES.length)])
                        .withReplication(
                                "buffer_size = " + BUFFER_SIZES[random.nextInt(BUFFER_SIZES.length)],
                                // the writer waits when so many are not archived yet
                                "journal_segment_count = 5000",
                                // a change that cannot be published fails instead of being missing
                                "report_errors = true"));
    }

    /**
     * @throws AssertionError if anything that was rebuilt is not what the server has, or cannot be compared; the message
     *                        begins with the seed
     */
    static Figures of(FirebirdServer server, long seed, int stepsPerRound) {
        try {
            return new DifferentialRun(server, seed, stepsPerRound).run();
        } catch (AssertionError | RuntimeException | SQLException e) {
            throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
        }
    }

    private Figures run() throws SQLException {
        database.writeAsynchronously();
        createTables();
        RandomStatements statements = new RandomStatements(random, tables);
        MetadataSource metadata = MetadataSource.of(DatabaseAddress.parse(
                database.address(), Optional.of(database.user()), Optional.of(database.password())));
        Catalog catalog = metadata.readCatalog();
        List<RandomSession> sessions = new ArrayList<>();
        try (CaptureDriver driver = new CaptureDriver(
                // what is there at which moment is the server's secret: another source of chance, so that the
                // statements
                // depend on the seed alone
                database.archiveDirectory(), metadata::readCatalog, new Random(seed), rebuilt)) {
            for (int i = 1 + random.nextInt(4); i > 0; i--) {
                sessions.add(new RandomSession(database, random, statements));
            }
            for (int round = 1; round <= ROUNDS; round++) {
                for (int step = 0; step < stepsPerRound; step++) {
                    sessions.get(random.nextInt(sessions.size())).step();
                    if (random.nextInt(50) == 0) {
                        driver.drain();
                    }
                }
                if (round == ROUNDS) {
                    for (RandomSession session : sessions) {
                        session.commit();
                    }
                }
                driver.drainTo(database.lastSegment());
                compare(catalog);
            }
            return new Figures(
                    1,
                    sessions.stream().mapToLong(RandomSession::executed).sum(),
                    sessions.stream().mapToLong(RandomSession::errors).sum(),
                    driver.transactions(),
                    driver.changes(),
                    driver.spread(),
                    rebuilt.comparedValues(),
                    values,
                    driver.restarts());
        } finally {
            for (RandomSession session : sessions) {
                session.close();
            }
        }
    }

    private void createTables() throws SQLException {
        List<String> ddl = new ArrayList<>();
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            List<String> zones = strings(
                    statement, "select trim(RDB$TIME_ZONE_NAME) from RDB$TIME_ZONES order by RDB$TIME_ZONE_ID desc");
            RandomValues randomValues = new RandomValues(
                    random, zones, (text, set) -> String.join("", strings(statement, knownCharacters(text, set))));
            for (int i = 1 + random.nextInt(4); i > 0; i--) {
                String name = random.nextInt(4) == 0 ? "Tabelle Ж" + i : "T" + i;
                RandomTable table = RandomTable.create(name, random, randomValues);
                tables.add(table);
                ddl.addAll(table.ddl());
            }
        }
        database.execute(ddl);
    }

    private static List<String> strings(Statement statement, String sql) throws SQLException {
        List<String> all = new ArrayList<>();
        try (ResultSet row = statement.executeQuery(sql)) {
            while (row.next()) {
                all.add(row.getString(1));
            }
        }
        return all;
    }

    private static String knownCharacters(String text, CharacterSet set) {
        return """
                execute block returns (C varchar(1) character set UTF8) as
                  declare TEXT varchar(400) character set UTF8 = %s;
                  declare STORED varchar(1) character set %s;
                  declare I integer = 1;
                begin
                  while (I <= char_length(TEXT)) do
                  begin
                    begin
                      C = substring(TEXT from I for 1);
                      STORED = C;
                      suspend;
                      when any do
                      begin
                      end
                    end
                    I = I + 1;
                  end
                end"""
                .formatted(text, set.name());
    }

    /** Every value of every row. */
    private void compare(Catalog catalog) throws SQLException {
        assertThat(rebuilt.differences()).isEmpty();
        Map<ObjectName, List<String>> rows = rebuilt.rows();
        try (Connection connection = database.connect()) {
            for (RandomTable random : tables) {
                Table table = catalog.table(ObjectName.of(random.name())).orElseThrow();
                TableVersion version = table.version(table.currentRecordFormat());
                List<String> expected = RowText.select(connection, version);
                List<String> actual = rows.getOrDefault(table.name(), List.of());
                assertThat(differences(expected, actual))
                        .as("table %s: %s", random.name(), random.ddl())
                        .isEmpty();
                values += (long) expected.size() * version.columns().size();
            }
        }
    }

    /** Rows that only one side has, the first ones, each with the columns that it shares with no row of the other. */
    private static List<String> differences(List<String> expected, List<String> actual) {
        List<String> lost = missing(expected, actual);
        List<String> extra = missing(actual, expected);
        return Stream.concat(
                        lost.stream().map(row -> "only the server has " + different(row, extra)),
                        extra.stream().map(row -> "the server has not " + different(row, lost)))
                .limit(MOST_SHOWN)
                .toList();
    }

    private static String different(String row, List<String> others) {
        List<String> columns = RowText.columns(row);
        return others.stream()
                .map(RowText::columns)
                .map(other -> columns.stream().filter(c -> !other.contains(c)).toList())
                .min(Comparator.comparing(List::size))
                .orElse(columns)
                .toString();
    }

    /** Rows that the others have not, or not as often. */
    private static List<String> missing(List<String> rows, List<String> others) {
        Map<String, Integer> left = new HashMap<>();
        others.forEach(row -> left.merge(row, 1, Integer::sum));
        return rows.stream()
                .filter(row -> left.merge(row, -1, Integer::sum) < 0)
                .toList();
    }
}
