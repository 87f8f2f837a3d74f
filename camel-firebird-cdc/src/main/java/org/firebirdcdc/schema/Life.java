package org.firebirdcdc.schema;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/** A table from CREATE to DROP, as far as catalogs saw it: one relation id (segment-format.md 8.4). */
final class Life {

    private final int relationId;
    private final List<Table> sightings = new ArrayList<>();
    private final TreeMap<Integer, RecordFormat> formats = new TreeMap<>();

    Life(int relationId) {
        this.relationId = relationId;
    }

    int relationId() {
        return relationId;
    }

    void saw(Table table) {
        sightings.add(table);
        // a number above the current one belongs to a change that was not committed
        table.formats().stream()
                .filter(format -> format.number() <= table.currentFormat())
                .forEach(format -> formats.put(format.number(), format));
        if (!formats.containsKey(table.currentFormat())) {
            formats.put(table.currentFormat(), table.currentRecordFormat());
        }
    }

    Optional<RecordFormat> format(int number) {
        return Optional.ofNullable(formats.get(number));
    }

    List<RecordFormat> formatsUpTo(int number) {
        return List.copyOf(formats.headMap(number, true).values());
    }

    List<RecordFormat> formats() {
        return List.copyOf(formats.values());
    }

    /** The highest number that is known. */
    int newest() {
        return formats.lastKey();
    }

    /** What the catalogs said, oldest first. */
    List<Table> sightings() {
        return sightings;
    }

    /** Columns as the catalogs described them, newest first. */
    List<Column> columns() {
        List<Column> all = new ArrayList<>();
        for (int i = sightings.size() - 1; i >= 0; i--) {
            all.addAll(sightings.get(i).columns());
        }
        return all;
    }
}
