package org.firebirdcdc.routes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.firebirdcdc.examples.kafka.EmbeddedKafka;
import org.firebirdcdc.testing.Corpus;
import org.firebirdcdc.testing.Corpus.Recording;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What the libraries of the runnable jar show of a running route from outside. */
@ExtendWith(SharedKafka.class)
class ManagementTest {

    private static final Recording BASICS = Corpus.recording("fb40/01-basics");

    private static final MBeanServer SERVER = ManagementFactory.getPlatformMBeanServer();

    @TempDir
    Path directory;

    @Test
    void standHealthAndOperationsOfTheConsumerAreReachedThroughJmx(EmbeddedKafka kafka) throws Exception {
        Map<String, String> settings = RouteRun.settings(BASICS, BASICS.segments(directory), kafka, "jmx");
        settings.put("camel.component.firebird-cdc.checkpoint-directory", directory.toString());
        settings.put("camel.main.name", "seen-through-jmx");
        try (RouteRun run = RouteRun.start(RouteRun.BULK, settings)) {
            await().atMost(Duration.ofMinutes(1))
                    .untilAsserted(() -> assertThat(run.consumer().getDeliveredTransactions())
                            .isEqualTo(5));
            assertThat(SERVER.getAttribute(bean("consumers"), "DeliveredTransactions"))
                    .isEqualTo(5L);
            assertThat(Arrays.stream(SERVER.getMBeanInfo(bean("consumers")).getOperations())
                            .map(operation -> operation.getName()))
                    .contains("listOpenTransactions", "abandonTransaction");
            await().untilAsserted(() ->
                    assertThat(SERVER.getAttribute(bean("health"), "Healthy")).isEqualTo(true));
        }
    }

    private static ObjectName bean(String type) throws Exception {
        Set<ObjectName> names = SERVER.queryNames(
                new ObjectName("org.apache.camel:context=seen-through-jmx,type=" + type + ",name=*"), null);
        assertThat(names).hasSize(1);
        return names.iterator().next();
    }
}
