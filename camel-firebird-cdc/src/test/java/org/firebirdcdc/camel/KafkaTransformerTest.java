package org.firebirdcdc.camel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.camel.Exchange;
import org.apache.camel.Message;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.spi.DataType;
import org.apache.camel.support.DefaultExchange;
import org.firebirdcdc.envelope.JsonEventEncoder;
import org.firebirdcdc.testing.Corpus;
import org.firebirdcdc.testing.Corpus.Recording;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code transformDataType: firebird-cdc:kafka} makes of a body. */
class KafkaTransformerTest {

    private static final Recording KEYS = Corpus.recording("fb40/09-keys");

    @TempDir
    Path directory;

    /** A record as the producer would send it. */
    private record Sent(String topic, String key, String value, String id) {

        static Sent of(Message message) {
            assertThat(message).isNotInstanceOf(EventMessage.class);
            return new Sent(
                    message.getHeader("kafka.OVERRIDE_TOPIC", String.class),
                    text(message.getHeader("kafka.KEY")),
                    text(message.getBody()),
                    message.getHeader(JsonEventEncoder.ID_HEADER, String.class));
        }

        private static String text(Object bytes) {
            return bytes == null ? "none" : new String((byte[]) bytes, StandardCharsets.UTF_8);
        }

        String op() {
            int start = value.indexOf("\"op\":\"");
            return start < 0 ? "none" : value.substring(start + 6, start + 7);
        }
    }

    /** All records of each exchange, as sent in a second attempt. */
    private List<List<Sent>> send(Recording recording, Endpoints.RouteSteps before, String... options)
            throws Exception {
        Path archive = Files.createTempDirectory(directory, "archive");
        Corpus.copy(recording.segments(directory), archive);
        List<List<Sent>> exchanges = new CopyOnWriteArrayList<>();
        try (DefaultCamelContext context = Endpoints.context()) {
            context.addRoutes(Endpoints.route(Endpoints.uri(archive, recording, options), route -> before.add(route)
                    .transformDataType(new DataType("firebird-cdc:kafka"))
                    .process(e -> exchanges.add(attempt(e)))));
            context.start();
            await().until(() -> Endpoints.consumer(context)
                    .status()
                    .filter(s -> s.position().segment() == 2)
                    .isPresent());
        }
        return exchanges;
    }

    private static List<Sent> attempt(Exchange exchange) {
        Iterable<?> records = (Iterable<?>) exchange.getMessage().getBody();
        for (Object record : records) {
            // what the producer does: the topic is gone after the first attempt
            ((Message) record).removeHeader("kafka.OVERRIDE_TOPIC");
        }
        List<Sent> sent = new ArrayList<>();
        for (Object record : records) {
            sent.add(Sent.of((Message) record));
        }
        return sent;
    }

    @Test
    void aTransactionBecomesItsRecordsWithTopicKeyAndIdentity() throws Exception {
        List<List<Sent>> sent = send(Endpoints.BASICS, route -> route);
        assertThat(sent).extracting(List::size).containsExactly(1, 1, 2, 3, 1);
        assertThat(sent.stream().flatMap(List::stream).map(Sent::op))
                .containsExactly("c", "u", "d", "none", "c", "c", "u", "c");
        assertThat(sent.stream().flatMap(List::stream).map(Sent::topic)).containsOnly("firebird.CUSTOMERS");
        assertThat(sent.stream().flatMap(List::stream).map(Sent::id)).doesNotHaveDuplicates();
        Sent delete = sent.get(2).get(0);
        Sent tombstone = sent.get(2).get(1);
        assertThat(tombstone).isEqualTo(new Sent(delete.topic(), delete.key(), "none", delete.id() + "/1"));
    }

    @Test
    void aKeyUpdateBecomesDeleteTombstoneAndCreate() throws Exception {
        List<Sent> composite = send(KEYS, route -> route, "includeTables=COMPOSITE", "operations=u").stream()
                .flatMap(List::stream)
                .toList();
        int delete = composite.stream().map(Sent::op).toList().indexOf("d");
        assertThat(delete).isNotNegative();
        assertThat(composite.subList(delete, delete + 3).stream().map(Sent::op)).containsExactly("d", "none", "c");
        assertThat(composite.get(delete).key())
                .isEqualTo(composite.get(delete + 1).key())
                .isNotEqualTo(composite.get(delete + 2).key());
    }

    @Test
    void aTableWithoutKeyHasRecordsWithoutKeyAndNoTombstones() throws Exception {
        List<Sent> sent = send(KEYS, route -> route, "includeTables=NOKEY").stream()
                .flatMap(List::stream)
                .toList();
        assertThat(sent)
                .hasSize(6)
                .allMatch(s -> s.key().equals("none") && !s.value().equals("none"));
    }

    @Test
    void transactionMetadataStandsAroundTheEvents() throws Exception {
        List<Sent> fourth = send(Endpoints.BASICS, route -> route, "transactionMetadata=true")
                .get(3);
        assertThat(fourth)
                .extracting(Sent::topic)
                .containsExactly(
                        "firebird.transaction",
                        "firebird.CUSTOMERS",
                        "firebird.CUSTOMERS",
                        "firebird.CUSTOMERS",
                        "firebird.transaction");
        assertThat(fourth.get(0).value()).startsWith("{\"status\":\"BEGIN\",\"id\":\"20\"");
        assertThat(fourth.get(4).value()).startsWith("{\"status\":\"END\",\"id\":\"20\",\"event_count\":3");
    }

    @Test
    void singleEventsAndBatchesGiveTheSameRecordsAsTheTransaction() throws Exception {
        List<String> whole = ids(send(Endpoints.BASICS, route -> route));
        assertThat(ids(send(Endpoints.BASICS, route -> route.split().simple("${body}"))))
                .isEqualTo(whole);
        assertThat(ids(send(
                        Endpoints.BASICS,
                        route -> route.split().simple("${body.batches(2)}").streaming())))
                .isEqualTo(whole);
    }

    private static List<String> ids(List<List<Sent>> sent) {
        return sent.stream().flatMap(List::stream).map(Sent::id).toList();
    }

    @Test
    void aSequenceValueBecomesOneRecord() throws Exception {
        List<List<Sent>> sent = send(Endpoints.BASICS, route -> route, "includeSequences=true", "includeTables=NONE");
        assertThat(sent).hasSize(3).allMatch(records -> records.size() == 1);
        assertThat(sent.get(0).get(0).topic()).isEqualTo("firebird.sequences");
        assertThat(sent.get(0).get(0).key()).isEqualTo("{\"sequence\":\"RDB$1\"}");
        assertThat(sent.get(0).get(0).value()).startsWith("{\"sequence\":\"RDB$1\",\"value\":1,");
    }

    @Test
    void anotherBodyIsRefusedByName() throws Exception {
        try (DefaultCamelContext context = Endpoints.context()) {
            Exchange exchange = new DefaultExchange(context);
            exchange.getMessage().setBody("text");
            FirebirdCdcKafkaTransformer transformer = new FirebirdCdcKafkaTransformer();
            assertThatThrownBy(() -> transformer.transform(exchange.getMessage(), DataType.ANY, DataType.ANY))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("java.lang.String");
        }
    }
}
