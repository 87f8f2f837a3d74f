package org.firebirdcdc.capture;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.firebirdcdc.testing.TestDatabase;

/**
 * Mixes DDL of all kinds with changes of rows on a real server, and writes down what each committed transaction did: the
 * statements, the names of columns in force, in order, and the rows as the server showed them right then. Each table has a
 * column that identifies its rows, whatever it is called. Tables leave the publication and come back; what is done to their
 * rows meanwhile is not expected of anybody, so no row is deleted then.
 */
final class RandomDdl implements AutoCloseable {

    /** Something that must be reported. */
    sealed interface Expected {}

    /**
     * A DDL statement.
     *
     * @param sql as the server executed it: without the EXECUTE BLOCK around it
     */
    record DdlText(String sql) implements Expected {}

    /**
     * A change of a row.
     *
     * @param life  number of the table's life
     * @param names columns in the order of SELECT *
     * @param key   columns of the primary key
     */
    record Change(String table, int life, String operation, List<String> names, List<String> key, List<String> row)
            implements Expected {}

    /** What identifies rows is called so. */
    private static final Pattern IDENTIFIER = Pattern.compile("ID\\d*");

    private record Shape(List<String> names, List<String> types, List<Boolean> notNull, List<String> key) {}

    private static final String COLUMNS = "select trim(trailing from rf.RDB$FIELD_NAME), f.RDB$FIELD_TYPE,"
            + " f.RDB$CHARACTER_LENGTH, coalesce(rf.RDB$NULL_FLAG, 0), f.RDB$COMPUTED_BLR, rf.RDB$FIELD_SOURCE"
            + " from RDB$RELATION_FIELDS rf join RDB$FIELDS f on f.RDB$FIELD_NAME = rf.RDB$FIELD_SOURCE"
            + " where rf.RDB$RELATION_NAME = ? order by rf.RDB$FIELD_POSITION";
    private static final String KEY = "select trim(trailing from s.RDB$FIELD_NAME), trim(trailing from"
            + " c.RDB$CONSTRAINT_NAME) from RDB$RELATION_CONSTRAINTS c"
            + " join RDB$INDEX_SEGMENTS s on s.RDB$INDEX_NAME = c.RDB$INDEX_NAME"
            + " where c.RDB$RELATION_NAME = ? and c.RDB$CONSTRAINT_TYPE = 'PRIMARY KEY' order by s.RDB$FIELD_POSITION";

    private final TestDatabase database;
    private final Random random;
    private final Map<Long, List<Expected>> committed = new LinkedHashMap<>();
    private final List<String> log = new ArrayList<>();
    private final Map<String, Integer> lives = new TreeMap<>();
    private final Map<String, Integer> identifiers = new HashMap<>();
    /** Tables that are not in the publication. */
    private final Set<String> unpublished = new TreeSet<>();
    /** What becomes true when the transaction of a connection is committed. */
    private final Map<Connection, List<Runnable>> consequences = new HashMap<>();

    /** Numbers of the transactions that are open. */
    private final Map<Connection, Long> transactions = new HashMap<>();

    private String domain = "D_TEXT";
    private Connection main;
    private int counter;
    private int ddl;
    private int refused;

    RandomDdl(TestDatabase database, long seed) {
        this.database = database;
        this.random = new Random(seed);
    }

    Map<Long, List<Expected>> committed() {
        return Collections.unmodifiableMap(committed);
    }

    /** What was done, for people who look for the reason of a failure. */
    List<String> log() {
        return log;
    }

    int ddlCount() {
        return ddl;
    }

    int refusedCount() {
        return refused;
    }

    /** Lives that have not ended. */
    Map<String, Integer> lives() {
        return lives;
    }

    void createTables() throws SQLException {
        try (Connection connection = open()) {
            ddl(connection, "create domain D_TEXT as varchar(6)");
            commit(connection);
            for (String table : List.of("ALPHA", "BETA", "Gamma x")) {
                create(connection, table, "create table ");
                commit(connection);
            }
        }
    }

    /** One step: a few transactions. */
    void step() throws SQLException {
        if (main == null) {
            main = open();
        }
        step(main);
    }

    /** Leaves the database, so that the server archives what it has. */
    @Override
    public void close() throws SQLException {
        if (main != null) {
            main.close();
            main = null;
        }
    }

    private void step(Connection connection) throws SQLException {
        switch (random.nextInt(16)) {
            case 0, 1, 2, 3, 4 -> {
                change(connection, alteration(connection, anyTable()));
                rows(connection, 1 + random.nextInt(3));
            }
            case 5 -> together(connection);
            case 6 -> overtaken(connection);
            case 7 -> rolledBack(connection);
            case 8 -> domain(connection);
            case 9 -> {
                if (random.nextInt(3) == 0) {
                    anew(connection);
                }
                rows(connection, 1);
            }
            case 10 -> undone(connection);
            case 11 -> publication(connection);
            case 12 -> several(connection);
            case 13 -> notNull(connection);
            default -> rows(connection, 1 + random.nextInt(4));
        }
    }

    /** Publishes all tables, and changes every row of each, so that it is shown as it is now. */
    void touchAll() throws SQLException {
        try (Connection connection = open()) {
            for (String table : List.copyOf(unpublished)) {
                publish(connection, table, true);
            }
            for (String table : lives.keySet()) {
                for (String id : ids(connection, table)) {
                    update(connection, table, id);
                }
                commit(connection);
            }
        }
    }

    /** Rows as the server has them now: by table and what identifies them, values by the names of their columns. */
    Map<String, Map<String, Map<String, String>>> rows() throws SQLException {
        Map<String, Map<String, Map<String, String>>> all = new TreeMap<>();
        try (Connection connection = open()) {
            for (String table : lives.keySet()) {
                all.put(table, rows(connection, table, shape(connection, table).names(), RandomDdl::identity));
            }
        }
        return all;
    }

    /** Rows of a table by what identifies them, values by the names of their columns. */
    static Map<String, Map<String, String>> rows(
            Connection connection, String table, List<String> names, Function<Map<String, String>, String> identity)
            throws SQLException {
        Map<String, Map<String, String>> rows = new TreeMap<>();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select " + list(names) + " from " + quoted(table))) {
            while (row.next()) {
                Map<String, String> values = RowsOfEvents.byName(names, values(row, names.size()));
                rows.put(identity.apply(values), values);
            }
        }
        return rows;
    }

    /** What identifies a row. */
    static String identity(Map<String, String> row) {
        return row.entrySet().stream()
                .filter(column -> IDENTIFIER.matcher(column.getKey()).matches())
                .map(Map.Entry::getValue)
                .findFirst()
                .orElseThrow();
    }

    // ------------------------------------------------------------------ rows

    private final Map<Connection, List<Expected>> pending = new HashMap<>();

    private void rows(Connection connection, int count) throws SQLException {
        for (int i = 0; i < count; i++) {
            String table = anyTable();
            for (int n = 1 + random.nextInt(2); n > 0; n--) {
                row(connection, table);
            }
        }
        if (random.nextInt(10) == 0) {
            rollback(connection);
        } else {
            commit(connection);
        }
    }

    private void row(Connection connection, String table) throws SQLException {
        List<String> ids = ids(connection, table);
        int choice = random.nextInt(5);
        if (ids.size() < 3 || choice < 2) {
            insert(connection, table);
        } else {
            String id = ids.get(random.nextInt(ids.size()));
            if (choice < 4 || unpublished.contains(table)) {
                update(connection, table, id);
            } else {
                Shape shape = shape(connection, table);
                List<String> row = select(connection, table, shape, id);
                execute(
                        connection,
                        "delete from " + quoted(table) + " where " + quoted(identifier(table)) + " = " + id);
                note(connection, table, "d", shape, row);
            }
        }
    }

    private void insert(Connection connection, String table) throws SQLException {
        insert(connection, table, shape(connection, table));
    }

    private void insert(Connection connection, String table, Shape shape) throws SQLException {
        String id = String.valueOf(++counter);
        List<String> names = new ArrayList<>();
        List<String> values = new ArrayList<>();
        for (int i = 0; i < shape.names().size(); i++) {
            String name = shape.names().get(i);
            if (name.equals(identifier(table))) {
                names.add(quoted(name));
                values.add(id);
            } else if (shape.notNull().get(i) || random.nextInt(4) > 0) {
                names.add(quoted(name));
                values.add(literal(shape.types().get(i)));
            }
        }
        execute(
                connection,
                "insert into " + quoted(table) + " (" + String.join(", ", names) + ") values ("
                        + String.join(", ", values) + ")");
        note(connection, table, "c", shape, select(connection, table, shape, id));
    }

    private void update(Connection connection, String table, String id) throws SQLException {
        Shape shape = shape(connection, table);
        String column = quoted(touch(shape));
        update(connection, table, shape, id, column + " = " + column + " + 1");
    }

    private void update(Connection connection, String table, Shape shape, String id, String assignment)
            throws SQLException {
        execute(
                connection,
                "update " + quoted(table) + " set " + assignment + " where " + quoted(identifier(table)) + " = " + id);
        note(connection, table, "u", shape, select(connection, table, shape, id));
    }

    private void note(Connection connection, String table, String operation, Shape shape, List<String> row) {
        if (!unpublished.contains(table)) {
            expect(connection, new Change(table, lives.get(table), operation, shape.names(), shape.key(), row));
        }
    }

    private void expect(Connection connection, Expected expected) {
        pending.computeIfAbsent(connection, c -> new ArrayList<>()).add(expected);
    }

    private void onCommit(Connection connection, Runnable consequence) {
        consequences.computeIfAbsent(connection, c -> new ArrayList<>()).add(consequence);
    }

    private String literal(String type) {
        int n = random.nextInt(3) == 0 ? 0 : random.nextInt(1000);
        return switch (type) {
            case "SMALLINT", "INTEGER", "BIGINT" -> String.valueOf(n);
            case "NUMERIC" -> n + ".25";
            case "DATE" -> "date '2024-0" + (1 + n % 9) + "-11'";
            case "TIMESTAMP" -> "timestamp '2024-0" + (1 + n % 9) + "-11 10:11:12.1234'";
            case "BOOLEAN" -> n % 2 == 0 ? "true" : "false";
            default -> "'" + "abäß".substring(0, n % 4) + "'";
        };
    }

    // ------------------------------------------------------------------ DDL

    /** A statement that must be reported if its transaction is committed. */
    private void ddl(Connection connection, String sql) throws SQLException {
        ddl(connection, List.of(sql));
    }

    private void ddl(Connection connection, List<String> statements) throws SQLException {
        if (random.nextInt(8) == 0) {
            StringBuilder block = new StringBuilder("execute block as begin ");
            statements.forEach(sql -> block.append("execute statement '")
                    .append(sql.replace("'", "''"))
                    .append("'; "));
            execute(connection, block.append("end").toString());
        } else {
            for (String sql : statements) {
                execute(connection, sql);
            }
        }
        statements.forEach(sql -> expect(connection, new DdlText(sql)));
    }

    /** @param create CREATE TABLE or RECREATE TABLE */
    private void create(Connection connection, String table, String create) throws SQLException {
        ddl(connection, creation(table, create));
        onCommit(connection, () -> begin(table));
    }

    /** A table has a new life. */
    private void begin(String table) {
        lives.merge(table, 1, Integer::sum);
        identifiers.put(table, 0);
        unpublished.remove(table);
    }

    private String creation(String table, String create) {
        String key =
                switch (random.nextInt(3)) {
                    case 0 -> ", constraint " + quoted("PK_" + ++counter) + " primary key (ID)";
                    case 1 -> ", primary key (ID)";
                    default -> "";
                };
        List<String> columns = new ArrayList<>(List.of("ID integer not null", "TOUCH integer default 0 not null"));
        for (int i = random.nextInt(4); i > 0; i--) {
            columns.add(newColumn());
        }
        return create + quoted(table) + " (" + String.join(", ", columns) + key + ")";
    }

    private String newColumn() {
        return newName() + " " + newType();
    }

    private String newName() {
        return random.nextInt(4) == 0 ? quoted("c" + ++counter + " \"q\"") : "C" + ++counter;
    }

    private String newType() {
        return switch (random.nextInt(11)) {
            case 0 -> "smallint";
            case 1, 2 -> "integer";
            case 3 -> "numeric(9, 2)";
            case 4 -> "varchar(" + (3 + random.nextInt(3)) + ")";
            case 5, 6 -> domain;
            case 7 -> "date";
            case 8 -> "boolean";
            case 9 -> "varchar(5) character set " + charset();
            default -> "char(4)";
        };
    }

    private String charset() {
        return List.of("WIN1252", "ISO8859_1", "UTF8").get(random.nextInt(3));
    }

    private void change(Connection connection, String... statements) throws SQLException {
        try {
            ddl(connection, List.of(statements));
            commit(connection);
            ddl++;
        } catch (SQLException e) {
            refuse(connection, String.join("; ", statements), e);
        }
    }

    private void refuse(Connection connection, String sql, SQLException e) throws SQLException {
        refused++;
        log.add("refused: " + sql + ": " + e.getMessage().replace('\n', ' '));
        rollback(connection);
    }

    private String alteration(Connection connection, String table) throws SQLException {
        String alter = "alter table " + quoted(table) + " ";
        Shape shape = shape(connection, table);
        List<String> free = new ArrayList<>();
        for (String name : shape.names()) {
            if (!IDENTIFIER.matcher(name).matches()
                    && !name.startsWith("TOUCH")
                    && !shape.key().contains(name)) {
                free.add(name);
            }
        }
        String column = free.isEmpty() ? "" : free.get(random.nextInt(free.size()));
        if (free.isEmpty()) {
            return alter + "add " + newColumn();
        }
        return switch (random.nextInt(20)) {
            case 0, 1 -> alter + "add " + newColumn();
            case 2 -> alter + "add " + newColumn() + ", add " + newColumn();
            case 3 -> alter + "add C" + ++counter + " integer default 7";
            case 4 -> alter + "add C" + ++counter + " varchar(4) default 'dd' not null";
            case 5 -> alter + "drop " + quoted(column);
            // an image of this form is as long as one of the form before
            case 6 -> alter + "drop " + quoted(column) + ", add C" + ++counter + " " + sameLength(shape, column);
            case 7 -> alter + "alter " + quoted(column) + " to " + quoted("r" + ++counter + ", x");
            case 8 -> alter + "alter column " + quoted(column) + " to R" + ++counter;
            case 9 ->
                alter + "alter " + quoted(column) + " position "
                        + (1 + random.nextInt(shape.names().size()));
            case 10, 11 -> alter + "alter " + quoted(column) + " type " + wider(shape, column);
            case 12 -> key(connection, table, shape);
            case 13 -> alter + "add S" + ++counter + " computed by (" + touch(shape) + " * 2)";
            case 14 ->
                free.size() > 1
                        ? alter + "alter " + quoted(free.get(0)) + " to T" + ++counter + ", drop " + quoted(free.get(1))
                        : alter + "alter " + quoted(column) + " drop not null";
            case 15 -> alter + "alter " + quoted(column) + " type varchar(60) character set " + charset();
            case 16 -> {
                String name = newName();
                yield alter + "add " + name + " " + newType() + ", alter " + name + " position "
                        + (1 + random.nextInt(shape.names().size()));
            }
            case 17 -> alter + "alter " + quoted(column) + " set default null";
            case 18 ->
                alter + "add C" + ++counter + " " + newType() + ", alter C" + counter + " to " + quoted("c " + counter);
            default -> renameIdentifier(connection, table);
        };
    }

    private String renameIdentifier(Connection connection, String table) {
        int number = ++counter;
        onCommit(connection, () -> identifiers.put(table, number));
        return "alter table " + quoted(table) + " alter " + quoted(identifier(table)) + " to ID" + number;
    }

    private static String touch(Shape shape) {
        return shape.names().stream()
                .filter(n -> n.startsWith("TOUCH"))
                .findFirst()
                .orElseThrow();
    }

    private static String sameLength(Shape shape, String column) {
        return switch (shape.types().get(shape.names().indexOf(column))) {
            case "INTEGER", "NUMERIC", "DATE" -> "integer";
            case "SMALLINT" -> "smallint";
            case "BOOLEAN" -> "boolean";
            default -> "varchar(4)";
        };
    }

    private String wider(Shape shape, String column) {
        return switch (shape.types().get(shape.names().indexOf(column))) {
            case "SMALLINT" -> "integer";
            case "INTEGER" -> "bigint";
            case "NUMERIC" -> "numeric(18, 2)";
            case "DATE" -> "timestamp";
            case "BOOLEAN", "BIGINT", "TIMESTAMP" -> "varchar(40)";
            default -> "varchar(" + (30 + random.nextInt(30)) + ")";
        };
    }

    private String key(Connection connection, String table, Shape shape) throws SQLException {
        String alter = "alter table " + quoted(table) + " ";
        if (shape.key().isEmpty()) {
            return alter + "add " + (random.nextBoolean() ? "constraint PK_" + ++counter + " " : "") + "primary key ("
                    + quoted(identifier(table)) + (random.nextBoolean() ? ", " + touch(shape) : "") + ")";
        }
        String name = "";
        try (var query = connection.prepareStatement(KEY)) {
            query.setString(1, table);
            try (ResultSet row = query.executeQuery()) {
                row.next();
                name = row.getString(2);
            }
        }
        String drop = alter + "drop constraint " + quoted(name);
        if (random.nextBoolean()) {
            return drop;
        }
        String columns = quoted(identifier(table)) + (shape.key().size() == 1 ? ", " + quoted(touch(shape)) : "");
        return drop + ", add constraint PK_" + ++counter + " primary key (" + columns + ")";
    }

    private void domain(Connection connection) throws SQLException {
        int length = 6 + ++domainSteps;
        switch (random.nextInt(4)) {
            case 0 -> {
                String name = "D_" + ++counter;
                onCommit(connection, () -> domain = name);
                change(connection, "alter domain " + domain + " to " + name);
            }
            case 1 ->
                change(
                        connection,
                        "alter domain " + domain + " type varchar(" + length + ") character set " + charset());
            default -> change(connection, "alter domain " + domain + " type varchar(" + length + ")");
        }
        rows(connection, 2);
    }

    private int domainSteps;

    /** DDL and rows in one transaction: before it and behind it, of the same table and of others. */
    private void together(Connection connection) throws SQLException {
        String table = anyTable();
        String sql = "alter table " + quoted(table) + " add " + newColumn();
        try {
            row(connection, table);
            Shape shape = shape(connection, table);
            ddl(connection, sql);
            if (random.nextBoolean()) {
                // the new column comes with the commit
                insert(connection, table, shape);
            }
            String other = anyTable();
            if (!other.equals(table)) {
                row(connection, other);
            }
            commit(connection);
            ddl++;
        } catch (SQLException e) {
            refuse(connection, sql, e);
        }
        rows(connection, 1);
    }

    /** Several statements in one transaction, each about what the ones before made. */
    private void several(Connection connection) throws SQLException {
        String table = anyTable();
        String sql = "";
        try {
            for (int i = 2 + random.nextInt(2); i > 0; i--) {
                sql = alteration(connection, table);
                ddl(connection, sql);
                if (random.nextBoolean()) {
                    table = anyTable();
                }
            }
            commit(connection);
            ddl++;
        } catch (SQLException e) {
            refuse(connection, sql, e);
        }
        rows(connection, 2);
    }

    /** DDL that a savepoint undoes, in a transaction that is committed. */
    private void undone(Connection connection) throws SQLException {
        String table = anyTable();
        String sql = "alter table " + quoted(table) + " add " + newColumn();
        try {
            row(connection, table);
            int before = pending.getOrDefault(connection, List.of()).size();
            Savepoint savepoint = connection.setSavepoint();
            log.add(transaction(connection) + " savepoint");
            ddl(connection, sql);
            connection.rollback(savepoint);
            log.add(transaction(connection) + " rollback to savepoint");
            List<Expected> all = pending.getOrDefault(connection, new ArrayList<>());
            all.subList(before, all.size()).clear();
            row(connection, table);
            commit(connection);
        } catch (SQLException e) {
            refuse(connection, sql, e);
        }
        rows(connection, 1);
    }

    /** A table leaves the publication or comes back, and is changed right behind that. */
    private void publication(Connection connection) throws SQLException {
        String table = anyTable();
        publish(connection, table, unpublished.contains(table));
        if (random.nextBoolean()) {
            change(connection, alteration(connection, table));
        }
        for (int i = 0; i < 2; i++) {
            row(connection, table);
        }
        commit(connection);
    }

    private void publish(Connection connection, String table, boolean publish) throws SQLException {
        if (random.nextBoolean()) {
            ddl(connection, "alter table " + quoted(table) + (publish ? " enable" : " disable") + " publication");
        } else {
            // this one is not in the journal
            execute(
                    connection,
                    "alter database " + (publish ? "include" : "exclude") + " table " + quoted(table)
                            + (publish ? " to" : " from") + " publication");
        }
        onCommit(connection, publish ? () -> unpublished.remove(table) : () -> unpublished.add(table));
        commit(connection);
    }

    /** A column gets values everywhere and must have them from then on. */
    private void notNull(Connection connection) throws SQLException {
        String table = anyTable();
        Shape shape = shape(connection, table);
        for (int i = 0; i < shape.names().size(); i++) {
            if (!shape.notNull().get(i)) {
                String column = shape.names().get(i);
                for (String id : ids(connection, table, " where " + quoted(column) + " is null")) {
                    update(
                            connection,
                            table,
                            shape,
                            id,
                            quoted(column) + " = " + literal(shape.types().get(i)));
                }
                commit(connection);
                change(connection, "alter table " + quoted(table) + " alter " + quoted(column) + " set not null");
                break;
            }
        }
        rows(connection, 2);
    }

    /** A transaction changes rows, another one the table, then the first one goes on: its images stand behind the DDL. */
    private void overtaken(Connection connection) throws SQLException {
        String table = anyTable();
        try (Connection other = open()) {
            insert(other, table);
            String sql = "alter table " + quoted(table) + " add " + newColumn();
            change(connection, sql);
            try {
                insert(other, table);
                commit(other);
            } catch (SQLException e) {
                refuse(other, "row behind " + sql, e);
            }
        }
    }

    private void rolledBack(Connection connection) throws SQLException {
        String table = anyTable();
        String sql = "alter table " + quoted(table) + " add " + newColumn();
        try {
            row(connection, table);
            ddl(connection, sql);
        } catch (SQLException e) {
            log.add("refused: " + sql + ": " + e.getMessage());
        }
        rollback(connection);
    }

    /** A table goes and one of the same name comes: in two transactions, in one, in one statement. */
    private void anew(Connection connection) throws SQLException {
        String table = anyTable();
        String sql = "drop table " + quoted(table);
        try {
            switch (random.nextInt(3)) {
                case 0 -> {
                    ddl(connection, sql);
                    commit(connection);
                    ddl++;
                    create(connection, table, "create table ");
                }
                case 1 -> {
                    ddl(connection, sql);
                    create(connection, table, "create table ");
                }
                default -> create(connection, table, "recreate table ");
            }
            commit(connection);
            ddl++;
        } catch (SQLException e) {
            refuse(connection, sql, e);
        }
    }

    // ------------------------------------------------------------------ server

    private Connection open() throws SQLException {
        Connection connection = database.connect();
        connection.setAutoCommit(false);
        connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        return connection;
    }

    private void execute(Connection connection, String sql) throws SQLException {
        log.add(transaction(connection) + " " + sql);
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private long transaction(Connection connection) throws SQLException {
        Long known = transactions.get(connection);
        if (known == null) {
            known = currentTransaction(connection);
            transactions.put(connection, known);
        }
        return known;
    }

    private static long currentTransaction(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select CURRENT_TRANSACTION from RDB$DATABASE")) {
            row.next();
            return row.getLong(1);
        }
    }

    private void commit(Connection connection) throws SQLException {
        long number = transaction(connection);
        List<Expected> changes = pending.remove(connection);
        List<Runnable> results = consequences.remove(connection);
        connection.commit();
        transactions.remove(connection);
        log.add(number + " commit");
        if (results != null) {
            results.forEach(Runnable::run);
        }
        if (changes != null && !changes.isEmpty()) {
            committed.put(number, changes);
        }
    }

    private void rollback(Connection connection) throws SQLException {
        connection.rollback();
        transactions.remove(connection);
        consequences.remove(connection);
        pending.remove(connection);
    }

    private String identifier(String table) {
        int number = identifiers.get(table);
        return number == 0 ? "ID" : "ID" + number;
    }

    private String anyTable() {
        return List.copyOf(lives.keySet()).get(random.nextInt(lives.size()));
    }

    private static String quoted(String name) {
        return "\"" + name.replace("\"", "\"\"") + "\"";
    }

    private Shape shape(Connection connection, String table) throws SQLException {
        List<String> names = new ArrayList<>();
        List<String> types = new ArrayList<>();
        List<Boolean> notNull = new ArrayList<>();
        try (var query = connection.prepareStatement(COLUMNS)) {
            query.setString(1, table);
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    if (row.getObject(5) == null) {
                        names.add(row.getString(1));
                        types.add(type(row.getInt(2)));
                        notNull.add(row.getInt(4) != 0);
                    }
                }
            }
        }
        List<String> key = new ArrayList<>();
        try (var query = connection.prepareStatement(KEY)) {
            query.setString(1, table);
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    key.add(row.getString(1));
                }
            }
        }
        return new Shape(names, types, notNull, key);
    }

    private static String type(int fieldType) {
        return switch (fieldType) {
            case 7 -> "SMALLINT";
            case 8 -> "INTEGER";
            case 16 -> "BIGINT";
            case 12 -> "DATE";
            case 35 -> "TIMESTAMP";
            case 23 -> "BOOLEAN";
            default -> "TEXT";
        };
    }

    private List<String> ids(Connection connection, String table) throws SQLException {
        return ids(connection, table, "");
    }

    private List<String> ids(Connection connection, String table, String where) throws SQLException {
        List<String> ids = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "select " + quoted(identifier(table)) + " from " + quoted(table) + where + " order by 1")) {
            while (row.next()) {
                ids.add(row.getString(1));
            }
        }
        return ids;
    }

    private List<String> select(Connection connection, String table, Shape shape, String id) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select " + list(shape.names()) + " from " + quoted(table)
                        + " where " + quoted(identifier(table)) + " = " + id)) {
            row.next();
            return values(row, shape.names().size());
        }
    }

    private static String list(List<String> names) {
        return String.join(", ", names.stream().map(RandomDdl::quoted).toList());
    }

    private static List<String> values(ResultSet row, int columns) throws SQLException {
        List<String> values = new ArrayList<>();
        for (int i = 1; i <= columns; i++) {
            values.add(text(row.getObject(i)));
        }
        return values;
    }

    /** One form for values of the driver and of rows. */
    static String text(Object value) {
        if (value == null) {
            return null;
        }
        if (value instanceof Number number) {
            return new BigDecimal(number.toString()).stripTrailingZeros().toPlainString();
        }
        if (value instanceof java.sql.Timestamp timestamp) {
            return timestamp.toLocalDateTime().toString();
        }
        return value.toString().stripTrailing();
    }
}
