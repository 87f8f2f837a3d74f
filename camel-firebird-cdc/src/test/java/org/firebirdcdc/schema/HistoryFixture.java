package org.firebirdcdc.schema;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.firebirdcdc.journal.DatabaseGuid;
import org.firebirdcdc.journal.JournalPosition;
import org.firebirdcdc.journal.ObjectName;

/**
 * Small tables, DDL and images for tests of the history. Positions are numbers: 1234 stands for segment 12, offset 34.
 * Columns are {@code NAME:type} with the types int, big, small, float, v5 (VARCHAR(5) ASCII) and none (a dropped column).
 */
final class HistoryFixture {

    static final DatabaseGuid GUID = DatabaseGuid.parse("{ACDF8355-196D-4BDB-A704-8104225851F0}");

    private HistoryFixture() {}

    static JournalPosition at(int place) {
        return new JournalPosition(place / 100, place % 100);
    }

    /** A format from columns in the order of their ids. */
    static RecordFormat format(int number, String... columns) {
        return RecordFormat.compute(number, columns(columns));
    }

    static List<Column> columns(String... columns) {
        List<Column> list = new ArrayList<>();
        for (int id = 0; id < columns.length; id++) {
            if (!columns[id].endsWith(":none")) {
                list.add(column(id, columns[id]));
            }
        }
        return list;
    }

    private static Column column(int id, String text) {
        String[] parts = text.split(":");
        boolean notNull = parts.length > 2 && parts[2].equals("nn");
        String domain = parts.length > 2 && !parts[2].equals("nn") ? parts[2] : "RDB$" + id;
        return switch (parts[1]) {
            case "int" -> column(id, parts[0], domain, DataType.INTEGER, 4, notNull);
            case "big" -> column(id, parts[0], domain, DataType.BIGINT, 8, notNull);
            case "small" -> column(id, parts[0], domain, DataType.SMALLINT, 2, notNull);
            case "float" -> column(id, parts[0], domain, DataType.FLOAT, 4, notNull);
            default -> column(id, parts[0], domain, DataType.VARCHAR, Integer.parseInt(parts[1].substring(1)), notNull);
        };
    }

    private static Column column(int id, String name, String domain, DataType type, int length, boolean notNull) {
        boolean text = type.isText();
        return new Column(
                id,
                id,
                name,
                domain,
                "",
                type,
                0,
                length,
                text ? length : 0,
                0,
                0,
                text ? CharacterSet.of(2) : Optional.empty(),
                text ? Optional.of(new Collation(0, "ASCII")) : Optional.empty(),
                !notNull,
                false,
                Optional.empty(),
                Optional.empty(),
                OptionalInt.empty(),
                Optional.empty(),
                List.of());
    }

    /** A table whose newest format is the last one given; its columns are those, by id. */
    static Table table(String name, int relationId, List<String> key, List<RecordFormat> formats, String... columns) {
        return table(ObjectName.of(name), relationId, key, formats, Set.of(), columns);
    }

    static Table table(
            ObjectName name,
            int relationId,
            List<String> key,
            List<RecordFormat> formats,
            Set<Long> transactions,
            String... columns) {
        return new Table(
                name,
                relationId,
                TableKind.TABLE,
                formats.get(formats.size() - 1).number(),
                true,
                columns(columns),
                key.isEmpty() ? Optional.empty() : Optional.of(new Key("PK", key)),
                List.of(),
                List.of(),
                formats,
                transactions);
    }

    static Catalog catalog(Table... tables) {
        return catalog(Optional.empty(), List.of(), tables);
    }

    static Catalog catalog(Optional<CatalogMoment> moment, List<String> schemas, Table... tables) {
        return new Catalog(
                new DatabaseInfo("demo", "4.0.5", "13.0", 3, "UTF8", Optional.of(GUID), Optional.empty()),
                schemas,
                List.of(tables),
                List.of(),
                List.of(),
                Map.of(),
                moment);
    }

    static SchemaHistory history(Catalog... catalogs) {
        SchemaHistory history = new SchemaHistory(List.of(catalogs), Optional.empty());
        history.open(GUID, Optional.empty());
        return history;
    }

    /** A transaction with DDL commits; all transactions with numbers up to its own have been met. */
    static void ddl(SchemaHistory history, int place, long transaction, String... statements) {
        ddl(history, place, transaction, 1, "", statements);
    }

    /** The statements stand before the commit, one offset apart. */
    static void ddl(
            SchemaHistory history, int place, long transaction, int protocol, String searchPath, String... statements) {
        List<DdlStatement> list = new ArrayList<>();
        for (int i = 0; i < statements.length; i++) {
            list.add(new DdlStatement(
                    at(place - 10 * (statements.length - i)), protocol, "SYSDBA", searchPath, statements[i]));
        }
        history.committed(transaction, at(place), transaction, list);
    }

    /** The version of an image in a transaction that began when it was written. */
    static TableVersion resolve(SchemaHistory history, String table, int place, long transaction, byte[]... images) {
        return resolve(history, ObjectName.of(table), place, transaction, place, Optional.empty(), images);
    }

    static TableVersion resolve(
            SchemaHistory history,
            ObjectName table,
            int place,
            long transaction,
            int begin,
            Optional<TableVersion> earlier,
            byte[]... images) {
        return history.resolve(new FormatResolver.ImageContext(
                        table,
                        images[0].length,
                        List.of(images),
                        at(place),
                        transaction,
                        at(begin),
                        earlier,
                        version -> true))
                .version();
    }

    /**
     * An image as the server writes it for a new row: every value is 1.
     *
     * @param nulls ids of fields that are NULL
     */
    static byte[] image(RecordFormat format, Integer... nulls) {
        byte[] image = new byte[format.recordLength()];
        int count = format.fields().get(format.fields().size() - 1).id() + 1;
        for (int bit = 0; bit < 8 * ((count + 7) / 8); bit++) {
            boolean isNull = List.of(nulls).contains(bit);
            if (format.field(bit).isEmpty() || isNull) {
                image[bit / 8] |= (byte) (1 << bit % 8);
            } else {
                image[format.field(bit).get().offset()] = 1;
            }
        }
        return image;
    }

    static List<String> names(TableVersion version) {
        return version.columns().stream().map(VersionColumn::name).toList();
    }

    static List<String> key(TableVersion version) {
        return version.key().stream().map(VersionColumn::name).toList();
    }
}
