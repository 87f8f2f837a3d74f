package org.firebirdcdc.camel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.firebirdcdc.camel.Endpoints.CUSTOMERS;
import static org.firebirdcdc.camel.Endpoints.CUSTOMERS_TRANSACTIONS;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.camel.console.DevConsole;
import org.apache.camel.health.HealthCheckHelper;
import org.apache.camel.health.HealthCheckRegistry;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.util.json.JsonArray;
import org.apache.camel.util.json.JsonObject;
import org.firebirdcdc.testing.Corpus;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What operators see and can do: JMX, the console, the health registry. */
class ManagementTest {

    /** Transaction 21 begins in the second segment and commits in the fourth. */
    private static final long SPANNING = 21;

    @TempDir
    Path directory;

    private final List<Long> delivered = new CopyOnWriteArrayList<>();

    @BeforeEach
    void copySegments() {
        Corpus.copy(CUSTOMERS.segments(directory), directory);
    }

    private DefaultCamelContext started(String... options) throws Exception {
        DefaultCamelContext context = Endpoints.context();
        context.addRoutes(Endpoints.route(
                Endpoints.uri(directory, CUSTOMERS, options),
                route -> route.process(e -> delivered.add(Endpoints.transaction(e)))));
        context.start();
        return context;
    }

    private static MBeanServer server(DefaultCamelContext context) {
        return context.getManagementStrategy().getManagementAgent().getMBeanServer();
    }

    private static ObjectName consumer(DefaultCamelContext context) throws Exception {
        Set<ObjectName> names = server(context)
                .queryNames(
                        new ObjectName(
                                "org.apache.camel:context=" + context.getManagementName() + ",type=consumers,name=*"),
                        null);
        assertThat(names).hasSize(1);
        return names.iterator().next();
    }

    private static Object attribute(DefaultCamelContext context, String name) throws Exception {
        return server(context).getAttribute(consumer(context), name);
    }

    @Test
    void theConsumersStandIsSeenThroughJmx() throws Exception {
        try (DefaultCamelContext context = started()) {
            await().until(() -> attribute(context, "Position").equals("6:0"));
            assertThat(attribute(context, "DatabaseGuid"))
                    .isEqualTo(CUSTOMERS
                            .catalogs()
                            .get(0)
                            .database()
                            .guid()
                            .orElseThrow()
                            .toString());
            assertThat(attribute(context, "DeliveredTransactions")).isEqualTo(14L);
            assertThat(attribute(context, "DeliveredEvents")).isEqualTo(29L);
            assertThat(attribute(context, "ReadSegments")).isEqualTo(5L);
            assertThat(attribute(context, "OpenTransactionCount")).isEqualTo(0L);
            assertThat(attribute(context, "OldestOpenTransaction")).isEqualTo(0L);
            assertThat(attribute(context, "Problem")).isEqualTo("");
            assertThat(attribute(context, "InFlight")).isEqualTo(0);
            // what every polling consumer has is there too
            assertThat(attribute(context, "Greedy")).isEqualTo(true);
        }
    }

    @Test
    void anOpenTransactionIsSeenAndCanBeAbandoned() throws Exception {
        Files.delete(directory.resolve("customers.fdb.journal-000000005"));
        Path fourth = directory.resolve("customers.fdb.journal-000000004");
        Path away = directory.resolve("away");
        Files.move(fourth, away);
        try (DefaultCamelContext context = started()) {
            await().until(() -> attribute(context, "Position").equals("4:0"));
            assertThat(attribute(context, "OpenTransactionCount")).isEqualTo(1L);
            assertThat(attribute(context, "OldestOpenTransaction")).isEqualTo(SPANNING);
            assertThat(attribute(context, "OldestOpenTransactionSegment")).isEqualTo(2L);
            assertThat((Long) attribute(context, "OldestOpenTransactionAgeSeconds"))
                    .isNotNegative();
            assertThat((List<?>) server(context).invoke(consumer(context), "listOpenTransactions", null, null))
                    .singleElement()
                    .asString()
                    .startsWith("transaction " + SPANNING + " open since segment 2 for ");
            assertThat(Endpoints.health(context).getDetails())
                    .containsEntry("firebird.transaction.oldest", SPANNING)
                    .containsEntry("firebird.transaction.oldest.segment", 2L);

            Object changes = server(context)
                    .invoke(consumer(context), "abandonTransaction", new Object[] {SPANNING}, new String[] {
                        long.class.getName()
                    });
            assertThat((Long) changes).isPositive();
            await().until(() -> attribute(context, "OpenTransactionCount").equals(0L));
            assertThat(attribute(context, "AbandonedTransactions")).isEqualTo(1L);
            assertThat(attribute(context, "AbandonedChanges")).isEqualTo(changes);
            Files.move(away, fourth);
            await().until(() -> attribute(context, "Position").equals("5:0"));
        }
        assertThat(delivered).isNotEmpty().doesNotContain(SPANNING);
    }

    @Test
    void onlyAnOpenTransactionCanBeAbandoned() throws Exception {
        try (DefaultCamelContext context = started()) {
            await().until(() -> attribute(context, "Position").equals("6:0"));
            assertThatThrownBy(() -> Endpoints.consumer(context).abandonTransaction(4711))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("4711");
        }
    }

    @Test
    void thePasswordIsInNoMBean() throws Exception {
        DefaultCamelContext context = Endpoints.context();
        try (context) {
            context.addRoutes(Endpoints.route(
                    "firebird-cdc:" + directory
                            + "?database=localhost:3050/shop&username=SYSDBA&password=RAW(top-secret)&startScheduler=false",
                    route -> route.to("log:x")));
            context.start();
            int attributes = 0;
            for (ObjectName name : server(context).queryNames(new ObjectName("org.apache.camel:*"), null)) {
                assertThat(name.toString()).doesNotContain("top-secret");
                for (MBeanAttributeInfo info :
                        server(context).getMBeanInfo(name).getAttributes()) {
                    if (info.isReadable()) {
                        assertThat(String.valueOf(server(context).getAttribute(name, info.getName())))
                                .as(name + " " + info.getName())
                                .doesNotContain("top-secret");
                        attributes++;
                    }
                }
            }
            assertThat(attributes).isPositive();
        }
    }

    @Test
    void theConsoleShowsEachConsumer() throws Exception {
        try (DefaultCamelContext context = started()) {
            await().until(() -> attribute(context, "Position").equals("6:0"));
            FirebirdCdcConsole console = new FirebirdCdcConsole();
            console.setCamelContext(context);
            assertThat((String) console.call(DevConsole.MediaType.TEXT, Map.of()))
                    .contains("Route: cdc", "Directory: " + directory, "Delivered up to: 6:0");
            JsonObject json = (JsonObject) console.call(DevConsole.MediaType.JSON, Map.of());
            JsonArray consumers = (JsonArray) json.get("firebirdCdcConsumers");
            assertThat(consumers).hasSize(1);
            assertThat((JsonObject) consumers.get(0))
                    .containsEntry("routeId", "cdc")
                    .containsEntry("position", "6:0")
                    .containsEntry("transactions", 14L)
                    .containsEntry("events", 29L);
        }
    }

    @Test
    void theHealthRegistryOfAContextHoldsTheConsumersCheck() throws Exception {
        DefaultCamelContext context = Endpoints.context();
        HealthCheckRegistry registry = context.getCamelContextExtension().getContextPlugin(HealthCheckRegistry.class);
        try (context) {
            context.addRoutes(Endpoints.route(
                    Endpoints.uri(directory, CUSTOMERS),
                    route -> route.process(e -> delivered.add(Endpoints.transaction(e)))));
            context.start();
            // camel-main does so by its option camel.health.consumersEnabled
            registry.register(registry.resolveById("consumers"));
            await().until(() -> HealthCheckHelper.invokeReadiness(context).stream()
                    .anyMatch(r -> r.getCheck().getId().equals("consumer:cdc")
                            && "6:0".equals(r.getDetails().get("firebird.position"))));
        }
        assertThat(delivered).isEqualTo(CUSTOMERS_TRANSACTIONS);
    }
}
