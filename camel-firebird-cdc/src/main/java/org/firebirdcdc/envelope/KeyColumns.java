package org.firebirdcdc.envelope;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.firebirdcdc.journal.ObjectName;

/**
 * Columns that make the event key of some tables in place of their primary or unique key, written
 * {@code TABLE:COL,COL;TABLE2:COL} ({@code SCHEMA.TABLE:COL} for Firebird 6).
 */
public final class KeyColumns {

    /** No table has other key columns than its own. */
    public static final KeyColumns NONE = new KeyColumns(Map.of());

    private final Map<String, List<String>> byTable;

    private KeyColumns(Map<String, List<String>> byTable) {
        this.byTable = byTable;
    }

    /**
     * Names are taken as they stand, in the case in which they were created; blanks around them are dropped.
     *
     * @throws IllegalArgumentException if the text does not follow the grammar or names a table twice
     */
    public static KeyColumns parse(String text) {
        Map<String, List<String>> byTable = new LinkedHashMap<>();
        for (String entry : text.split(";")) {
            if (entry.isBlank()) {
                continue;
            }
            int colon = entry.lastIndexOf(':');
            String table = colon < 0 ? "" : entry.substring(0, colon).strip();
            List<String> columns = new ArrayList<>();
            for (String column : entry.substring(colon + 1).split(",", -1)) {
                columns.add(column.strip());
            }
            if (table.isEmpty() || columns.contains("")) {
                throw new IllegalArgumentException(
                        "keyColumns: \"" + entry.strip() + "\" is not of the form TABLE:COLUMN,COLUMN");
            }
            if (byTable.put(table, List.copyOf(columns)) != null) {
                throw new IllegalArgumentException("keyColumns: table " + table + " is named twice");
            }
        }
        return byTable.isEmpty() ? NONE : new KeyColumns(byTable);
    }

    /**
     * Column names of the key of a table; empty if the table keeps its own.
     *
     * @throws IllegalArgumentException if the table is in a schema and only its bare name is given: which schema is
     *     meant is not to be guessed
     */
    Optional<List<String>> of(ObjectName table) {
        List<String> columns = byTable.get(table.toString());
        if (columns == null && table.hasSchema() && byTable.containsKey(table.name())) {
            throw new IllegalArgumentException(
                    "keyColumns names table " + table.name() + " without its schema; write " + table);
        }
        return Optional.ofNullable(columns);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof KeyColumns that && byTable.equals(that.byTable);
    }

    @Override
    public int hashCode() {
        return byTable.hashCode();
    }

    /** In the form that {@link #parse} reads. */
    @Override
    public String toString() {
        return byTable.entrySet().stream()
                .map(entry -> entry.getKey() + ":" + String.join(",", entry.getValue()))
                .collect(Collectors.joining(";"));
    }
}
