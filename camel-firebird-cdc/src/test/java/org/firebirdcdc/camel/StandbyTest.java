package org.firebirdcdc.camel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.firebirdcdc.camel.Endpoints.CUSTOMERS;
import static org.firebirdcdc.camel.Endpoints.CUSTOMERS_BEFORE_GAP;
import static org.firebirdcdc.camel.Endpoints.CUSTOMERS_TRANSACTIONS;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.apache.camel.component.file.cluster.FileLockClusterService;
import org.apache.camel.impl.DefaultCamelContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two contexts on one directory, of which one delivers: camel-master with locks in files. */
class StandbyTest {

    @TempDir
    Path directory;

    private final List<Long> first = new CopyOnWriteArrayList<>();
    private final List<Long> second = new CopyOnWriteArrayList<>();

    private DefaultCamelContext started(Path archive, List<Long> delivered) throws Exception {
        DefaultCamelContext context = Endpoints.context();
        FileLockClusterService cluster = new FileLockClusterService();
        cluster.setRoot(directory.resolve("cluster").toString());
        cluster.setAcquireLockDelay(50, TimeUnit.MILLISECONDS);
        cluster.setAcquireLockInterval(50, TimeUnit.MILLISECONDS);
        context.addService(cluster);
        context.addRoutes(Endpoints.route(
                "master:capture:" + Endpoints.uri(archive, CUSTOMERS),
                route -> route.process(e -> delivered.add(Endpoints.transaction(e)))));
        context.start();
        return context;
    }

    @Test
    void theStandbyTakesOverWhereTheActiveOneEnded() throws Exception {
        Path archive = Files.createDirectory(directory.resolve("archive"));
        Path segments = CUSTOMERS.segments(directory);
        for (int number = 1; number <= 2; number++) {
            copy(segments, archive, number);
        }
        DefaultCamelContext active = started(archive, first);
        await().until(() -> first.size() == CUSTOMERS_BEFORE_GAP.size());
        DefaultCamelContext standby = started(archive, second);
        try (standby) {
            active.stop();
            for (int number = 3; number <= 5; number++) {
                copy(segments, archive, number);
            }
            await().until(() -> first.size() + second.size() == CUSTOMERS_TRANSACTIONS.size());
        }
        assertThat(first).isEqualTo(CUSTOMERS_BEFORE_GAP);
        assertThat(second)
                .isEqualTo(CUSTOMERS_TRANSACTIONS.subList(CUSTOMERS_BEFORE_GAP.size(), CUSTOMERS_TRANSACTIONS.size()));
    }

    private static void copy(Path from, Path to, int number) throws Exception {
        String name = "customers.fdb.journal-00000000" + number;
        Files.copy(from.resolve(name), to.resolve(name));
    }
}
