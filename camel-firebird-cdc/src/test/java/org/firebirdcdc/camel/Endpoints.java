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
import org.apache.camel.model.RouteDefinition;
import org.firebirdcdc.testing.Corpus;
import org.firebirdcdc.testing.Corpus.Recording;

/** Contexts and endpoint URIs for tests of the component over recorded segments. */
final class Endpoints {

    /** Five transactions: 13, 15, 18, 20 (three changes) and 30. */
    static final Recording BASICS = Corpus.recording("fb40/01-basics");

    static final List<Long> BASICS_TRANSACTIONS = List.of(13L, 15L, 18L, 20L, 30L);

    private Endpoints() {}

    /** What a route is to do. */
    interface RouteSteps {
        void add(RouteDefinition route);
    }

    /** Builds a URI that polls fast; options as {@code name=value}. */
    static String uri(Path directory, Recording recording, String... options) {
        Map<String, String> all = new TreeMap<>();
        all.put("catalogFiles", recording.folder().resolve("catalog.json").toString());
        all.put("initialDelay", "0");
        all.put("delay", "20");
        for (String option : options) {
            int equals = option.indexOf('=');
            all.put(option.substring(0, equals), option.substring(equals + 1));
        }
        List<String> texts = new ArrayList<>();
        all.forEach((name, value) -> texts.add(name + "=RAW(" + value + ")"));
        return "firebird-cdc:" + directory + "?" + String.join("&", texts);
    }

    /** A context that is quick to stop. */
    static DefaultCamelContext context() {
        DefaultCamelContext context = new DefaultCamelContext();
        context.getShutdownStrategy().setTimeout(20);
        return context;
    }

    /** A route {@code cdc} from an endpoint. */
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

    static long transaction(Exchange exchange) {
        return exchange.getMessage().getHeader(FirebirdCdcConstants.TRANSACTION, Long.class);
    }
}
