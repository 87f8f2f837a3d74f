package org.firebirdcdc.camel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.firebirdcdc.camel.Endpoints.BASICS;
import static org.firebirdcdc.camel.Endpoints.BASICS_TRANSACTIONS;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.camel.impl.DefaultCamelContext;
import org.firebirdcdc.testing.Corpus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One exchange per committed transaction, in commit order. */
class DeliveryTest {

    @TempDir
    Path directory;

    @Test
    void eachCommittedTransactionIsOneExchangeInCommitOrder() throws Exception {
        Corpus.copy(BASICS.segments(directory), directory);
        List<Long> transactions = new CopyOnWriteArrayList<>();
        try (DefaultCamelContext context = Endpoints.context()) {
            context.addRoutes(Endpoints.route(
                    Endpoints.uri(directory, BASICS),
                    route -> route.process(e -> transactions.add(Endpoints.transaction(e)))));
            context.start();
            await().untilAsserted(() -> assertThat(transactions).isEqualTo(BASICS_TRANSACTIONS));
        }
    }
}
