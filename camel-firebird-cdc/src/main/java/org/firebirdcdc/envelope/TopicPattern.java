package org.firebirdcdc.envelope;

import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.firebirdcdc.journal.ObjectName;

/**
 * A topic name with places: {@code ${prefix}}, {@code ${schema}}, {@code ${table}}, and in the spelling of
 * kafka_cdc_plugin {@code $[topicPrefix]}, {@code $[tableName]}. Where there are no schemas, {@code ${schema}} goes out
 * together with the dot behind it.
 */
final class TopicPattern {

    private static final Pattern PLACE = Pattern.compile("\\$\\{([^}]*)}|\\$\\[([^]]*)]");
    private static final Set<String> COMMON = Set.of("${prefix}", "$[topicPrefix]");
    private static final Set<String> OF_TABLE = Set.of("${schema}", "${table}", "$[tableName]");

    private final String text;

    private TopicPattern(String text) {
        this.text = text;
    }

    /**
     * A pattern that is resolved for each table.
     *
     * @throws IllegalArgumentException on an unknown place; lists those that are known
     */
    static TopicPattern ofTable(String option, String text) {
        return parse(option, text, true);
    }

    /** A pattern for a topic that has nothing to do with tables; throws as {@link #ofTable}. */
    static TopicPattern ofPrefix(String option, String text) {
        return parse(option, text, false);
    }

    private static TopicPattern parse(String option, String text, boolean ofTable) {
        if (text.isBlank()) {
            throw new IllegalArgumentException(option + " is empty");
        }
        Matcher places = PLACE.matcher(text);
        while (places.find()) {
            String place = places.group();
            if (!COMMON.contains(place) && !(ofTable && OF_TABLE.contains(place))) {
                throw new IllegalArgumentException(option + "=" + text + ": " + place + " is not known; use "
                        + (ofTable ? "${prefix}, ${schema}, ${table}, $[topicPrefix], $[tableName]" : "${prefix}"));
            }
        }
        return new TopicPattern(text);
    }

    /** Whether tables are meant to have topics of their own. */
    boolean namesTable() {
        return text.contains("${table}") || text.contains("$[tableName]");
    }

    String resolve(String prefix) {
        return text.replace("${prefix}", prefix).replace("$[topicPrefix]", prefix);
    }

    String resolve(String prefix, ObjectName table) {
        // places are filled in one pass: a name may look like a place
        return PLACE.matcher(table.hasSchema() ? text : text.replace("${schema}.", ""))
                .replaceAll(place -> Matcher.quoteReplacement(fill(place.group(), prefix, table)));
    }

    private static String fill(String place, String prefix, ObjectName table) {
        if (COMMON.contains(place)) {
            return prefix;
        }
        return place.equals("${schema}") ? table.schema() : table.name();
    }

    @Override
    public String toString() {
        return text;
    }
}
