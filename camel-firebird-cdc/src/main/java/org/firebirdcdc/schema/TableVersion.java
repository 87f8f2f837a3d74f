package org.firebirdcdc.schema;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.firebirdcdc.journal.ObjectName;

/**
 * A table as it is in some stretch of the journal: names, keys and the record format of its images. Immutable; what is
 * worked out once per version (codecs, encoded names, schemas) is kept by its users with the instance as key, so two
 * versions are equal only if they are the same instance.
 */
public final class TableVersion {

    private final ObjectName table;
    private final int relationId;
    private final int format;
    private final int recordLength;
    private final List<VersionColumn> columns;
    private final List<VersionColumn> key;
    private final Map<String, VersionColumn> byName = new HashMap<>();

    /**
     * @param format       number in RDB$FORMATS; what users see as the version of the table's schema
     * @param recordLength bytes of an image
     * @param columns      stored columns in the order of {@code SELECT *}
     * @param key          columns of the key in key order; empty if the table has none
     */
    public TableVersion(
            ObjectName table,
            int relationId,
            int format,
            int recordLength,
            List<VersionColumn> columns,
            List<VersionColumn> key) {
        this.table = Objects.requireNonNull(table, "table");
        this.relationId = relationId;
        this.format = format;
        this.recordLength = recordLength;
        this.columns = List.copyOf(columns);
        this.key = List.copyOf(key);
        for (VersionColumn column : this.columns) {
            byName.put(column.name(), column);
        }
    }

    public ObjectName table() {
        return table;
    }

    public int relationId() {
        return relationId;
    }

    public int format() {
        return format;
    }

    public int recordLength() {
        return recordLength;
    }

    public List<VersionColumn> columns() {
        return columns;
    }

    public List<VersionColumn> key() {
        return key;
    }

    public Optional<VersionColumn> column(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    @Override
    public String toString() {
        return table + " format " + format;
    }
}
