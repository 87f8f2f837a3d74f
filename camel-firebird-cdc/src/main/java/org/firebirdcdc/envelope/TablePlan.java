package org.firebirdcdc.envelope;

import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.SerializedString;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.firebirdcdc.schema.TableVersion;
import org.firebirdcdc.schema.VersionColumn;

/** Everything about the form of a table's events that depends only on the version of the table. */
final class TablePlan {

    /** A column and how its values are written. */
    record Column(VersionColumn definition, SerializableString name, ColumnWriter writer) {}

    private final EnvelopeOptions options;
    private final String topic;
    private final String format;
    private final Column[] columns;
    private final Column[] key;

    /**
     * @throws UnencodableException if the key that the options ask for cannot be made of this table
     */
    TablePlan(TableVersion version, EnvelopeOptions options, TopicNames topics) {
        this.options = options;
        this.topic = topics.of(version.table());
        this.format = String.valueOf(version.format());
        this.columns = plan(version.columns(), options);
        this.key = plan(options.keyEnabled() ? keyColumns(version, options) : List.of(), options);
    }

    private static Column[] plan(List<VersionColumn> columns, EnvelopeOptions options) {
        return columns.stream()
                .map(column ->
                        new Column(column, new SerializedString(column.name()), ColumnWriters.of(column, options)))
                .toArray(Column[]::new);
    }

    private static List<VersionColumn> keyColumns(TableVersion version, EnvelopeOptions options) {
        List<String> names;
        try {
            names = options.keyColumns().of(version.table()).orElse(List.of());
        } catch (IllegalArgumentException e) {
            throw new UnencodableException(e.getMessage());
        }
        if (names.isEmpty()) {
            return version.key();
        }
        List<VersionColumn> columns = new ArrayList<>();
        for (String name : names) {
            VersionColumn column = version.column(name)
                    .orElseThrow(() -> new UnencodableException("keyColumns names column " + name
                            + ", which the table does not have; its columns are "
                            + version.columns().stream()
                                    .map(VersionColumn::name)
                                    .collect(Collectors.joining(", "))));
            if (ColumnWriters.isOutsideImage(column)) {
                throw new UnencodableException("keyColumns names column " + name
                        + ", a blob or array: the journal does not hold its old values, so it cannot be in a key");
            }
            columns.add(column);
        }
        return columns;
    }

    String topic() {
        return topic;
    }

    /** Number of the record format, as text. */
    String format() {
        return format;
    }

    /** In the order of {@code SELECT *}; not to be changed. */
    Column[] columns() {
        return columns;
    }

    /** In key order; empty for no key; not to be changed. */
    Column[] key() {
        return key;
    }

    /** Schemas of some of the columns. */
    List<ConnectSchema.Field> fields(Column[] some) {
        List<ConnectSchema.Field> fields = new ArrayList<>(some.length);
        for (Column column : some) {
            VersionColumn definition = column.definition();
            fields.add(ValueSchemas.of(definition, options).field(definition.name()));
        }
        return fields;
    }
}
