package org.firebirdcdc.capture;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.firebirdcdc.record.Row;
import org.firebirdcdc.schema.VersionColumn;
import org.firebirdcdc.transaction.ChangeEvent;
import org.firebirdcdc.transaction.DdlEvent;
import org.firebirdcdc.transaction.JournalEvent;

/**
 * Tables made of events alone, as a consumer makes them that puts each new row over the one with the same identity: values
 * by the names of their columns. A table that is dropped is empty. Records that were not decoded are left out.
 */
final class RowsOfEvents {

    /** With names in quotes, as the tests write them. */
    private static final Pattern TABLE_GONE = Pattern.compile("(?:drop|recreate) table \"([^\"]+)\"");

    private final Function<Map<String, String>, String> identity;
    private final Map<String, Map<String, Map<String, String>>> tables = new TreeMap<>();

    /** @param identity tells what identifies a row */
    RowsOfEvents(Function<Map<String, String>, String> identity) {
        this.identity = identity;
    }

    void apply(JournalEvent event) {
        switch (event.kind()) {
            case DDL -> {
                Matcher gone = TABLE_GONE.matcher(((DdlEvent) event).sql());
                if (gone.lookingAt()) {
                    tables.remove(gone.group(1));
                }
            }
            case CHANGE -> apply((ChangeEvent) event);
            case RAW -> {
                // nothing is known of it
            }
        }
    }

    private void apply(ChangeEvent change) {
        Map<String, Map<String, String>> table =
                tables.computeIfAbsent(change.table().name(), name -> new TreeMap<>());
        Map<String, String> row = byName(
                change.version().columns().stream().map(VersionColumn::name).toList(), values(change.row()));
        if (change.after().isPresent()) {
            table.put(identity.apply(row), row);
        } else {
            table.remove(identity.apply(row));
        }
    }

    /** Rows of a table by what identifies them. */
    Map<String, Map<String, String>> of(String table) {
        return tables.getOrDefault(table, Map.of());
    }

    /** Values of a row by the names of their columns, in the order of these. */
    static Map<String, String> byName(List<String> names, List<String> values) {
        Map<String, String> row = new LinkedHashMap<>();
        for (int i = 0; i < names.size(); i++) {
            row.put(names.get(i), values.get(i));
        }
        return row;
    }

    /** Values of a row in the form of {@link RandomDdl#text}. */
    static List<String> values(Row row) {
        List<String> values = new ArrayList<>();
        for (VersionColumn column : row.columns()) {
            values.add(RandomDdl.text(row.value(column.ordinal())));
        }
        return values;
    }
}
