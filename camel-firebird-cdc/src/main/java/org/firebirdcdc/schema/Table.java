package org.firebirdcdc.schema;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.firebirdcdc.journal.ObjectName;

/**
 * A table as the catalog describes it at one moment.
 *
 * @param name          schema and name
 * @param relationId    RDB$RELATION_ID; a table that was dropped and created again has another one
 * @param kind          what sort of table
 * @param currentFormat RDB$FORMAT, number of the newest record format
 * @param inPublication whether its rows are published
 * @param columns       present columns in the order of {@code SELECT *}
 * @param primaryKey    its primary key
 * @param uniqueKeys    UNIQUE constraints by name
 * @param indices       indices by name
 * @param formats       the record formats of its whole life, by ascending number
 * @param transactions  numbers of the transactions that made the present rows of the system tables about it; the last one
 *                      that changed it is among them. Empty if not known
 */
public record Table(
        ObjectName name,
        int relationId,
        TableKind kind,
        int currentFormat,
        boolean inPublication,
        List<Column> columns,
        Optional<Key> primaryKey,
        List<Key> uniqueKeys,
        List<Index> indices,
        List<RecordFormat> formats,
        Set<Long> transactions) {

    /** A table of which is not known what transactions made it. */
    public Table(
            ObjectName name,
            int relationId,
            TableKind kind,
            int currentFormat,
            boolean inPublication,
            List<Column> columns,
            Optional<Key> primaryKey,
            List<Key> uniqueKeys,
            List<Index> indices,
            List<RecordFormat> formats) {
        this(
                name,
                relationId,
                kind,
                currentFormat,
                inPublication,
                columns,
                primaryKey,
                uniqueKeys,
                indices,
                formats,
                Set.of());
    }

    /**
     * Begin of the name that stands for a column which the catalog no longer knows; the field id follows, as in
     * {@code __dropped_3}. A name without quotes can hold neither small letters nor begin with an underscore.
     */
    public static final String DROPPED_PREFIX = "__dropped_";

    public Table {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(kind, "kind");
        columns = columns.stream()
                .sorted(Comparator.comparingInt(Column::position).thenComparingInt(Column::fieldId))
                .toList();
        Objects.requireNonNull(primaryKey, "primaryKey");
        uniqueKeys = uniqueKeys.stream().sorted(Comparator.comparing(Key::name)).toList();
        indices = indices.stream().sorted(Comparator.comparing(Index::name)).toList();
        formats = formats.stream()
                .sorted(Comparator.comparingInt(RecordFormat::number))
                .toList();
        transactions = Collections.unmodifiableSet(new TreeSet<>(transactions));
    }

    public Optional<Column> column(String columnName) {
        return columns.stream()
                .filter(column -> column.name().equals(columnName))
                .findFirst();
    }

    public Optional<RecordFormat> format(int number) {
        return formats.stream().filter(format -> format.number() == number).findFirst();
    }

    /** The same table with other formats. */
    Table withFormats(List<RecordFormat> others) {
        return new Table(
                name,
                relationId,
                kind,
                currentFormat,
                inPublication,
                columns,
                primaryKey,
                uniqueKeys,
                indices,
                others,
                transactions);
    }

    /** The newest format; worked out from the columns if the catalog has no descriptor of it. */
    public RecordFormat currentRecordFormat() {
        return format(currentFormat).orElseGet(() -> RecordFormat.compute(currentFormat, columns));
    }

    /**
     * Columns that identify a row: those of the primary key; else of the first by name of the UNIQUE constraints whose
     * columns are all NOT NULL; else likewise of the unique indices that are active and have neither expression nor
     * condition. Names in key order; empty if there is no such key.
     */
    public List<String> key() {
        return Key.choose(primaryKey, uniqueKeys, indices, this::allNotNull);
    }

    private boolean allNotNull(List<String> names) {
        return names.stream()
                .allMatch(columnName ->
                        column(columnName).map(column -> !column.nullable()).orElse(false));
    }

    /** {@link #version(RecordFormat, List)} with the columns of {@link #key()}. */
    public TableVersion version(RecordFormat format) {
        return version(format, key());
    }

    /**
     * The table as images of one of its formats show it. Names, nullability and declared types are those of the present
     * columns with the same field ids; where a column's type was another one in that format, precision and length in
     * characters are worked out from the descriptor. Fields that no present column has stand behind all others in the
     * order of their ids under the name {@link #DROPPED_PREFIX} and id, flagged as not named, nullable, arrays without a
     * type of the elements. Computed columns have no place in images and are absent.
     *
     * @param format     a format of this table
     * @param keyColumns names of the key's columns in key order; if one of them is not in the format, the version has no
     *                   key
     */
    public TableVersion version(RecordFormat format, List<String> keyColumns) {
        Map<Integer, Column> known = new HashMap<>();
        columns.forEach(column -> known.put(column.fieldId(), column));
        List<VersionColumn> stored = new ArrayList<>();
        for (Column column : columns) {
            format.field(column.fieldId())
                    .filter(Field::stored)
                    .ifPresent(field -> stored.add(named(stored.size(), field, column)));
        }
        for (Field field : format.fields()) {
            if (field.stored() && !known.containsKey(field.id())) {
                stored.add(unnamed(stored.size(), field));
            }
        }
        return new TableVersion(
                name, relationId, format.number(), format.recordLength(), stored, keyOf(stored, keyColumns));
    }

    private static VersionColumn named(int ordinal, Field field, Column column) {
        boolean isArray = field.type() == DataType.ARRAY && column.isArray();
        return new VersionColumn(
                column.name(),
                true,
                ordinal,
                field.id(),
                field.offset(),
                declaredType(field, column),
                isArray ? Optional.of(column.valueType()) : Optional.empty(),
                // catalog files need not tell the bounds: most arrays have one dimension
                isArray ? Math.max(1, column.bounds().size()) : 0,
                column.nullable());
    }

    private static ValueType declaredType(Field field, Column column) {
        ValueType inFormat = field.valueType();
        ValueType declared = column.valueType();
        boolean same = !column.isArray()
                && declared.type() == inFormat.type()
                && declared.length() == inFormat.length()
                && declared.scale() == inFormat.scale()
                && declared.subType() == inFormat.subType()
                && declared.charsetId() == inFormat.charsetId();
        return same ? declared : inFormat;
    }

    private static VersionColumn unnamed(int ordinal, Field field) {
        return new VersionColumn(
                DROPPED_PREFIX + field.id(),
                false,
                ordinal,
                field.id(),
                field.offset(),
                field.valueType(),
                Optional.empty(),
                true);
    }

    private static List<VersionColumn> keyOf(List<VersionColumn> stored, List<String> names) {
        Map<String, VersionColumn> byName = new HashMap<>();
        stored.forEach(column -> byName.put(column.name(), column));
        return byName.keySet().containsAll(names)
                ? names.stream().map(byName::get).toList()
                : List.of();
    }

    @Override
    public String toString() {
        return name.toString();
    }
}
