package org.firebirdcdc.camel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.firebirdcdc.camel.Endpoints.BASICS;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.apache.camel.Exchange;
import org.apache.camel.builder.Builder;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.impl.engine.PooledExchangeFactory;
import org.apache.camel.impl.engine.PooledProcessorExchangeFactory;
import org.apache.camel.support.DefaultExchange;
import org.firebirdcdc.testing.Corpus;
import org.firebirdcdc.transaction.ChangeEvent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The body in Camel's own patterns, data formats and endpoints. */
class SplitTest {

    private static final int CHANGES = 7;

    @TempDir
    Path directory;

    private final List<Map<String, Object>> headers = new CopyOnWriteArrayList<>();
    private final List<Object> bodies = new CopyOnWriteArrayList<>();

    private void note(Exchange exchange) {
        headers.add(new HashMap<>(exchange.getMessage().getHeaders()));
        bodies.add(exchange.getMessage().getBody());
    }

    private List<Object> headers(String name) {
        return headers.stream().map(h -> h.get(name)).toList();
    }

    private void run(DefaultCamelContext context, Endpoints.RouteSteps steps, String... options) throws Exception {
        Corpus.copy(BASICS.segments(directory), directory);
        try (context) {
            context.addRoutes(Endpoints.route(Endpoints.uri(directory, BASICS, options), steps));
            context.start();
            await().until(() -> Endpoints.consumer(context)
                    .status()
                    .filter(s -> s.position().segment() == 2)
                    .isPresent());
        }
    }

    private static DefaultCamelContext context(boolean pooled) {
        DefaultCamelContext context = Endpoints.context();
        if (pooled) {
            context.getCamelContextExtension().setExchangeFactory(new PooledExchangeFactory());
            context.getCamelContextExtension().setProcessorExchangeFactory(new PooledProcessorExchangeFactory());
        }
        return context;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void eachElementOfASplitCarriesItsOwnHeaders(boolean pooled) throws Exception {
        run(context(pooled), route -> route.split()
                .simple("${body}")
                .streaming()
                .stopOnException()
                .process(this::note));
        assertThat(bodies).hasSize(CHANGES).allMatch(ChangeEvent.class::isInstance);
        assertThat(headers(FirebirdCdcConstants.KIND)).containsOnly("change");
        assertThat(headers(FirebirdCdcConstants.OPERATION)).containsExactly("c", "u", "d", "c", "c", "u", "c");
        assertThat(headers(FirebirdCdcConstants.ORDER)).containsExactly(1L, 1L, 1L, 1L, 2L, 3L, 1L);
        assertThat(headers(FirebirdCdcConstants.TRANSACTION)).containsExactly(13L, 15L, 18L, 20L, 20L, 20L, 30L);
        assertThat(headers(FirebirdCdcConstants.TABLE)).containsOnly("CUSTOMERS");
        assertThat(headers(FirebirdCdcConstants.TOPIC)).containsOnly("firebird.CUSTOMERS");
        assertThat(headers(FirebirdCdcConstants.KEY))
                .containsExactly(
                        "{\"ID\":1}",
                        "{\"ID\":1}",
                        "{\"ID\":1}",
                        "{\"ID\":2}",
                        "{\"ID\":3}",
                        "{\"ID\":2}",
                        "{\"ID\":100}");
        assertThat(headers(FirebirdCdcConstants.FORMAT)).containsOnly(1);
        assertThat(headers(FirebirdCdcConstants.EVENT_ID)).doesNotHaveDuplicates();
        for (int i = 0; i < CHANGES; i++) {
            ChangeEvent event = (ChangeEvent) bodies.get(i);
            assertThat(headers.get(i))
                    .containsEntry(FirebirdCdcConstants.EVENT_ID, event.id())
                    .containsEntry(
                            FirebirdCdcConstants.POSITION, event.position().toString())
                    .containsEntry(FirebirdCdcConstants.SEGMENT, 1L)
                    .containsEntry(
                            FirebirdCdcConstants.COMMIT_POSITION,
                            event.transaction().commit().toString());
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void batchesAreListsThatSplitIntoTheSameMessages(boolean pooled) throws Exception {
        List<Integer> sizes = new CopyOnWriteArrayList<>();
        run(context(pooled), route -> route.split()
                .simple("${body.batches(2)}")
                .streaming()
                .stopOnException()
                .process(e -> sizes.add(e.getMessage().getBody(List.class).size()))
                .split()
                .simple("${body}")
                .streaming()
                .stopOnException()
                .process(this::note));
        assertThat(sizes).containsExactly(1, 1, 1, 2, 1, 1);
        assertThat(headers(FirebirdCdcConstants.OPERATION)).containsExactly("c", "u", "d", "c", "c", "u", "c");
        assertThat(headers(FirebirdCdcConstants.ORDER)).containsExactly(1L, 1L, 1L, 1L, 2L, 3L, 1L);
    }

    @Test
    void propertiesOfTheExchangeAreSeenInASplitItsHeadersAreNot() throws Exception {
        List<Object> seen = new CopyOnWriteArrayList<>();
        run(Endpoints.context(), route -> route.setProperty("mine", Builder.constant("property"))
                .setHeader("mine", Builder.constant("header"))
                .split()
                .simple("${body}")
                .process(e ->
                        seen.add(e.getProperty("mine") + "/" + e.getMessage().getHeader("mine"))));
        assertThat(seen).hasSize(CHANGES).containsOnly("property/null");
    }

    @Test
    void anEventConvertsToTheTypesThatEndpointsAskFor() throws Exception {
        run(
                Endpoints.context(),
                route -> route.split().simple("${body}").streaming().process(e -> {
                    String text = e.getMessage().getMandatoryBody(String.class);
                    JsonNode json = e.getMessage().getMandatoryBody(JsonNode.class);
                    Map<?, ?> map = e.getMessage().getMandatoryBody(Map.class);
                    // the time of encoding differs from one conversion to the next
                    assertThat(json.get("op").textValue()).isEqualTo(map.get("op"));
                    assertThat(map.get("op")).isEqualTo(e.getMessage().getHeader(FirebirdCdcConstants.OPERATION));
                    assertThat(text).startsWith("{\"before\":").endsWith("}");
                    assertThat(start(e.getMessage().getMandatoryBody(byte[].class)))
                            .isEqualTo(start(text.getBytes(StandardCharsets.UTF_8)));
                    try (InputStream stream = e.getMessage().getMandatoryBody(InputStream.class)) {
                        assertThat(start(stream.readAllBytes()))
                                .isEqualTo(start(text.getBytes(StandardCharsets.UTF_8)));
                    }
                    note(e);
                }));
        assertThat(headers(FirebirdCdcConstants.OPERATION)).hasSize(CHANGES);
    }

    /** An event's bytes up to the time of encoding. */
    private static String start(byte[] value) {
        String text = new String(value, StandardCharsets.UTF_8);
        return text.substring(0, text.indexOf("\"op\":"));
    }

    @Test
    void aSequenceValueConvertsLikeAnEvent() throws Exception {
        List<String> texts = new CopyOnWriteArrayList<>();
        List<Object> values = new CopyOnWriteArrayList<>();
        run(
                Endpoints.context(),
                route -> route.filter()
                        .simple("${header.CamelFirebirdCdcKind} == 'sequence'")
                        .process(e -> {
                            texts.add(e.getMessage().getMandatoryBody(String.class));
                            values.add(
                                    e.getMessage().getMandatoryBody(Map.class).get("value"));
                            values.add(e.getMessage()
                                    .getMandatoryBody(JsonNode.class)
                                    .get("value")
                                    .longValue());
                            assertThat(e.getMessage().getMandatoryBody(byte[].class))
                                    .isEqualTo(e.getMessage()
                                            .getMandatoryBody(String.class)
                                            .getBytes(StandardCharsets.UTF_8));
                        }),
                "includeSequences=true");
        assertThat(values.stream().map(String::valueOf)).containsExactly("1", "1", "3", "3", "4", "4");
        assertThat(texts).allMatch(t -> t.startsWith("{\"sequence\":\"RDB$1\",\"value\":"));
    }

    @Test
    void eventsGoToFilesWithoutAMarshalStep() throws Exception {
        Path out = directory.resolve("out");
        run(Endpoints.context(), route -> route.split()
                .simple("${body}")
                .to("file:" + out
                        + "?fileName=${header.CamelFirebirdCdcTransaction}-${header.CamelFirebirdCdcOrder}.json")
                .to("log:events?level=DEBUG"));
        try (Stream<Path> files = Files.list(out)) {
            assertThat(files.map(f -> f.getFileName().toString()))
                    .containsExactlyInAnyOrder(
                            "13-1.json", "15-1.json", "18-1.json", "20-1.json", "20-2.json", "20-3.json", "30-1.json");
        }
        assertThat(Files.readString(out.resolve("18-1.json")))
                .startsWith("{\"before\":{\"ID\":1,")
                .contains("\"after\":null");
    }

    @Test
    void aWholeTransactionGoesToAFileAsOneLinePerEvent() throws Exception {
        Path out = directory.resolve("out");
        run(
                Endpoints.context(),
                route -> route.to("file:" + out + "?fileName=${header.CamelFirebirdCdcTransaction}.jsonl"));
        assertThat(Files.readAllLines(out.resolve("20.jsonl")))
                .hasSize(3)
                .allMatch(line -> line.startsWith("{\"before\":") && line.endsWith("}"));
    }

    @Test
    void theDataFormatGivesTheBytesThatTheEndpointsOptionsSay() throws Exception {
        List<String> marshalled = new CopyOnWriteArrayList<>();
        run(
                Endpoints.context(),
                route -> route.split()
                        .simple("${body}")
                        .streaming()
                        .marshal()
                        .custom("firebird-cdc-json")
                        .process(e -> {
                            marshalled.add(e.getMessage().getBody(String.class));
                            note(e);
                        }),
                "profile=fb-streaming");
        assertThat(marshalled).hasSize(CHANGES).allMatch(text -> text.contains("\"tnx\":"));
        assertThat(headers(FirebirdCdcConstants.OPERATION)).containsExactly("c", "u", "d", "c", "c", "u", "c");
    }

    @Test
    void thePropertiesOfADataFormatTakeThePlaceOfTheEndpointsOptions() throws Exception {
        List<String> marshalled = new CopyOnWriteArrayList<>();
        DefaultCamelContext context = Endpoints.context();
        FirebirdCdcJsonDataFormat format = new FirebirdCdcJsonDataFormat();
        format.setProfile("fb-streaming");
        format.setContentTypeHeader(true);
        context.getRegistry().bind("mine", format);
        run(context, route -> route.split()
                .simple("${body}")
                .streaming()
                .marshal("mine")
                .process(e -> {
                    marshalled.add(e.getMessage().getBody(String.class));
                    note(e);
                }));
        assertThat(marshalled).hasSize(CHANGES).allMatch(text -> text.contains("\"tnx\":"));
        assertThat(headers(Exchange.CONTENT_TYPE)).containsOnly("application/json");
        // key and topic stay those of the endpoint
        assertThat(headers(FirebirdCdcConstants.TOPIC)).containsOnly("firebird.CUSTOMERS");
    }

    @Test
    void aPropertyOfADataFormatThatHasNoMeaningStopsTheStart() throws Exception {
        try (DefaultCamelContext context = Endpoints.context()) {
            FirebirdCdcJsonDataFormat format = new FirebirdCdcJsonDataFormat();
            format.setDecimals("weird");
            context.getRegistry().bind("mine", format);
            context.addRoutes(Endpoints.route(
                    Endpoints.uri(directory, BASICS),
                    route -> route.split().simple("${body}").marshal("mine")));
            assertThatThrownBy(context::start)
                    .hasStackTraceContaining("decimals=weird is not known; use one of: precise, string, double");
        }
    }

    @Test
    void theDataFormatMarshalsATransactionLineByLineAndASequenceValue() throws Exception {
        List<String> marshalled = new CopyOnWriteArrayList<>();
        run(
                Endpoints.context(),
                route -> route.marshal()
                        .custom("firebird-cdc-json")
                        .process(e -> marshalled.add(e.getMessage().getBody(String.class))),
                "includeSequences=true");
        assertThat(marshalled.stream().mapToLong(text -> text.lines().count()))
                .containsExactlyInAnyOrder(1L, 1L, 1L, 1L, 3L, 1L, 1L, 1L);
        assertThat(marshalled.stream().filter(text -> text.startsWith("{\"sequence\":")))
                .hasSize(3);
    }

    @Test
    void theDataFormatSaysThatItMarshalsEventsOnly() throws Exception {
        FirebirdCdcJsonDataFormat format = new FirebirdCdcJsonDataFormat();
        try (DefaultCamelContext context = Endpoints.context()) {
            Exchange exchange = new DefaultExchange(context);
            assertThatThrownBy(() -> format.marshal(exchange, "text", OutputStream.nullOutputStream()))
                    .hasMessageContaining("java.lang.String");
            assertThatThrownBy(() -> format.unmarshal(exchange, InputStream.nullInputStream()))
                    .hasMessageContaining("unmarshal with json");
        }
    }
}
