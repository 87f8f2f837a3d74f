package org.firebirdcdc.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.apache.camel.CamelContext;
import org.apache.camel.RuntimeCamelException;
import org.apache.camel.cluster.CamelClusterService;
import org.apache.camel.main.BaseMainSupport;
import org.apache.camel.main.Main;
import org.apache.camel.main.MainListenerSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Runs YAML routes under camel-main until it is stopped. Routes and settings are files outside the jar, by default those in
 * the {@code conf} folder of the distribution; the jar holds the shipped routes for those who have only the jar.
 */
@Command(name = "run", description = "Runs a YAML route (by default: every change to Kafka) until it is stopped.")
final class RunCommand implements Callable<Integer> {

    private static final Logger LOG = LoggerFactory.getLogger(RunCommand.class);

    /** The route that runs when none is named. */
    static final String DEFAULT_ROUTE = "kafka.camel.yaml";

    private static final String SETTINGS = "application.properties";
    private static final String SHIPPED = "firebird-cdc/";

    /**
     * Options that environment variables set, by the beginning of the variable's name. Camel itself would not let them go
     * before those of the file, and takes FIREBIRD_CDC for a component of the name firebird.
     */
    private static final Map<String, String> ENVIRONMENT = Map.of(
            "CAMEL_COMPONENT_FIREBIRD_CDC_", "camel.component.firebird-cdc.",
            "CAMEL_DATAFORMAT_FIREBIRD_CDC_JSON_", "camel.dataformat.firebird-cdc-json.",
            "CAMEL_COMPONENT_KAFKA_", "camel.component.kafka.");

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--conf",
            paramLabel = "DIR",
            description = "Folder with application.properties and routes (default: conf beside bin, else ./conf).")
    private Optional<Path> conf = Optional.empty();

    @Option(
            names = "--routes",
            paramLabel = "FILE",
            description = "YAML route file, from --conf or by path; repeatable (default: " + DEFAULT_ROUTE + ").")
    private List<String> routes = new ArrayList<>();

    @Option(
            names = "--property",
            paramLabel = "KEY=VALUE",
            description = "A setting, over those of application.properties; repeatable.")
    private Map<String, String> properties = new LinkedHashMap<>();

    @Override
    public Integer call() throws Exception {
        Main main = new Main();
        Optional<Path> folder = folder();
        Optional<Path> settings = folder.map(f -> f.resolve(SETTINGS)).filter(Files::isReadable);
        Map<String, String> environment = environment(System.getenv());
        if (settings.isEmpty() && properties.isEmpty() && environment.isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "No settings: there is no " + SETTINGS + " in "
                            + folder.map(Path::toString).orElse("conf")
                            + ". Name its folder with --conf, or give settings with --property"
                            + " (at least firebird.directory and camel.component.kafka.brokers).");
        }
        // without a file the properties component would look on the class path
        settings.ifPresentOrElse(
                file -> main.setPropertyPlaceholderLocations("file:" + file),
                () -> main.setPropertyPlaceholderLocations("false"));
        environment.forEach(main::addOverrideProperty);
        properties.forEach(main::addOverrideProperty);
        main.configure().withRoutesIncludePattern(includePattern(folder));
        main.addMainListener(new ClusterServices());
        try {
            main.run();
        } catch (Exception e) {
            LOG.debug("Not started", e);
            main.stop();
            throw new StartFailure(e);
        }
        return main.getExitCode();
    }

    /** CAMEL_COMPONENT_FIREBIRD_CDC_TOPIC_PREFIX is camel.component.firebird-cdc.topicPrefix. */
    private static Map<String, String> environment(Map<String, String> variables) {
        Map<String, String> options = new LinkedHashMap<>();
        variables.forEach((name, value) -> ENVIRONMENT.forEach((beginning, option) -> {
            if (name.startsWith(beginning)) {
                options.put(option + camelCase(name.substring(beginning.length())), value);
            }
        }));
        return options;
    }

    private static String camelCase(String name) {
        return Pattern.compile("_(.)").matcher(name.toLowerCase(Locale.ROOT)).replaceAll(letter -> letter.group(1)
                .toUpperCase(Locale.ROOT));
    }

    private Optional<Path> folder() {
        if (conf.isPresent()) {
            if (!Files.isDirectory(conf.get())) {
                throw new ParameterException(spec.commandLine(), "There is no folder " + conf.get() + ".");
            }
            return conf;
        }
        Path home = Path.of(System.getProperty("firebird-cdc.home", ".")).resolve("conf");
        return Files.isDirectory(home) ? Optional.of(home) : Optional.empty();
    }

    private String includePattern(Optional<Path> folder) {
        List<String> names = routes.isEmpty() ? List.of(DEFAULT_ROUTE) : routes;
        List<String> found = new ArrayList<>();
        for (String name : names) {
            found.add(locate(name, folder));
        }
        return String.join(",", found);
    }

    private String locate(String name, Optional<Path> folder) {
        Optional<Path> file = folder.map(f -> f.resolve(name))
                .filter(Files::isReadable)
                .or(() -> Optional.of(Path.of(name)).filter(Files::isReadable));
        if (file.isPresent()) {
            return "file:" + file.get();
        }
        if (RunCommand.class.getClassLoader().getResource(SHIPPED + name) != null) {
            return "classpath:" + SHIPPED + name;
        }
        throw new ParameterException(
                spec.commandLine(),
                "There is no route file " + name
                        + folder.map(f -> " in " + f + " or").orElse("") + " at that path.");
    }

    /** Camel looks for cluster services before it makes the beans of the settings, so those are handed to it here. */
    private static final class ClusterServices extends MainListenerSupport {

        @Override
        public void afterConfigure(BaseMainSupport main) {
            CamelContext context = main.getCamelContext();
            for (CamelClusterService service : context.getRegistry().findByType(CamelClusterService.class)) {
                try {
                    context.addService(service);
                } catch (Exception e) {
                    throw new RuntimeCamelException(e);
                }
            }
        }
    }
}
