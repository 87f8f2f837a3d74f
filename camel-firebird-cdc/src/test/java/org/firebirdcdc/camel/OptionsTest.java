package org.firebirdcdc.camel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.firebirdcdc.camel.Endpoints.BASICS;
import static org.firebirdcdc.camel.Endpoints.BASICS_TRANSACTIONS;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.apache.camel.ResolveEndpointFailedException;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.support.PropertyBindingSupport;
import org.firebirdcdc.capture.OnGap;
import org.firebirdcdc.testing.Corpus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Options are found where they were set, and wrong ones are told at once, by name. */
class OptionsTest {

    @TempDir
    Path directory;

    static Stream<Arguments> wrongOptions() {
        return Stream.of(
                Arguments.of("operations=x", "operations=x"),
                Arguments.of("includeTables=(", "includeTables=("),
                Arguments.of("noneCharset=KLINGON", "KLINGON"),
                Arguments.of("startFrom=yesterday", "startFrom=yesterday"),
                Arguments.of("databaseGuid=42", "not a database GUID: 42"),
                Arguments.of("profile=avro", "profile=avro"),
                Arguments.of("decimals=roman", "decimals=roman"),
                Arguments.of("blobInlineLimit=much", "blobInlineLimit=much"),
                Arguments.of("topicPattern=${tabel}", "${tabel}"),
                Arguments.of("keyColumns=nonsense", "nonsense"),
                Arguments.of("maxInFlight=0", "maxInFlight=0"),
                Arguments.of("moveTo=somewhere", "processed=move"),
                Arguments.of("username=SYSDBA", "with database only"),
                Arguments.of("database=nowhere", "'nowhere' is not an address"),
                Arguments.of("checkpointInterval=-1", "checkpointInterval"));
    }

    @Test
    void segmentsAreNotMovedToWhereTheyAre() throws Exception {
        try (DefaultCamelContext context = Endpoints.context()) {
            context.addRoutes(Endpoints.route(
                    Endpoints.uri(directory, BASICS, "processed=move", "moveTo=a/.."), route -> route.to("log:x")));
            assertThatThrownBy(context::start).hasStackTraceContaining("moveTo=a/.. is the directory of the segments");
        }
    }

    @ParameterizedTest
    @MethodSource("wrongOptions")
    void aWrongOptionStopsTheStartAndIsNamed(String option, String named) throws Exception {
        try (DefaultCamelContext context = Endpoints.context()) {
            context.addRoutes(Endpoints.route(Endpoints.uri(directory, BASICS, option), route -> route.to("log:x")));
            assertThatThrownBy(context::start)
                    .hasStackTraceContaining("Failed to create Consumer for endpoint: firebird-cdc:")
                    .hasStackTraceContaining(named);
        }
    }

    @Test
    void anUnknownEnumValueIsRefusedWithTheOnesThatThereAre() throws Exception {
        try (DefaultCamelContext context = Endpoints.context()) {
            assertThatThrownBy(() -> context.getEndpoint("firebird-cdc:" + directory + "?onGap=jump"))
                    .isInstanceOf(ResolveEndpointFailedException.class)
                    .hasStackTraceContaining("jump");
        }
    }

    @Test
    void anUnknownOptionIsRefused() throws Exception {
        try (DefaultCamelContext context = Endpoints.context()) {
            assertThatThrownBy(() -> context.getEndpoint("firebird-cdc:" + directory + "?tabels=X"))
                    .isInstanceOf(ResolveEndpointFailedException.class)
                    .hasMessageContaining("tabels");
        }
    }

    @Test
    void aMissingDirectoryOptionIsTold() throws Exception {
        try (DefaultCamelContext context = Endpoints.context()) {
            assertThatThrownBy(() -> context.getEndpoint("firebird-cdc:?onGap=wait"))
                    .isInstanceOf(ResolveEndpointFailedException.class)
                    .hasStackTraceContaining("firebird-cdc:/path/to/the/archive/directory");
        }
    }

    @Test
    void withoutAMetadataSourceTheStartFailsWithAdvice() throws Exception {
        try (DefaultCamelContext context = Endpoints.context()) {
            context.addRoutes(Endpoints.route(Endpoints.uri(directory, List.of()), route -> route.to("log:x")));
            assertThatThrownBy(context::start)
                    .hasStackTraceContaining("no metadata source")
                    .hasStackTraceContaining("catalogFiles");
        }
    }

    @Test
    void theEndpointIsForConsumersOnly() throws Exception {
        try (DefaultCamelContext context = Endpoints.context()) {
            assertThatThrownBy(() ->
                            context.getEndpoint("firebird-cdc:" + directory).createProducer())
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("from");
        }
    }

    @Test
    void optionsOfTheComponentHoldForItsEndpointsThatDoNotSayOtherwise() throws Exception {
        try (DefaultCamelContext context = Endpoints.context()) {
            FirebirdCdcComponent component = context.getComponent("firebird-cdc", FirebirdCdcComponent.class);
            PropertyBindingSupport.build()
                    .withCamelContext(context)
                    .withTarget(component)
                    .withConfigurer(component.getComponentPropertyConfigurer())
                    .withProperties(
                            new TreeMap<>(Map.of("topicPrefix", "shop", "onGap", "fail", "checkpointInterval", "5s")))
                    .bind();
            FirebirdCdcConfiguration inherited =
                    endpoint(context, "firebird-cdc:" + directory).getConfiguration();
            FirebirdCdcConfiguration own = endpoint(
                            context, "firebird-cdc:" + directory + "?topicPrefix=bank&onGap=skip")
                    .getConfiguration();
            assertThat(inherited.getTopicPrefix()).isEqualTo("shop");
            assertThat(inherited.getOnGap()).isEqualTo(OnGap.FAIL);
            assertThat(inherited.getCheckpointInterval()).isEqualTo(5000);
            assertThat(own.getTopicPrefix()).isEqualTo("bank");
            assertThat(own.getOnGap()).isEqualTo(OnGap.SKIP);
            assertThat(own.getCheckpointInterval()).isEqualTo(5000);
            assertThat(component.getConfiguration().getTopicPrefix()).isEqualTo("shop");
        }
    }

    @Test
    void durationsAndNamesOfEnumsAreTakenInCamelsForms() throws Exception {
        try (DefaultCamelContext context = Endpoints.context()) {
            FirebirdCdcConfiguration options = endpoint(
                            context,
                            "firebird-cdc:" + directory + "?checkpointInterval=1m30s&abandonAfter=2h&onGap=WAIT")
                    .getConfiguration();
            assertThat(options.getCheckpointInterval()).isEqualTo(90_000);
            assertThat(options.getAbandonAfter()).isEqualTo(7_200_000);
            assertThat(options.getOnGap()).isEqualTo(OnGap.WAIT);
        }
    }

    @Test
    void pollingIsGreedyEveryHalfSecondUnlessToldOtherwise() throws Exception {
        try (DefaultCamelContext context = Endpoints.context()) {
            FirebirdCdcEndpoint plain = endpoint(context, "firebird-cdc:" + directory + "?catalogFiles=any");
            assertThat(plain.isGreedy()).isTrue();
            FirebirdCdcConsumer consumer = (FirebirdCdcConsumer) plain.createConsumer(e -> {});
            assertThat(consumer.isGreedy()).isTrue();
            assertThat(consumer.getDelay()).isEqualTo(500);
            FirebirdCdcConsumer modest = (FirebirdCdcConsumer)
                    endpoint(context, "firebird-cdc:" + directory + "?catalogFiles=any&greedy=false&delay=7")
                            .createConsumer(e -> {});
            assertThat(modest.isGreedy()).isFalse();
            assertThat(modest.getDelay()).isEqualTo(7);
        }
    }

    @Test
    void aModestConsumerStillDrainsWhatIsThereInOnePoll() throws Exception {
        Corpus.copy(BASICS.segments(directory), directory);
        List<Long> delivered = new CopyOnWriteArrayList<>();
        try (DefaultCamelContext context = Endpoints.context()) {
            context.addRoutes(Endpoints.route(
                    Endpoints.uri(directory, BASICS, "greedy=false", "repeatCount=1"),
                    route -> route.process(e -> delivered.add(Endpoints.transaction(e)))));
            context.start();
            await().until(() -> delivered.size() == BASICS_TRANSACTIONS.size());
        }
    }

    @Test
    void thePasswordIsInNoTextOfTheEndpoint() throws Exception {
        try (DefaultCamelContext context = Endpoints.context()) {
            context.addRoutes(Endpoints.route(
                    "firebird-cdc:" + directory
                            + "?database=localhost:3050/shop&username=SYSDBA&password=RAW(top-secret)&startScheduler=false",
                    route -> route.to("log:x")));
            context.start();
            FirebirdCdcConsumer consumer = Endpoints.consumer(context);
            List<String> texts = new ArrayList<>(List.of(
                    consumer.getEndpoint().toString(),
                    consumer.toString(),
                    consumer.getHealthCheck().call().toString(),
                    consumer.getHealthCheck().call().getDetails().toString()));
            assertThat(texts).noneMatch(text -> text.contains("top-secret"));
        }
    }

    private static FirebirdCdcEndpoint endpoint(DefaultCamelContext context, String uri) {
        return context.getEndpoint(uri, FirebirdCdcEndpoint.class);
    }
}
