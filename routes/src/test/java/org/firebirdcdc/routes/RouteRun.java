package org.firebirdcdc.routes;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.camel.health.HealthCheck;
import org.apache.camel.main.Main;
import org.firebirdcdc.camel.FirebirdCdcConsumer;
import org.firebirdcdc.examples.kafka.EmbeddedKafka;
import org.firebirdcdc.testing.Corpus.Recording;

/** A YAML route that runs under camel-main, as the command line runs it. */
final class RouteRun implements AutoCloseable {

    /** The routes of the distribution. */
    static final Path BULK = Path.of("src/main/dist/conf/kafka.camel.yaml");

    static final Path SPLIT = Path.of("src/main/dist/conf/kafka-split.camel.yaml");

    private final Main main = new Main();

    private RouteRun(Path route, Map<String, String> settings) {
        main.setPropertyPlaceholderLocations("false");
        settings.forEach(main::addOverrideProperty);
        main.configure().withRoutesIncludePattern("file:" + route);
        main.configure().withShutdownTimeout(20);
    }

    static RouteRun start(Path route, Map<String, String> settings) {
        RouteRun run = new RouteRun(route, settings);
        try {
            run.main.start();
        } catch (RuntimeException e) {
            run.close();
            throw e;
        }
        return run;
    }

    /** Settings for the archive of a recording and a broker; more can be put. */
    static Map<String, String> settings(Recording recording, Path archive, EmbeddedKafka kafka, String topicPrefix) {
        Map<String, String> settings = settings(archive, kafka, topicPrefix);
        settings.put(
                "camel.component.firebird-cdc.catalog-files",
                recording.folder().resolve("catalog.json").toString());
        // columns of character set NONE hold bytes of no common set
        settings.put("camel.component.firebird-cdc.none-charset", "ISO-8859-1");
        settings.put("camel.component.firebird-cdc.blob-inline-limit", "8MB");
        return settings;
    }

    static Map<String, String> settings(Path archive, EmbeddedKafka kafka, String topicPrefix) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("firebird.directory", archive.toString());
        settings.put("camel.component.firebird-cdc.topic-prefix", topicPrefix);
        settings.put("camel.component.kafka.brokers", kafka.bootstrapServers());
        return settings;
    }

    FirebirdCdcConsumer consumer() {
        return (FirebirdCdcConsumer) main.getCamelContext().getRoutes().get(0).getConsumer();
    }

    HealthCheck.Result health() {
        return consumer().getHealthCheck().callReadiness();
    }

    /** A graceful stop. */
    @Override
    public void close() {
        main.stop();
    }
}
