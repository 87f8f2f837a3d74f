package org.firebirdcdc.docs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Tables of options and headers, made of the catalog that Camel's tooling writes from the annotations of the code. */
final class CatalogTables {

    private static final Path CATALOG =
            Path.of("../camel-firebird-cdc/src/generated/resources/META-INF/org/firebirdcdc/camel/firebird-cdc.json");

    /** Groups of the catalog in reading order. */
    private static final Map<String, String> GROUPS = new LinkedHashMap<>();

    static {
        GROUPS.put("consumer", "What, and how");
        GROUPS.put("security", "Access to the database");
        GROUPS.put("filter", "Which events");
        GROUPS.put("format", "Form of the events");
        GROUPS.put("consumer (advanced)", "Advanced");
    }

    private final JsonNode catalog;
    private final Markup markup;

    /** How a table is written. */
    enum Markup {
        MARKDOWN {
            @Override
            String table(List<String> head, List<List<String>> rows) {
                StringBuilder text = new StringBuilder(row(head))
                        .append("|---".repeat(head.size()))
                        .append("|\n");
                rows.forEach(row -> text.append(row(row)));
                return text.toString();
            }

            private String row(List<String> cells) {
                return cells.stream()
                        .map(cell -> cell.replace("|", "\\|"))
                        .collect(Collectors.joining(" | ", "| ", " |\n"));
            }

            @Override
            String bold(String text) {
                return "**" + text + "**";
            }
        },
        ASCIIDOC {
            @Override
            String table(List<String> head, List<List<String>> rows) {
                StringBuilder text = new StringBuilder("[width=\"100%\",cols=\"2,2,6\",options=\"header\"]\n|===\n");
                text.append(row(head));
                rows.forEach(row -> text.append(row(row)));
                return text.append("|===\n").toString();
            }

            private String row(List<String> cells) {
                return cells.stream()
                        .map(cell -> "| " + cell.replace("|", "\\|"))
                        .collect(Collectors.joining(" ", "", "\n"));
            }

            @Override
            String bold(String text) {
                return "*" + text + "*";
            }
        };

        abstract String table(List<String> head, List<List<String>> rows);

        abstract String bold(String text);

        String code(String text) {
            return "`" + text + "`";
        }
    }

    CatalogTables(Markup markup) {
        this.markup = markup;
        try {
            this.catalog = new ObjectMapper().readTree(CATALOG.toFile());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Options of ours by group, then the names of those that Camel gives every polling consumer. */
    String options() {
        List<List<String>> rows = new ArrayList<>();
        add(rows, option -> option.get("kind").asText().equals("path"));
        GROUPS.forEach((group, title) -> {
            rows.add(List.of(markup.bold(title), "", ""));
            add(rows, option -> isOurs(option) && option.get("group").asText().equals(group));
        });
        return markup.table(List.of("option", "default", "meaning"), rows)
                + "\nBeside these: the options of every polling consumer of Camel ("
                + catalog.get("properties").properties().stream()
                        .filter(option -> !isOurs(option.getValue())
                                && option.getValue().get("kind").asText().equals("parameter"))
                        .map(option -> markup.code(option.getKey()))
                        .collect(Collectors.joining(", "))
                + "). Here " + markup.code("greedy") + " is on.\n";
    }

    private void add(List<List<String>> rows, Predicate<JsonNode> wanted) {
        catalog.get("properties").properties().stream()
                .filter(option -> wanted.test(option.getValue()))
                .forEach(option -> rows.add(option(option.getKey(), option.getValue())));
    }

    private static boolean isOurs(JsonNode option) {
        return option.has("configurationClass");
    }

    private List<String> option(String name, JsonNode option) {
        String standard = option.get("required").asBoolean()
                ? "required"
                : option.has("defaultValue")
                        ? markup.code(option.get("defaultValue").asText())
                        : "";
        String values = "";
        if (option.has("enum")) {
            List<String> all = new ArrayList<>();
            option.get("enum").forEach(value -> all.add(markup.code(value.asText())));
            values = " One of " + String.join(", ", all) + ".";
        }
        return List.of(markup.code(name), standard, option.get("description").asText() + values);
    }

    String headers() {
        List<List<String>> rows = new ArrayList<>();
        catalog.get("headers")
                .properties()
                .forEach(header -> rows.add(List.of(
                        markup.code(header.getKey()),
                        header.getValue().get("javaType").asText(),
                        header.getValue().get("description").asText())));
        return markup.table(List.of("header", "type", "what it is"), rows);
    }
}
