package org.firebirdcdc.camel;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.health.HealthCheck;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.model.ProcessorDefinition;
import org.apache.camel.model.RouteDefinition;
import org.firebirdcdc.journal.JournalPosition;
import org.firebirdcdc.testing.Corpus;
import org.firebirdcdc.testing.Corpus.Recording;

/** Contexts and endpoint URIs for tests of the component over recorded segments. */
final class Endpoints {

    /** One segment, five transactions on CUSTOMERS, the fourth with three changes. */
    static final Recording BASICS = Corpus.recording("fb40/01-basics");

    static final List<Long> BASICS_TRANSACTIONS = List.of(13L, 15L, 18L, 20L, 30L);

    /** Five segments, fourteen transactions on CUSTOMERS. */
    static final Recording CUSTOMERS = Corpus.recording("fb40/15-negatives");

    static final List<Long> CUSTOMERS_TRANSACTIONS =
            List.of(13L, 15L, 17L, 18L, 19L, 20L, 21L, 22L, 23L, 24L, 25L, 26L, 27L, 29L);

    /** Those that commit in the first two segments. */
    static final List<Long> CUSTOMERS_BEFORE_GAP = CUSTOMERS_TRANSACTIONS.subList(0, 6);

    private Endpoints() {}

    /** What a route is to do. */
    interface RouteSteps {
        ProcessorDefinition<?> add(RouteDefinition route);
    }

    /** Builds a URI that polls fast; options as {@code name=value}. */
    static String uri(Path directory, Recording recording, String... options) {
        List<String> all = new ArrayList<>(List.of(options));
        all.add("catalogFiles=" + recording.folder().resolve("catalog.json"));
        return uri(directory, all);
    }

    static String uri(Path directory, List<String> options) {
        Map<String, String> all = new TreeMap<>(Map.of("initialDelay", "0", "delay", "20"));
        for (String option : options) {
            int equals = option.indexOf('=');
            all.put(option.substring(0, equals), option.substring(equals + 1));
        }
        List<String> texts = new ArrayList<>();
        all.forEach((name, value) -> texts.add(name + "=" + (value.startsWith("#") ? value : "RAW(" + value + ")")));
        return "firebird-cdc:" + directory + "?" + String.join("&", texts);
    }

    /** A context that is given time to stop on a slow machine. */
    static DefaultCamelContext context() {
        DefaultCamelContext context = new DefaultCamelContext();
        context.getShutdownStrategy().setTimeout(60);
        return context;
    }

    /** A route {@code cdc} from an endpoint, without redelivery. */
    static RouteBuilder route(String uri, RouteSteps steps) {
        return new RouteBuilder() {
            @Override
            public void configure() {
                steps.add(from(uri).routeId("cdc"));
            }
        };
    }

    static FirebirdCdcConsumer consumer(CamelContext context) {
        return (FirebirdCdcConsumer) context.getRoute("cdc").getConsumer();
    }

    static HealthCheck.Result health(CamelContext context) {
        return consumer(context).getHealthCheck().callReadiness();
    }

    static boolean isUp(CamelContext context) {
        return health(context).getState() == HealthCheck.State.UP;
    }

    static boolean isDown(CamelContext context) {
        return health(context).getState() == HealthCheck.State.DOWN;
    }

    static long transaction(Exchange exchange) {
        return exchange.getMessage().getHeader(FirebirdCdcConstants.TRANSACTION, Long.class);
    }

    /** Up to where everything is done, as the consumer tells. */
    static JournalPosition position(CamelContext context) {
        return consumer(context).status().orElseThrow().position();
    }
}
