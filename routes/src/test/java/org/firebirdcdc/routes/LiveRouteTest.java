package org.firebirdcdc.routes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.camel.health.HealthCheck;
import org.firebirdcdc.examples.kafka.EmbeddedKafka;
import org.firebirdcdc.testing.FirebirdServer;
import org.firebirdcdc.testing.TestDatabase;
import org.firebirdcdc.testing.WithFirebirdServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The main job: a real Firebird, the shipped route on its archive directory, a real Kafka. */
@WithFirebirdServer
@ExtendWith(SharedKafka.class)
class LiveRouteTest {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private static final List<String> TABLES = List.of("CUSTOMERS", "ORDERS", "NOTES");

    private static final String[] SCHEMA = {
        "create table CUSTOMERS (ID integer not null primary key, NAME varchar(40) not null, CITY char(12), SINCE date)",
        "create table ORDERS (CUSTOMER integer not null, NUM integer not null, AMOUNT numeric(18,2), PAID boolean,"
                + " primary key (CUSTOMER, NUM))",
        "create table NOTES (ID bigint not null primary key, BODY blob sub_type text, AT_TIME timestamp)"
    };

    @Test
    void tablesRebuiltFromTheTopicsAreThoseOfTheDatabase(FirebirdServer server, EmbeddedKafka kafka) throws Exception {
        TestDatabase database = server.createDatabase("shop");
        database.execute(SCHEMA);
        try (RouteRun run = RouteRun.start(RouteRun.BULK, settings(database, kafka, "live"));
                Topics topics = new Topics(kafka, "live")) {
            work(database);
            awaitArrival(database, topics);

            // while the route runs
            database.execute(
                    "delete from ORDERS where NUM = 1",
                    "update CUSTOMERS set ID = 30 where ID = 3",
                    "insert into NOTES values (9, 'Zürich', timestamp '2024-02-29 12:34:56.1234')");
            awaitArrival(database, topics);

            assertThat(topics.read())
                    .filteredOn(record -> !record.isTombstone())
                    .extracting(record -> record.json().get("after").toString())
                    .noneMatch(row -> row.contains("rolled back"));
            assertThat(run.health().getState()).isEqualTo(HealthCheck.State.UP);
        }
    }

    @Test
    void aWrongPasswordIsToldAndCaptureGoesOnWhenItIsRight(FirebirdServer server, EmbeddedKafka kafka)
            throws Exception {
        TestDatabase database = server.createDatabase("secret");
        database.execute(SCHEMA);
        database.execute("create user CDC_READER password 'first' using plugin Srp");
        Map<String, String> settings = settings(database, kafka, "password");
        settings.put("camel.component.firebird-cdc.username", "CDC_READER");
        settings.put("camel.component.firebird-cdc.password", "second");
        try (RouteRun run = RouteRun.start(RouteRun.BULK, settings);
                Topics topics = new Topics(kafka, "password")) {
            work(database);
            await().atMost(PATIENCE).untilAsserted(() -> {
                HealthCheck.Result health = run.health();
                assertThat(health.getState()).isEqualTo(HealthCheck.State.DOWN);
                assertThat(health.getError().map(Throwable::getMessage))
                        .hasValueSatisfying(message -> assertThat(message)
                                .contains("user name and password")
                                .doesNotContain("second"));
            });
            assertThat(topics.read()).isEmpty();

            database.execute("alter user CDC_READER password 'second'");
            awaitArrival(database, topics);
            assertThat(run.health().getState()).isEqualTo(HealthCheck.State.UP);
        } finally {
            database.execute("drop user CDC_READER");
        }
    }

    private static Map<String, String> settings(TestDatabase database, EmbeddedKafka kafka, String topicPrefix) {
        Map<String, String> settings = RouteRun.settings(database.archiveDirectory(), kafka, topicPrefix);
        settings.put("camel.component.firebird-cdc.database", database.address());
        settings.put("camel.component.firebird-cdc.username", database.user());
        settings.put("camel.component.firebird-cdc.password", database.password());
        settings.put("camel.component.firebird-cdc.decimals", "string");
        settings.put("camel.component.firebird-cdc.times", "isostring");
        return settings;
    }

    /** Several tables in one transaction, changes of rows, a savepoint that is undone, a transaction that is. */
    private static void work(TestDatabase database) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            for (int customer = 1; customer <= 5; customer++) {
                statement.execute("insert into CUSTOMERS values (" + customer + ", 'Customer " + customer
                        + "', 'Łódź', date '2024-01-0" + customer + "')");
                for (int order = 1; order <= 3; order++) {
                    statement.execute("insert into ORDERS values (" + customer + ", " + order + ", " + customer * order
                            + ".05, " + (order == 2) + ")");
                }
            }
            connection.commit();
            statement.execute("update CUSTOMERS set CITY = null where ID > 3");
            statement.execute("savepoint S");
            statement.execute("delete from ORDERS");
            statement.execute("rollback to savepoint S");
            statement.execute("insert into NOTES values (1, 'a note', timestamp '2024-01-01 00:00:00')");
            statement.execute("update NOTES set BODY = 'another note' where ID = 1");
            connection.commit();
            statement.execute("insert into CUSTOMERS values (6, 'rolled back', null, null)");
            statement.execute("delete from NOTES");
            connection.rollback();
            statement.execute("delete from CUSTOMERS where ID = 5");
            connection.commit();
        }
    }

    private static void awaitArrival(TestDatabase database, Topics topics) throws SQLException {
        Map<String, Map<String, List<String>>> expected = new TreeMap<>();
        for (String table : TABLES) {
            expected.put(table, selected(database, table));
        }
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(rebuilt(topics.read())).isEqualTo(expected));
    }

    /** The rows that a consumer has who keeps the last value of each key and forgets keys with a tombstone. */
    private static Map<String, Map<String, List<String>>> rebuilt(List<KafkaRecord> records) {
        Map<String, Map<String, List<String>>> tables = new TreeMap<>();
        for (KafkaRecord record : records) {
            Map<String, List<String>> rows = tables.computeIfAbsent(
                    record.topic().substring(record.topic().indexOf('.') + 1), table -> new TreeMap<>());
            String key = record.key().orElseThrow();
            if (record.isTombstone()) {
                rows.remove(key);
            } else if (!record.json().get("after").isNull()) {
                List<String> values = new ArrayList<>();
                for (JsonNode value : record.json().get("after")) {
                    values.add(value.isNull() ? null : value.asText());
                }
                rows.put(key, values);
            }
        }
        return tables;
    }

    private static Map<String, List<String>> selected(TestDatabase database, String table) throws SQLException {
        Map<String, List<String>> rows = new TreeMap<>();
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select * from " + table)) {
            ResultSetMetaData columns = row.getMetaData();
            int keyColumns = table.equals("ORDERS") ? 2 : 1;
            while (row.next()) {
                Map<String, String> key = new LinkedHashMap<>();
                List<String> values = new ArrayList<>();
                for (int column = 1; column <= columns.getColumnCount(); column++) {
                    String value = text(row, column, columns.getColumnTypeName(column));
                    values.add(value);
                    if (column <= keyColumns) {
                        key.put(columns.getColumnName(column), value);
                    }
                }
                rows.put(json(key), values);
            }
        }
        return rows;
    }

    private static String json(Map<String, String> numbers) {
        List<String> fields = new ArrayList<>();
        numbers.forEach((name, number) -> fields.add("\"" + name + "\":" + number));
        return "{" + String.join(",", fields) + "}";
    }

    /** As the event has it. */
    private static String text(ResultSet row, int column, String type) throws SQLException {
        String text = row.getString(column);
        if (text == null) {
            return null;
        }
        return switch (type) {
            case "DATE" -> text + "Z";
            case "TIMESTAMP" ->
                DateTimeFormatter.ISO_LOCAL_DATE_TIME.format(row.getObject(column, LocalDateTime.class)) + "Z";
            default -> text;
        };
    }
}
