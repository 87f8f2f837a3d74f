package org.firebirdcdc.camel;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.camel.Route;
import org.apache.camel.spi.annotations.DevConsole;
import org.apache.camel.support.console.AbstractDevConsole;
import org.apache.camel.util.json.JsonArray;
import org.apache.camel.util.json.JsonObject;
import org.firebirdcdc.capture.CaptureStatus;

/** Shows where each consumer stands. */
@DevConsole(name = "firebird-cdc", displayName = "Firebird CDC", description = "State of Firebird change data capture")
public class FirebirdCdcConsole extends AbstractDevConsole {

    public FirebirdCdcConsole() {
        super("camel", "firebird-cdc", "Firebird CDC", "State of Firebird change data capture");
    }

    @Override
    protected String doCallText(Map<String, Object> options) {
        return consumers().stream().map(FirebirdCdcConsole::text).collect(Collectors.joining("\n"));
    }

    @Override
    protected JsonObject doCallJson(Map<String, Object> options) {
        JsonArray consumers = new JsonArray();
        consumers().forEach(consumer -> consumers.add(json(consumer)));
        JsonObject root = new JsonObject();
        root.put("firebirdCdcConsumers", consumers);
        return root;
    }

    private List<FirebirdCdcConsumer> consumers() {
        return getCamelContext().getRoutes().stream()
                .map(Route::getConsumer)
                .filter(FirebirdCdcConsumer.class::isInstance)
                .map(FirebirdCdcConsumer.class::cast)
                .toList();
    }

    private static String text(FirebirdCdcConsumer consumer) {
        StringBuilder text = new StringBuilder();
        text.append("Route: ").append(consumer.getRouteId()).append('\n');
        text.append("  Directory: ").append(consumer.getDirectory()).append('\n');
        Optional<CaptureStatus> status = consumer.status();
        if (status.isEmpty()) {
            return text.append("  Not opened yet\n").toString();
        }
        status.get()
                .guid()
                .ifPresent(guid -> text.append("  Database: ").append(guid).append('\n'));
        text.append("  Delivered up to: ").append(status.get().position()).append('\n');
        text.append("  Reading at: ").append(status.get().reading()).append('\n');
        text.append("  In flight: ").append(consumer.getInFlight()).append('\n');
        text.append("  Segments waiting: ")
                .append(status.get().segmentsWaiting())
                .append('\n');
        status.get()
                .problem()
                .ifPresent(problem -> text.append("  Problem: ").append(problem).append('\n'));
        status.get()
                .note()
                .ifPresent(note -> text.append("  Note: ").append(note).append('\n'));
        OpenTransactions.describe(status.get())
                .forEach(open -> text.append("  Open: ").append(open).append('\n'));
        return text.toString();
    }

    private static JsonObject json(FirebirdCdcConsumer consumer) {
        JsonObject json = new JsonObject();
        json.put("routeId", consumer.getRouteId());
        json.put("directory", consumer.getDirectory());
        consumer.status().ifPresent(status -> {
            status.guid().ifPresent(guid -> json.put("guid", guid.toString()));
            json.put("position", status.position().toString());
            json.put("reading", status.reading().toString());
            json.put("inFlight", consumer.getInFlight());
            json.put("segmentsWaiting", status.segmentsWaiting());
            json.put("transactions", status.counters().transactions());
            json.put("events", status.counters().events());
            status.problem().ifPresent(problem -> json.put("problem", problem));
            status.note().ifPresent(note -> json.put("note", note));
            json.put("openTransactions", new JsonArray(OpenTransactions.describe(status)));
        });
        return json;
    }
}
