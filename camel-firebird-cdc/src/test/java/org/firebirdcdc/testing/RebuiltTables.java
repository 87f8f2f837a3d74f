package org.firebirdcdc.testing;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.firebirdcdc.journal.ObjectName;
import org.firebirdcdc.record.Row;
import org.firebirdcdc.schema.VersionColumn;
import org.firebirdcdc.transaction.ChangeEvent;
import org.firebirdcdc.transaction.JournalEvent;

/**
 * Tables that changes are applied to, in order, starting empty. An old row is found by its key, in a table without one by
 * all that its image holds; rows that are equal in everything are as good as each other. Every old image must equal the row
 * that the changes before it made: what does not is a difference.
 *
 * @param <V> what is kept of a row
 */
public final class RebuiltTables<V> {

    private static final int MOST_DIFFERENCES = 20;

    /** Bytes without meaning at the end of values with a time zone (segment-format.md 7.10). */
    private static final int ZONE_PADDING = 2;

    private final Function<Row, V> keep;
    private final Map<ObjectName, Rebuilt<V>> tables = new TreeMap<>();
    private final List<String> differences = new ArrayList<>();
    private long comparedValues;

    private record Stored<V>(Row row, V kept) {}

    /** Rows of one table by the bytes of their keys. */
    private static final class Rebuilt<V> {
        private final Map<String, Deque<Stored<V>>> rows = new HashMap<>();
        private int relationId;
        private List<Integer> key;

        Rebuilt(Row first) {
            relationId = first.version().relationId();
            key = keyOf(first);
        }

        /** A table that was made anew is empty; another key needs another order. */
        void follow(Row row) {
            if (row.version().relationId() != relationId) {
                rows.clear();
                relationId = row.version().relationId();
            }
            List<Integer> its = keyOf(row);
            if (!its.equals(key)) {
                List<Stored<V>> all =
                        rows.values().stream().flatMap(Deque::stream).toList();
                rows.clear();
                key = its;
                all.forEach(this::add);
            }
        }

        /** Field ids of the key's columns; none for a table without key. */
        private static List<Integer> keyOf(Row row) {
            return row.version().key().stream().map(VersionColumn::fieldId).toList();
        }

        private String text(Row row) {
            StringBuilder text = new StringBuilder();
            for (VersionColumn column : row.columns()) {
                if (key.isEmpty() || key.contains(column.fieldId())) {
                    Optional<String> value = stored(row, column);
                    text.append(value.isPresent() ? value.get().length() : -1)
                            .append(':')
                            .append(value.orElse(""));
                }
            }
            return text.toString();
        }

        boolean holds(Row row) {
            return !key.isEmpty() && rows.containsKey(text(row));
        }

        void add(Stored<V> row) {
            rows.computeIfAbsent(text(row.row), k -> new ArrayDeque<>(1)).addLast(row);
        }

        Optional<Stored<V>> remove(Row row) {
            String text = text(row);
            Deque<Stored<V>> found = rows.get(text);
            if (found == null) {
                return Optional.empty();
            }
            Stored<V> removed = found.pollLast();
            if (found.isEmpty()) {
                rows.remove(text);
            }
            return Optional.of(removed);
        }
    }

    /**
     * @param keep makes of a new row what is kept of it, when its change is applied
     */
    public RebuiltTables(Function<Row, V> keep) {
        this.keep = keep;
    }

    /** Applies everything of a transaction. */
    public void apply(Iterable<JournalEvent> events) {
        for (JournalEvent event : events) {
            switch (event.kind()) {
                case CHANGE -> apply((ChangeEvent) event);
                case DDL -> {
                    // what it means for rows is in the version of each change
                }
                case RAW -> throw new IllegalArgumentException("a record that was not decoded at " + event.position());
            }
        }
    }

    private void apply(ChangeEvent change) {
        Rebuilt<V> table = tables.computeIfAbsent(change.table(), name -> new Rebuilt<>(change.row()));
        table.follow(change.row());
        change.before().ifPresent(old -> {
            Optional<Stored<V>> replayed = table.remove(old);
            if (replayed.isEmpty()) {
                report(change, "the old row is not there");
            } else {
                compare(change, replayed.get().row, old);
            }
        });
        change.after().ifPresent(row -> {
            if (table.holds(row)) {
                report(change, "another row has the key of the new one");
            }
            table.add(new Stored<>(row, keep.apply(row)));
        });
    }

    private void compare(ChangeEvent change, Row replayed, Row old) {
        for (VersionColumn column : old.columns()) {
            column(replayed, column).ifPresent(its -> {
                comparedValues++;
                if (!stored(replayed, its).equals(stored(old, column))) {
                    report(
                            change,
                            "column " + column.name() + " is " + replayed.value(its.ordinal())
                                    + " after the changes before, " + old.value(column.ordinal()) + " in the old row");
                }
            });
        }
    }

    /** The same column in a row that may have been written in another format, if it was of the same type there. */
    private static Optional<VersionColumn> column(Row row, VersionColumn column) {
        if (column.ordinal() < row.columns().size()
                && row.columns().get(column.ordinal()).equals(column)) {
            return Optional.of(column);
        }
        return row.columns().stream()
                .filter(c -> c.fieldId() == column.fieldId() && c.type().equals(column.type()))
                .findFirst();
    }

    private void report(ChangeEvent change, String what) {
        if (differences.size() < MOST_DIFFERENCES) {
            differences.add(change + ": " + what);
        }
    }

    /** The bytes of a value that mean something, as characters; empty for NULL. */
    private static Optional<String> stored(Row row, VersionColumn column) {
        if (row.isNull(column.ordinal())) {
            return Optional.empty();
        }
        int offset = row.valueOffset(column.ordinal());
        int length = column.type().length();
        int meaningful =
                switch (column.type().type()) {
                    case VARCHAR -> 2 + (row.image()[offset] & 0xFF | (row.image()[offset + 1] & 0xFF) << 8);
                    case TIME_TZ, TIMESTAMP_TZ, EX_TIME_TZ, EX_TIMESTAMP_TZ -> length - ZONE_PADDING;
                    case CHAR,
                            CSTRING,
                            SMALLINT,
                            INTEGER,
                            QUAD,
                            FLOAT,
                            DOUBLE,
                            DATE,
                            TIME,
                            TIMESTAMP,
                            BLOB,
                            ARRAY,
                            BIGINT,
                            BOOLEAN,
                            DECFLOAT16,
                            DECFLOAT34,
                            INT128 -> length;
                };
        return Optional.of(new String(row.image(), offset, meaningful, StandardCharsets.ISO_8859_1));
    }

    /** What is kept of the rows of each table that had any, in no order. */
    public Map<ObjectName, List<V>> rows() {
        Map<ObjectName, List<V>> all = new TreeMap<>();
        tables.forEach((name, table) -> all.put(
                name,
                table.rows.values().stream()
                        .flatMap(Collection::stream)
                        .map(Stored::kept)
                        .toList()));
        return all;
    }

    /** Where an old row is not what it should be: the change, its position, and what is wrong. The first ones only. */
    public List<String> differences() {
        return List.copyOf(differences);
    }

    /** Values of old rows that were compared with what the changes before had made. */
    public long comparedValues() {
        return comparedValues;
    }
}
