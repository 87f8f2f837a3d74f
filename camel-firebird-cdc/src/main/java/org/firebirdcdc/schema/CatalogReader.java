package org.firebirdcdc.schema;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.firebirdcdc.journal.DatabaseGuid;
import org.firebirdcdc.journal.ObjectName;
import org.firebirdsql.jdbc.FirebirdDatabaseMetaData;

/**
 * Reads a catalog from the system tables (segment-format.md 8.1 to 8.3, 8.7) of Firebird 4 and later: with a fixed number
 * of queries, however many tables there are, in one read-only snapshot transaction, so that all parts are of one moment
 * and nobody waits for them.
 *
 * <p>In the SQL texts a system table's name begins with {@code @} (Firebird 6: the schema SYSTEM), and what stands
 * between double brackets is there only if the database has schemas.
 */
public final class CatalogReader {

    private static final int OLDEST_ODS = 13;
    private static final int FETCH_SIZE = 1000;

    /** Bytes of a descriptor or source text that come with the row; the few longer ones are fetched one by one. */
    private static final int SLICE = 8000;

    private static final Pattern SCHEMA_PART = Pattern.compile("\\[\\[(.*?)]]");

    /** The tables that a catalog holds. */
    private static final String TABLES = "coalesce(r.RDB$SYSTEM_FLAG, 0) = 0 and r.RDB$VIEW_BLR is null"
            + " and coalesce(r.RDB$RELATION_TYPE, 0) in ("
            + TableKind.TABLE.relationType() + ", "
            + TableKind.TEMPORARY_PRESERVE.relationType() + ", "
            + TableKind.TEMPORARY_DELETE.relationType() + ")";

    private final Connection connection;
    private final boolean schemas;
    private final boolean partialIndices;

    private final Map<Integer, TableParts> tables = new LinkedHashMap<>();
    private final Map<Integer, CharacterSet> characterSets = new TreeMap<>();
    private final Map<List<Integer>, String> collations = new HashMap<>();

    private CatalogReader(Connection connection) throws SQLException {
        this.connection = connection;
        this.schemas = hasSystemField("RDB$RELATIONS", "RDB$SCHEMA_NAME");
        this.partialIndices = hasSystemField("RDB$INDICES", "RDB$CONDITION_SOURCE");
    }

    /** What has been read of a table so far. */
    private static final class TableParts {
        private final ObjectName name;
        private final TableKind kind;
        private final int currentFormat;
        private final boolean inPublication;
        private final List<Column> columns = new ArrayList<>();
        private final List<Constraint> constraints = new ArrayList<>();
        private final List<Index> indices = new ArrayList<>();
        private final List<RecordFormat> formats = new ArrayList<>();
        private final Set<Long> transactions = new TreeSet<>();

        private TableParts(ObjectName name, TableKind kind, int currentFormat, boolean inPublication) {
            this.name = name;
            this.kind = kind;
            this.currentFormat = currentFormat;
            this.inPublication = inPublication;
        }

        private Table table(int relationId) {
            return new Table(
                    name,
                    relationId,
                    kind,
                    currentFormat,
                    inPublication,
                    columns,
                    constraints.stream()
                            .filter(Constraint::primary)
                            .map(Constraint::key)
                            .findFirst(),
                    constraints.stream()
                            .filter(constraint -> !constraint.primary())
                            .map(Constraint::key)
                            .toList(),
                    indices,
                    formats,
                    // the engine's own transaction 0 hides which one was before it
                    transactions.contains(0L) ? Set.of() : transactions);
        }
    }

    private record Constraint(boolean primary, Key key) {}

    private record LongDescriptor(int relationId, int format) {}

    /**
     * Reads the present state. The connection's transaction settings are set back afterwards.
     *
     * @param connection to the database, with encoding UTF8 and without a transaction in progress
     * @throws SQLException      what the server or the driver said
     * @throws MetadataException if the database is older than Firebird 4, or a record format is not usable
     */
    public static Catalog read(Connection connection) throws SQLException {
        Settings before =
                new Settings(connection.getAutoCommit(), connection.isReadOnly(), connection.getTransactionIsolation());
        Catalog catalog;
        try {
            connection.setAutoCommit(false);
            connection.setReadOnly(true);
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            long firstSegment = currentSegment(connection);
            // the snapshot must be younger than the answer
            connection.rollback();
            catalog = new CatalogReader(connection).catalog(firstSegment);
        } catch (SQLException | RuntimeException e) {
            try {
                before.restore(connection);
            } catch (SQLException broken) {
                e.addSuppressed(broken);
            }
            throw e;
        }
        before.restore(connection);
        return catalog;
    }

    /** Number of the segment that is written to: not as of the transaction's snapshot (segment-format.md 9). */
    private static long currentSegment(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "select RDB$GET_CONTEXT('SYSTEM', 'REPLICATION_SEQUENCE') from RDB$DATABASE")) {
            row.next();
            String number = row.getString(1);
            return number == null ? 0 : Long.parseLong(number);
        }
    }

    private static long currentTransaction(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select CURRENT_TRANSACTION from RDB$DATABASE")) {
            row.next();
            return row.getLong(1);
        }
    }

    private record Settings(boolean autoCommit, boolean readOnly, int isolation) {

        void restore(Connection connection) throws SQLException {
            if (!connection.getAutoCommit()) {
                connection.rollback();
            }
            connection.setTransactionIsolation(isolation);
            connection.setReadOnly(readOnly);
            connection.setAutoCommit(autoCommit);
        }
    }

    private boolean hasSystemField(String relation, String field) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("select 1 from RDB$RELATION_FIELDS"
                + " where RDB$RELATION_NAME = ? and RDB$FIELD_NAME = ? and RDB$SYSTEM_FLAG = 1")) {
            statement.setString(1, relation);
            statement.setString(2, field);
            try (ResultSet row = statement.executeQuery()) {
                return row.next();
            }
        }
    }

    private Catalog catalog(long firstSegment) throws SQLException {
        DatabaseInfo database = database();
        readCharacterSets();
        readTables();
        readColumns();
        readConstraints();
        readIndices();
        readFormats();
        List<Table> complete = new ArrayList<>();
        tables.forEach((relationId, parts) -> complete.add(parts.table(relationId)));
        return new Catalog(
                database,
                schemas ? schemaNames() : List.of(),
                complete,
                sequences(),
                List.copyOf(characterSets.values()),
                timeZones(),
                Optional.of(
                        new CatalogMoment(firstSegment, currentSegment(connection), currentTransaction(connection))));
    }

    private DatabaseInfo database() throws SQLException {
        FirebirdDatabaseMetaData metadata = connection.getMetaData().unwrap(FirebirdDatabaseMetaData.class);
        int ods = metadata.getOdsMajorVersion();
        if (ods < OLDEST_ODS) {
            throw new MetadataException(
                    "the database has structure version " + ods + "." + metadata.getOdsMinorVersion()
                            + ": Firebird before version 4 writes no replication journal; back it up and restore it with"
                            + " Firebird 4 or later");
        }
        Optional<Publication> publication = query(
                        "select coalesce(RDB$ACTIVE_FLAG, 0), coalesce(RDB$AUTO_ENABLE, 0) from @RDB$PUBLICATIONS"
                                + " where RDB$PUBLICATION_NAME = 'RDB$DEFAULT'",
                        row -> new Publication(row.getInt(1) != 0, row.getInt(2) != 0))
                .stream()
                .findFirst();
        String ofSystem = "RDB$GET_CONTEXT('SYSTEM', '%s')";
        return query(
                        "select " + ofSystem.formatted("DB_NAME") + ", " + ofSystem.formatted("ENGINE_VERSION") + ", "
                                + ofSystem.formatted("DB_GUID") + ", RDB$CHARACTER_SET_NAME from @RDB$DATABASE",
                        row -> new DatabaseInfo(
                                plainName(row.getString(1)),
                                row.getString(2),
                                ods + "." + metadata.getOdsMinorVersion(),
                                metadata.getDatabaseDialect(),
                                name(row, 4),
                                Optional.ofNullable(row.getString(3)).map(DatabaseGuid::parse),
                                publication))
                .get(0);
    }

    /** The server gives a path, its own or a Windows one, or an alias. */
    private static String plainName(String pathOrAlias) {
        String file = pathOrAlias.substring(Math.max(pathOrAlias.lastIndexOf('/'), pathOrAlias.lastIndexOf('\\')) + 1);
        int dot = file.lastIndexOf('.');
        return dot > 0 ? file.substring(0, dot) : file;
    }

    private List<String> schemaNames() throws SQLException {
        return query("select RDB$SCHEMA_NAME from @RDB$SCHEMAS order by 1", row -> name(row, 1));
    }

    private void readCharacterSets() throws SQLException {
        query(
                "select RDB$CHARACTER_SET_ID, RDB$CHARACTER_SET_NAME, RDB$BYTES_PER_CHARACTER from @RDB$CHARACTER_SETS"
                        + " where RDB$CHARACTER_SET_ID > " + CharacterSet.LAST_BUILT_IN,
                row -> characterSets.put(
                        row.getInt(1), new CharacterSet(row.getInt(1), name(row, 2), Math.max(1, row.getInt(3)))));
        query(
                "select RDB$CHARACTER_SET_ID, RDB$COLLATION_ID, RDB$COLLATION_NAME from @RDB$COLLATIONS",
                row -> collations.put(List.of(row.getInt(1), row.getInt(2)), name(row, 3)));
    }

    private void readTables() throws SQLException {
        query(
                "select r.RDB$RELATION_ID, r.RDB$RELATION_NAME, coalesce(r.RDB$RELATION_TYPE, 0),"
                        + " coalesce(r.RDB$FORMAT, 0), iif(p.RDB$TABLE_NAME is null, 0, 1), r.RDB$RECORD_VERSION"
                        + "[[, r.RDB$SCHEMA_NAME]] from @RDB$RELATIONS r"
                        + " left join @RDB$PUBLICATION_TABLES p on p.RDB$PUBLICATION_NAME = 'RDB$DEFAULT'"
                        + " and p.RDB$TABLE_NAME = r.RDB$RELATION_NAME"
                        + "[[ and p.RDB$TABLE_SCHEMA_NAME = r.RDB$SCHEMA_NAME]]"
                        + " where " + TABLES + " order by r.RDB$RELATION_ID",
                row -> {
                    TableParts parts = new TableParts(
                            objectName(row, 2, 7),
                            TableKind.ofRelationType(row.getInt(3)).orElseThrow(),
                            row.getInt(4),
                            row.getInt(5) != 0);
                    parts.transactions.add(row.getLong(6));
                    return tables.put(row.getInt(1), parts);
                });
    }

    private void readColumns() throws SQLException {
        Map<ObjectName, List<ArrayBound>> bounds = new HashMap<>();
        query(
                "select RDB$FIELD_NAME, RDB$LOWER_BOUND, RDB$UPPER_BOUND[[, RDB$SCHEMA_NAME]]"
                        + " from @RDB$FIELD_DIMENSIONS order by RDB$FIELD_NAME, RDB$DIMENSION",
                row -> bounds.computeIfAbsent(objectName(row, 1, 4), domain -> new ArrayList<>())
                        .add(new ArrayBound(row.getInt(2), row.getInt(3))));
        query(
                "select r.RDB$RELATION_ID, rf.RDB$FIELD_NAME, rf.RDB$FIELD_SOURCE, coalesce(rf.RDB$FIELD_POSITION, 0),"
                        + " rf.RDB$FIELD_ID, f.RDB$FIELD_TYPE, f.RDB$FIELD_SUB_TYPE, f.RDB$FIELD_LENGTH,"
                        + " f.RDB$CHARACTER_LENGTH, f.RDB$FIELD_SCALE, f.RDB$FIELD_PRECISION, f.RDB$CHARACTER_SET_ID,"
                        + " coalesce(rf.RDB$COLLATION_ID, f.RDB$COLLATION_ID),"
                        + " coalesce(rf.RDB$NULL_FLAG, 0) + coalesce(f.RDB$NULL_FLAG, 0),"
                        + " iif(f.RDB$COMPUTED_BLR is null, 0, 1), rf.RDB$IDENTITY_TYPE, rf.RDB$GENERATOR_NAME, "
                        + source("f.RDB$COMPUTED_SOURCE") + ", "
                        + source("coalesce(rf.RDB$DEFAULT_SOURCE, f.RDB$DEFAULT_SOURCE)")
                        + ", rf.RDB$RECORD_VERSION, f.RDB$RECORD_VERSION[[, rf.RDB$FIELD_SOURCE_SCHEMA_NAME]]"
                        + " from @RDB$RELATIONS r"
                        + " join @RDB$RELATION_FIELDS rf on rf.RDB$RELATION_NAME = r.RDB$RELATION_NAME"
                        + "[[ and rf.RDB$SCHEMA_NAME = r.RDB$SCHEMA_NAME]]"
                        + " join @RDB$FIELDS f on f.RDB$FIELD_NAME = rf.RDB$FIELD_SOURCE"
                        + "[[ and f.RDB$SCHEMA_NAME = rf.RDB$FIELD_SOURCE_SCHEMA_NAME]]"
                        + " where " + TABLES,
                row -> partsOf(row).columns.add(column(row, bounds)));
    }

    private Column column(ResultSet row, Map<ObjectName, List<ArrayBound>> bounds) throws SQLException {
        TableParts parts = partsOf(row);
        ObjectName domain = objectName(row, 3, 24);
        parts.transactions.add(row.getLong(22));
        parts.transactions.add(row.getLong(23));
        String columnName = name(row, 2);
        int fieldType = row.getInt(6);
        DataType type = DataType.ofFieldType(fieldType)
                .orElseThrow(() -> new MetadataException(
                        "column " + columnName + " of table " + parts.name + " has the unknown type " + fieldType));
        int subType = row.getInt(7);
        boolean text = type.isText() || type == DataType.BLOB && subType == ValueType.BLOB_TEXT;
        int charset = row.getInt(12);
        int collation = row.getInt(13);
        int identity = row.getInt(16);
        OptionalInt identityType = row.wasNull() ? OptionalInt.empty() : OptionalInt.of(identity);
        return new Column(
                row.getInt(4),
                row.getInt(5),
                columnName,
                domain.name(),
                domain.schema(),
                type,
                subType,
                row.getInt(8),
                row.getInt(9),
                row.getInt(10),
                row.getInt(11),
                text ? Optional.of(characterSet(charset)) : Optional.empty(),
                text
                        ? Optional.of(
                                new Collation(collation, collations.getOrDefault(List.of(charset, collation), "")))
                        : Optional.empty(),
                row.getInt(14) == 0,
                row.getInt(15) != 0,
                source(row, 18),
                source(row, 20),
                identityType,
                Optional.ofNullable(row.getString(17)).map(CatalogReader::unpadded),
                bounds.getOrDefault(domain, List.of()));
    }

    private CharacterSet characterSet(int id) {
        return CharacterSet.of(id)
                .or(() -> Optional.ofNullable(characterSets.get(id)))
                .orElseThrow(() -> new MetadataException("RDB$CHARACTER_SETS has no character set " + id));
    }

    private void readConstraints() throws SQLException {
        Map<List<Object>, List<String>> columns = new LinkedHashMap<>();
        query(
                "select r.RDB$RELATION_ID, rc.RDB$CONSTRAINT_NAME, rc.RDB$CONSTRAINT_TYPE, s.RDB$FIELD_NAME,"
                        + " rc.RDB$RECORD_VERSION"
                        + " from @RDB$RELATIONS r"
                        + " join @RDB$RELATION_CONSTRAINTS rc on rc.RDB$RELATION_NAME = r.RDB$RELATION_NAME"
                        + "[[ and rc.RDB$SCHEMA_NAME = r.RDB$SCHEMA_NAME]]"
                        + " join @RDB$INDEX_SEGMENTS s on s.RDB$INDEX_NAME = rc.RDB$INDEX_NAME"
                        + "[[ and s.RDB$SCHEMA_NAME = rc.RDB$SCHEMA_NAME]]"
                        + " where rc.RDB$CONSTRAINT_TYPE in ('PRIMARY KEY', 'UNIQUE') and " + TABLES
                        + " order by r.RDB$RELATION_ID, rc.RDB$CONSTRAINT_NAME, s.RDB$FIELD_POSITION",
                row -> {
                    partsOf(row).transactions.add(row.getLong(5));
                    return columns.computeIfAbsent(
                                    List.of(
                                            row.getInt(1),
                                            name(row, 2),
                                            name(row, 3).equals("PRIMARY KEY")),
                                    constraint -> new ArrayList<>())
                            .add(name(row, 4));
                });
        columns.forEach((constraint, names) -> tables.get((Integer) constraint.get(0))
                .constraints
                .add(new Constraint((Boolean) constraint.get(2), new Key((String) constraint.get(1), names))));
    }

    private void readIndices() throws SQLException {
        Map<List<Object>, List<String>> segments = new HashMap<>();
        query(
                "select r.RDB$RELATION_ID, i.RDB$INDEX_NAME, s.RDB$FIELD_NAME from @RDB$RELATIONS r"
                        + " join @RDB$INDICES i on i.RDB$RELATION_NAME = r.RDB$RELATION_NAME"
                        + "[[ and i.RDB$SCHEMA_NAME = r.RDB$SCHEMA_NAME]]"
                        + " join @RDB$INDEX_SEGMENTS s on s.RDB$INDEX_NAME = i.RDB$INDEX_NAME"
                        + "[[ and s.RDB$SCHEMA_NAME = i.RDB$SCHEMA_NAME]]"
                        + " where " + TABLES + " order by s.RDB$FIELD_POSITION",
                row -> segments.computeIfAbsent(List.of(row.getInt(1), name(row, 2)), index -> new ArrayList<>())
                        .add(name(row, 3)));
        query(
                "select r.RDB$RELATION_ID, i.RDB$INDEX_NAME, coalesce(i.RDB$UNIQUE_FLAG, 0),"
                        + " coalesce(i.RDB$INDEX_INACTIVE, 0), coalesce(i.RDB$INDEX_TYPE, 0), "
                        + source("i.RDB$EXPRESSION_SOURCE") + ", "
                        + (partialIndices ? source("i.RDB$CONDITION_SOURCE") : "null, null")
                        + ", i.RDB$RECORD_VERSION"
                        + " from @RDB$RELATIONS r"
                        + " join @RDB$INDICES i on i.RDB$RELATION_NAME = r.RDB$RELATION_NAME"
                        + "[[ and i.RDB$SCHEMA_NAME = r.RDB$SCHEMA_NAME]]"
                        + " where " + TABLES + " order by i.RDB$INDEX_NAME",
                row -> {
                    TableParts parts = partsOf(row);
                    parts.transactions.add(row.getLong(10));
                    return parts.indices.add(new Index(
                            name(row, 2),
                            row.getInt(3) != 0,
                            row.getInt(4) == 0,
                            row.getInt(5) != 0,
                            segments.getOrDefault(List.of(row.getInt(1), name(row, 2)), List.of()),
                            source(row, 6),
                            source(row, 8)));
                });
    }

    /** Format 0 of an external table describes its file; the tables here begin with 1. */
    private void readFormats() throws SQLException {
        List<LongDescriptor> rest = new ArrayList<>();
        query(
                "select r.RDB$RELATION_ID, f.RDB$FORMAT, octet_length(f.RDB$DESCRIPTOR), " + slice("1")
                        + " from @RDB$RELATIONS r join @RDB$FORMATS f on f.RDB$RELATION_ID = r.RDB$RELATION_ID"
                        + " where f.RDB$DESCRIPTOR is not null and " + TABLES,
                row -> row.getInt(3) > SLICE
                        ? rest.add(new LongDescriptor(row.getInt(1), row.getInt(2)))
                        : addFormat(row.getInt(1), row.getInt(2), row.getBytes(4)));
        for (LongDescriptor descriptor : rest) {
            addFormat(descriptor.relationId(), descriptor.format(), longDescriptor(descriptor));
        }
    }

    private boolean addFormat(int relationId, int number, byte[] descriptor) {
        TableParts parts = tables.get(relationId);
        try {
            return parts.formats.add(RecordFormat.parse(number, descriptor));
        } catch (MetadataException e) {
            throw new MetadataException("table " + parts.name + ": " + e.getMessage(), e);
        }
    }

    private byte[] longDescriptor(LongDescriptor descriptor) throws SQLException {
        byte[] all = new byte[0];
        try (PreparedStatement statement = connection.prepareStatement(sql("select " + slice("cast(? as integer)")
                + " from @RDB$FORMATS f where f.RDB$RELATION_ID = ? and f.RDB$FORMAT = ?"))) {
            byte[] next;
            do {
                statement.setInt(1, all.length + 1);
                statement.setInt(2, descriptor.relationId());
                statement.setInt(3, descriptor.format());
                try (ResultSet row = statement.executeQuery()) {
                    row.next();
                    next = row.getBytes(1);
                }
                int end = all.length;
                all = Arrays.copyOf(all, end + next.length);
                System.arraycopy(next, 0, all, end, next.length);
            } while (next.length == SLICE);
        }
        return all;
    }

    /** Part of a descriptor as raw bytes (segment-format.md 8.3). */
    private static String slice(String from) {
        return "cast(substring(f.RDB$DESCRIPTOR from " + from + " for " + SLICE + ") as varchar(" + SLICE
                + ") character set OCTETS)";
    }

    private List<Sequence> sequences() throws SQLException {
        return query(
                "select RDB$GENERATOR_NAME, RDB$GENERATOR_ID, coalesce(RDB$INITIAL_VALUE, 0),"
                        + " coalesce(RDB$GENERATOR_INCREMENT, 1)[[, RDB$SCHEMA_NAME]] from @RDB$GENERATORS"
                        + " where coalesce(RDB$SYSTEM_FLAG, 0) <> 1 order by RDB$GENERATOR_ID",
                row -> new Sequence(objectName(row, 1, 5), row.getInt(2), row.getLong(3), row.getLong(4)));
    }

    private Map<Integer, String> timeZones() throws SQLException {
        Map<Integer, String> zones = new TreeMap<>();
        query(
                "select RDB$TIME_ZONE_ID, RDB$TIME_ZONE_NAME from @RDB$TIME_ZONES where RDB$TIME_ZONE_ID < "
                        + Catalog.LOWEST_KNOWN_TIME_ZONE,
                row -> zones.put(row.getInt(1), name(row, 2)));
        return zones;
    }

    // ------------------------------------------------------------------ rows

    private interface RowReader<T> {
        T read(ResultSet row) throws SQLException;
    }

    private <T> List<T> query(String text, RowReader<T> reader) throws SQLException {
        List<T> result = new ArrayList<>();
        try (Statement statement = connection.createStatement()) {
            statement.setFetchSize(FETCH_SIZE);
            try (ResultSet rows = statement.executeQuery(sql(text))) {
                while (rows.next()) {
                    result.add(reader.read(rows));
                }
            }
        }
        return result;
    }

    private String sql(String text) {
        Matcher parts = SCHEMA_PART.matcher(text);
        return (schemas ? parts.replaceAll("$1") : parts.replaceAll("")).replace("@", schemas ? "SYSTEM." : "");
    }

    private TableParts partsOf(ResultSet row) throws SQLException {
        return tables.get(row.getInt(1));
    }

    private ObjectName objectName(ResultSet row, int nameColumn, int schemaColumn) throws SQLException {
        return new ObjectName(schemas ? name(row, schemaColumn) : "", name(row, nameColumn));
    }

    private static String name(ResultSet row, int column) throws SQLException {
        String text = row.getString(column);
        return text == null ? "" : unpadded(text);
    }

    /** System tables keep names in CHAR columns. */
    private static String unpadded(String text) {
        int end = text.length();
        while (end > 0 && text.charAt(end - 1) == ' ') {
            end--;
        }
        return text.substring(0, end);
    }

    /**
     * Two result columns for a source text: its bytes if they are few, and the blob. The bytes are not checked by the
     * server: a text that some tool left behind in another character set does not make the catalog unreadable.
     */
    private static String source(String blob) {
        return "case when octet_length(" + blob + ") <= " + SLICE + " then cast(" + blob + " as varchar(" + SLICE
                + ") character set OCTETS) end, " + blob;
    }

    private static Optional<String> source(ResultSet row, int column) throws SQLException {
        byte[] bytes = row.getBytes(column);
        return bytes == null
                ? Optional.ofNullable(row.getString(column + 1))
                : Optional.of(new String(bytes, StandardCharsets.UTF_8));
    }
}
