package org.firebirdcdc.camel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.firebirdcdc.camel.Endpoints.BASICS;
import static org.firebirdcdc.camel.Endpoints.BASICS_TRANSACTIONS;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.camel.Exchange;
import org.apache.camel.impl.DefaultCamelContext;
import org.firebirdcdc.journal.JournalPosition;
import org.firebirdcdc.journal.ObjectName;
import org.firebirdcdc.testing.Corpus;
import org.firebirdcdc.testing.Corpus.Recording;
import org.firebirdcdc.transaction.ChangeEvent;
import org.firebirdcdc.transaction.CommittedTransaction;
import org.firebirdcdc.transaction.DdlEvent;
import org.firebirdcdc.transaction.JournalEvent;
import org.firebirdcdc.transaction.SequenceValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What comes out of an endpoint, and with which headers. */
class DeliveryTest {

    private static final Recording FILTERS = Corpus.recording("fb40/14-filters");

    @TempDir
    Path directory;

    /** What was delivered: headers and body. */
    private record Delivered(Map<String, Object> headers, Object body) {

        Object header(String name) {
            return headers.get(name);
        }
    }

    /** Runs until the whole recording is read, and gives what came. */
    private List<Delivered> deliver(Recording recording, String... options) throws Exception {
        Corpus.copy(recording.segments(directory), directory);
        List<Delivered> delivered = new CopyOnWriteArrayList<>();
        try (DefaultCamelContext context = Endpoints.context()) {
            context.addRoutes(Endpoints.route(
                    Endpoints.uri(directory, recording, options),
                    route -> route.process(e -> delivered.add(delivered(e)))));
            context.start();
            await().until(() -> Endpoints.consumer(context)
                    .status()
                    .filter(s -> s.position().segment() == 2)
                    .isPresent());
        }
        return delivered;
    }

    private static Delivered delivered(Exchange exchange) {
        // other readings of the body are tested elsewhere: keep what it holds while its segment is there
        Object body = exchange.getMessage().getBody();
        List<JournalEvent> events = new ArrayList<>();
        if (body instanceof CommittedTransaction transaction) {
            transaction.events().forEach(events::add);
        }
        return new Delivered(
                Map.copyOf(exchange.getMessage().getHeaders()), body instanceof CommittedTransaction ? events : body);
    }

    private static List<String> operations(Delivered delivered) {
        List<String> operations = new ArrayList<>();
        for (Object event : (List<?>) delivered.body()) {
            switch (((JournalEvent) event).kind()) {
                case CHANGE -> {
                    ChangeEvent change = (ChangeEvent) event;
                    operations.add(change.operation().code() + " " + change.table());
                }
                case DDL -> operations.add(((DdlEvent) event).sql());
                case RAW -> operations.add("raw");
            }
        }
        return operations;
    }

    @Test
    void eachCommittedTransactionWithChangesIsOneExchangeInCommitOrder() throws Exception {
        List<Delivered> delivered = deliver(BASICS);
        assertThat(delivered)
                .extracting(d -> d.header(FirebirdCdcConstants.TRANSACTION))
                .containsExactlyElementsOf(BASICS_TRANSACTIONS);
        assertThat(delivered)
                .extracting(DeliveryTest::operations)
                .containsExactly(
                        List.of("c CUSTOMERS"),
                        List.of("u CUSTOMERS"),
                        List.of("d CUSTOMERS"),
                        List.of("c CUSTOMERS", "c CUSTOMERS", "u CUSTOMERS"),
                        List.of("c CUSTOMERS"));
    }

    @Test
    void theExchangeTellsTheTransactionInItsHeaders() throws Exception {
        Delivered fourth = deliver(BASICS).get(3);
        String commit = (String) fourth.header(FirebirdCdcConstants.COMMIT_POSITION);
        String guid = BASICS.catalogs().get(0).database().guid().orElseThrow().toString();
        assertThat(commit).startsWith("1:");
        assertThat(fourth.header(FirebirdCdcConstants.KIND)).isEqualTo("transaction");
        assertThat(fourth.header(FirebirdCdcConstants.TRANSACTION)).isEqualTo(20L);
        assertThat(fourth.header(FirebirdCdcConstants.EVENT_COUNT)).isEqualTo(3L);
        assertThat(fourth.header(FirebirdCdcConstants.POSITION)).isEqualTo(commit);
        assertThat(fourth.header(FirebirdCdcConstants.SEGMENT)).isEqualTo(1L);
        assertThat(fourth.header(FirebirdCdcConstants.DATABASE_GUID)).isEqualTo(guid);
        assertThat(fourth.header(FirebirdCdcConstants.EVENT_ID)).isEqualTo(guid + "/" + commit);
        assertThat(fourth.header(Exchange.MESSAGE_TIMESTAMP))
                .isEqualTo(fourth.header(FirebirdCdcConstants.TIMESTAMP_MILLIS))
                .isEqualTo(directory
                        .resolve("basics.fdb.journal-000000001")
                        .toFile()
                        .lastModified());
    }

    @Test
    void theBodyIsACommittedTransactionThatCanBeReadAgain() throws Exception {
        Corpus.copy(BASICS.segments(directory), directory);
        List<List<String>> readings = new CopyOnWriteArrayList<>();
        try (DefaultCamelContext context = Endpoints.context()) {
            context.addRoutes(Endpoints.route(
                    Endpoints.uri(directory, BASICS),
                    route -> route.process(e -> {
                        CommittedTransaction transaction = e.getMessage().getMandatoryBody(CommittedTransaction.class);
                        for (int reading = 0; reading < 2; reading++) {
                            List<String> ids = new ArrayList<>();
                            transaction.events().forEach(event -> ids.add(event.id()));
                            assertThat(ids).hasSize((int) transaction.eventCount());
                            readings.add(ids);
                        }
                        assertThat(transaction.eventCounts())
                                .containsEntry(ObjectName.of("CUSTOMERS"), transaction.eventCount());
                    })));
            context.start();
            await().until(() -> readings.size() == 2 * BASICS_TRANSACTIONS.size());
        }
        for (int i = 0; i < readings.size(); i += 2) {
            assertThat(readings.get(i)).isEqualTo(readings.get(i + 1));
        }
    }

    @Test
    void aTransactionWithoutAnIncludedEventMakesNoExchange() throws Exception {
        assertThat(deliver(BASICS, "includeTables=OTHER")).isEmpty();
    }

    @Test
    void tablesAreIncludedByTheirWholeNameInItsCase() throws Exception {
        List<Delivered> delivered = deliver(FILTERS, "includeTables=KEEP_A|keep_.*", "excludeTables=.*B");
        assertThat(delivered)
                .extracting(DeliveryTest::operations)
                .containsExactly(List.of("c KEEP_A", "u KEEP_A", "c keep_lower", "u keep_lower"));
    }

    @Test
    void excludedTablesAreLeftOut() throws Exception {
        assertThat(deliver(FILTERS, "excludeTables=KEEP_B"))
                .extracting(DeliveryTest::operations)
                .containsExactly(List.of("c KEEP_A", "u KEEP_A", "c keep_lower", "u keep_lower"));
    }

    @Test
    void onlyTheWantedOperationsComeAndCount() throws Exception {
        List<Delivered> delivered = deliver(BASICS, "operations=u,d");
        assertThat(delivered)
                .extracting(DeliveryTest::operations)
                .containsExactly(List.of("u CUSTOMERS"), List.of("d CUSTOMERS"), List.of("u CUSTOMERS"));
        assertThat(delivered.get(2).header(FirebirdCdcConstants.EVENT_COUNT)).isEqualTo(1L);
    }

    @Test
    void statementsAreEventsOfTheirTransactionWhenWanted() throws Exception {
        assertThat(deliver(FILTERS, "includeDdl=true"))
                .extracting(DeliveryTest::operations)
                .contains(List.of("CREATE TABLE KEEP_LATER (ID INTEGER NOT NULL PRIMARY KEY)"))
                .hasSize(3);
    }

    @Test
    void sequenceValuesTravelInExchangesOfTheirOwnInJournalOrder() throws Exception {
        List<Delivered> delivered = deliver(BASICS, "includeSequences=true");
        List<Object> values = delivered.stream()
                .map(Delivered::body)
                .filter(SequenceValue.class::isInstance)
                .map(v -> (Object) ((SequenceValue) v).value())
                .toList();
        assertThat(values).containsExactly(1L, 3L, 4L);
        assertThat(delivered)
                .extracting(d -> d.header(FirebirdCdcConstants.POSITION))
                .isSortedAccordingTo(
                        (a, b) -> JournalPosition.parse((String) a).compareTo(JournalPosition.parse((String) b)));
        Delivered first = delivered.stream()
                .filter(d -> d.body() instanceof SequenceValue)
                .findFirst()
                .orElseThrow();
        assertThat(first.header(FirebirdCdcConstants.KIND)).isEqualTo("sequence");
        assertThat(first.header(FirebirdCdcConstants.SEQUENCE)).isEqualTo("RDB$1");
        assertThat(first.header(FirebirdCdcConstants.TOPIC)).isEqualTo("firebird.sequences");
        assertThat(first.header(FirebirdCdcConstants.KEY)).isEqualTo("{\"sequence\":\"RDB$1\"}");
        assertThat(first.headers()).doesNotContainKey(FirebirdCdcConstants.TRANSACTION);
    }
}
