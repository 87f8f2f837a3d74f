package org.firebirdcdc.schema;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.firebirdcdc.journal.JournalPosition;
import org.firebirdcdc.journal.ObjectName;

/** All committed DDL that is known, by position, and which tables it means. */
final class DdlTimeline {

    private final NavigableMap<JournalPosition, DdlCommit> commits = new TreeMap<>();
    private final Map<Long, JournalPosition> byTransaction = new HashMap<>();
    private long highestTransaction;

    private Optional<List<Bound>> bound = Optional.empty();

    /**
     * A change and what it means.
     *
     * @param table       the table; none for domains and indices
     * @param indexSchema schema of the index that it drops or alters
     */
    private record Bound(
            DdlCommit commit,
            DdlCommit.Statement statement,
            Ddl change,
            Optional<ObjectName> table,
            Optional<String> indexSchema) {

        boolean meansIndex(SqlName index, Set<String> indices, ObjectName itsTable) {
            return indices.contains(index.name())
                    && indexSchema.filter(itsTable.schema()::equals).isPresent();
        }
    }

    /** False if it is known already. */
    boolean add(DdlCommit commit) {
        highestTransaction = Math.max(highestTransaction, commit.highest());
        DdlCommit known = commits.get(commit.position());
        DdlCommit merged = commit.withHighest(highestTransaction);
        if (known != null) {
            commits.put(commit.position(), known.withHighest(commit.highest()));
            return false;
        }
        commits.put(commit.position(), merged);
        byTransaction.put(commit.transaction(), commit.position());
        bound = Optional.empty();
        return true;
    }

    void met(long transaction) {
        highestTransaction = Math.max(highestTransaction, transaction);
    }

    long highestTransaction() {
        return highestTransaction;
    }

    Collection<DdlCommit> commits() {
        return commits.values();
    }

    int size() {
        return commits.size();
    }

    Optional<DdlCommit> at(JournalPosition commit) {
        return Optional.ofNullable(commits.get(commit));
    }

    /** Behind the last commit. */
    JournalPosition end() {
        return commits.isEmpty()
                ? JournalPosition.START
                : new JournalPosition(
                        commits.lastKey().segment(), commits.lastKey().offset() + 1);
    }

    /**
     * A place to sum the history up at: behind all commits but some, and such that each snapshot is on one side of it.
     *
     * @param before no later than this
     * @param kept   commits that stay before it at least
     * @return empty if there is none
     */
    Optional<JournalPosition> border(JournalPosition before, int kept, List<Snapshot> snapshots) {
        List<DdlCommit> all = List.copyOf(commits.values());
        int done = commits.headMap(before).size();
        for (int place = done - kept; place > 0; place--) {
            int border = place;
            boolean free = snapshots.stream()
                    .map(snapshot -> snapshot.among(all))
                    .allMatch(range -> range[1] <= border || range[0] >= border);
            if (free) {
                return Optional.of(all.get(place).position());
            }
        }
        return Optional.empty();
    }

    /** Drops what was committed before a position. */
    void forgetBefore(JournalPosition position) {
        commits.headMap(position).clear();
        byTransaction.values().removeIf(p -> p.isBefore(position));
        bound = Optional.empty();
    }

    /** Names are bound anew: schemas or tables have become known. */
    void rebind() {
        bound = Optional.empty();
    }

    /** Whether one of these transactions is younger than everything that has been met: it lies ahead. */
    boolean areAhead(Set<Long> transactions) {
        return highestTransaction > 0 && transactions.stream().anyMatch(number -> number > highestTransaction);
    }

    /** Commit of the last one of these transactions; the start if none is known. */
    JournalPosition lastOf(Set<Long> transactions) {
        return transactions.stream()
                .map(byTransaction::get)
                .filter(position -> position != null)
                .max(JournalPosition::compareTo)
                .orElse(JournalPosition.START);
    }

    // ------------------------------------------------------------------ binding

    /** The changes of one table in order. */
    List<Step> steps(ObjectName table, List<Snapshot> snapshots) {
        List<Bound> all = bound(snapshots);
        Set<String> indices = indicesOf(table, snapshots, all);
        Set<String> domains = domainsOf(table, snapshots, all);
        boolean certain = knowsAllColumns(table, snapshots);
        List<Step> steps = new ArrayList<>();
        DdlCommit current = null;
        DdlCommit.Statement first = null;
        List<Ddl> changes = new ArrayList<>();
        for (Bound next : all) {
            Optional<Ddl> change = ofTable(next, table, indices, domains, certain);
            if (change.isEmpty()) {
                continue;
            }
            boolean apart = current != next.commit()
                    || first != next.statement()
                            && DdlCommit.actsAtOnce(next.statement().source());
            if (apart) {
                addStep(steps, current, first, changes);
                current = next.commit();
                first = next.statement();
                changes = new ArrayList<>();
            }
            changes.add(change.get());
        }
        addStep(steps, current, first, changes);
        return steps;
    }

    /** Tables that DDL names. */
    Set<ObjectName> tables(List<Snapshot> snapshots) {
        Set<ObjectName> names = new TreeSet<>();
        bound(snapshots).forEach(change -> change.table().ifPresent(names::add));
        return names;
    }

    private static void addStep(List<Step> steps, DdlCommit commit, DdlCommit.Statement first, List<Ddl> changes) {
        if (!changes.isEmpty()) {
            steps.add(new Step(
                    commit.transaction(),
                    first.source().position(),
                    DdlCommit.actsAtOnce(first.source()),
                    commit.position(),
                    commit.highest(),
                    List.copyOf(changes)));
        }
    }

    private static Optional<Ddl> ofTable(
            Bound bound, ObjectName table, Set<String> indices, Set<String> domains, boolean certain) {
        Ddl change = bound.change();
        if (change instanceof Ddl.AlterDomain alter) {
            boolean uses = domains.contains(alter.domain().name())
                    || alter.renamedTo().filter(domains::contains).isPresent();
            return uses || alter.retypes() && !certain ? Optional.of(change) : Optional.empty();
        }
        if (change instanceof Ddl.DropIndex drop) {
            return bound.meansIndex(drop.index(), indices, table) ? Optional.of(change) : Optional.empty();
        }
        if (change instanceof Ddl.AlterIndex alter) {
            return bound.meansIndex(alter.index(), indices, table) ? Optional.of(change) : Optional.empty();
        }
        if (change instanceof Ddl.DropSchema drop) {
            return goesWith(drop.schema(), table);
        }
        if (change instanceof Ddl.CreateSchema create) {
            return create.replaces() ? goesWith(create.schema(), table) : Optional.empty();
        }
        return bound.table().filter(table::equals).map(t -> change);
    }

    private static Optional<Ddl> goesWith(String schema, ObjectName table) {
        return table.schema().equals(schema)
                ? Optional.of(new Ddl.DropTable(new SqlName(Optional.of(schema), table.name()), true))
                : Optional.empty();
    }

    private static Set<String> indicesOf(ObjectName table, List<Snapshot> snapshots, List<Bound> all) {
        Set<String> names = new HashSet<>();
        for (Snapshot snapshot : snapshots) {
            Table seen = snapshot.tables().get(table);
            if (seen != null) {
                seen.indices().forEach(index -> names.add(index.name()));
            }
        }
        for (Bound change : all) {
            if (change.change() instanceof Ddl.CreateIndex create
                    && change.table().filter(table::equals).isPresent()) {
                names.add(create.index().name());
            }
        }
        return names;
    }

    /** Domains that a column of the table ever had, under all names that they ever had. */
    private static Set<String> domainsOf(ObjectName table, List<Snapshot> snapshots, List<Bound> all) {
        Set<String> names = new HashSet<>();
        for (Snapshot snapshot : snapshots) {
            Table seen = snapshot.tables().get(table);
            if (seen != null) {
                seen.columns().forEach(column -> names.add(column.domain()));
            }
        }
        for (Bound change : all) {
            if (change.table().filter(table::equals).isPresent()) {
                addTypes(change.change(), names);
            }
        }
        for (boolean more = true; more; ) {
            more = false;
            for (Bound change : all) {
                if (change.change() instanceof Ddl.AlterDomain alter
                        && alter.renamedTo().isPresent()) {
                    String from = alter.domain().name();
                    String to = alter.renamedTo().get();
                    more |= names.contains(from) ? names.add(to) : names.contains(to) && names.add(from);
                }
            }
        }
        return names;
    }

    private static void addTypes(Ddl change, Set<String> names) {
        if (change instanceof Ddl.CreateTable create) {
            create.columns().ifPresent(columns -> columns.forEach(c -> c.type().ifPresent(names::add)));
        } else if (change instanceof Ddl.AlterTable alter) {
            for (Ddl.Clause clause : alter.clauses()) {
                if (clause instanceof Ddl.AddColumn add) {
                    add.column().type().ifPresent(names::add);
                } else if (clause instanceof Ddl.RetypeColumn retype) {
                    retype.type().ifPresent(names::add);
                }
            }
        }
    }

    /** Whether catalogs describe every column that any format of the table has: then its domains are known. */
    private static boolean knowsAllColumns(ObjectName table, List<Snapshot> snapshots) {
        Map<Integer, Set<Integer>> described = new HashMap<>();
        Map<Integer, Set<Integer>> had = new HashMap<>();
        for (Snapshot snapshot : snapshots) {
            Table seen = snapshot.tables().get(table);
            if (seen != null) {
                Set<Integer> columns = described.computeIfAbsent(seen.relationId(), id -> new TreeSet<>());
                seen.columns().forEach(column -> columns.add(column.fieldId()));
                Set<Integer> fields = had.computeIfAbsent(seen.relationId(), id -> new TreeSet<>());
                seen.formats().forEach(format -> format.fields().forEach(field -> fields.add(field.id())));
            }
        }
        return had.entrySet().stream()
                .allMatch(fields -> described.get(fields.getKey()).containsAll(fields.getValue()));
    }

    private List<Bound> bound(List<Snapshot> snapshots) {
        if (bound.isEmpty()) {
            bound = Optional.of(bind(snapshots));
        }
        return bound.get();
    }

    private List<Bound> bind(List<Snapshot> snapshots) {
        Binder binder = new Binder(snapshots, commits.values());
        List<Bound> all = new ArrayList<>();
        for (DdlCommit commit : commits.values()) {
            for (DdlCommit.Statement statement : commit.statements()) {
                for (Ddl change : statement.parsed()) {
                    all.add(new Bound(
                            commit,
                            statement,
                            change,
                            binder.bind(statement.source(), change),
                            binder.schemaOfIndex(statement.source(), change)));
                }
            }
        }
        return all;
    }

    /** The table that a statement of a known commit means. */
    Optional<ObjectName> tableOf(JournalPosition commit, JournalPosition statement, List<Snapshot> snapshots) {
        return bound(snapshots).stream()
                .filter(b -> b.commit().position().equals(commit)
                        && b.statement().source().position().equals(statement))
                .flatMap(b -> b.table().stream())
                .findFirst();
    }

    /** Finds the schema of names that a statement gives without one (segment-format.md 3.7). Asked in journal order. */
    private static final class Binder {

        private final Set<String> schemas = new HashSet<>();
        private final Map<ObjectName, Boolean> exists = new HashMap<>();
        /** Tables of indices, by schema and name of the index. */
        private final Map<ObjectName, ObjectName> tableOfIndex = new HashMap<>();

        Binder(List<Snapshot> snapshots, Collection<DdlCommit> commits) {
            for (Snapshot snapshot : snapshots) {
                schemas.addAll(snapshot.schemas());
                snapshot.tables().keySet().forEach(table -> exists.put(table, true));
                snapshot.tables().values().forEach(table -> table.indices()
                        .forEach(index -> addIndex(index, table.name())));
            }
            for (DdlCommit commit : commits) {
                for (DdlCommit.Statement statement : commit.statements()) {
                    for (Ddl change : statement.parsed()) {
                        if (change instanceof Ddl.CreateSchema create) {
                            schemas.add(create.schema());
                        }
                    }
                }
            }
            Set<ObjectName> met = new HashSet<>();
            for (DdlCommit commit : commits) {
                for (DdlCommit.Statement statement : commit.statements()) {
                    for (Ddl change : statement.parsed()) {
                        noteFirst(statement.source(), change, met);
                    }
                }
            }
        }

        private void addIndex(Index index, ObjectName table) {
            tableOfIndex.put(new ObjectName(table.schema(), index.name()), table);
        }

        /** A table whose first change is its creation was not there before; one that is altered or dropped first was. */
        private void noteFirst(DdlStatement statement, Ddl change, Set<ObjectName> met) {
            if (change instanceof Ddl.CreateTable create) {
                ObjectName table = created(statement, create.table());
                if (met.add(table)) {
                    exists.put(table, false);
                }
            } else if (change instanceof Ddl.AlterTable alter && isPlain(statement, alter.table())) {
                noteThere(plain(alter.table()), met);
            } else if (change instanceof Ddl.DropTable drop
                    && isPlain(statement, drop.table())
                    && !drop.conditional()) {
                noteThere(plain(drop.table()), met);
            }
        }

        private void noteThere(ObjectName table, Set<ObjectName> met) {
            if (met.add(table)) {
                exists.put(table, true);
            }
        }

        private static boolean isPlain(DdlStatement statement, SqlName name) {
            return !DdlCommit.actsAtOnce(statement) || name.schema().isPresent();
        }

        private static ObjectName plain(SqlName name) {
            return new ObjectName(name.schema().orElse(""), name.name());
        }

        Optional<ObjectName> bind(DdlStatement statement, Ddl change) {
            if (change instanceof Ddl.CreateTable create) {
                ObjectName table = created(statement, create.table());
                exists.put(table, true);
                return Optional.of(table);
            }
            if (change instanceof Ddl.DropTable drop) {
                ObjectName table = existing(statement, drop.table());
                exists.put(table, false);
                return Optional.of(table);
            }
            if (change instanceof Ddl.AlterTable alter) {
                return Optional.of(existing(statement, alter.table()));
            }
            if (change instanceof Ddl.CreateIndex index) {
                ObjectName table = existing(statement, index.table());
                addIndex(index.index(), table);
                return Optional.of(table);
            }
            if (change instanceof Ddl.DropSchema drop) {
                dropTablesOf(drop.schema());
            } else if (change instanceof Ddl.CreateSchema create && create.replaces()) {
                dropTablesOf(create.schema());
            }
            return Optional.empty();
        }

        private void dropTablesOf(String schema) {
            exists.replaceAll((table, there) -> there && !table.schema().equals(schema));
        }

        /** An index is in the schema of its table. */
        Optional<String> schemaOfIndex(DdlStatement statement, Ddl change) {
            if (change instanceof Ddl.DropIndex drop) {
                String schema = schemaOf(statement, drop.index());
                tableOfIndex.remove(new ObjectName(schema, drop.index().name()));
                return Optional.of(schema);
            }
            return change instanceof Ddl.AlterIndex alter
                    ? Optional.of(schemaOf(statement, alter.index()))
                    : Optional.empty();
        }

        private String schemaOf(DdlStatement statement, SqlName index) {
            if (isPlain(statement, index)) {
                return plain(index).schema();
            }
            List<String> path = SearchPath.parse(statement.searchPath());
            return path.stream()
                    .filter(schema -> Optional.ofNullable(tableOfIndex.get(new ObjectName(schema, index.name())))
                            .filter(table -> exists.getOrDefault(table, false))
                            .isPresent())
                    .findFirst()
                    .or(() -> path.stream().filter(schemas::contains).findFirst())
                    .orElse("");
        }

        private ObjectName created(DdlStatement statement, SqlName name) {
            if (isPlain(statement, name)) {
                return plain(name);
            }
            List<String> path = SearchPath.parse(statement.searchPath());
            return new ObjectName(
                    path.stream()
                            .filter(schema -> schemas.isEmpty() || schemas.contains(schema))
                            .findFirst()
                            .orElse(""),
                    name.name());
        }

        private ObjectName existing(DdlStatement statement, SqlName name) {
            if (isPlain(statement, name)) {
                return plain(name);
            }
            List<ObjectName> candidates = SearchPath.parse(statement.searchPath()).stream()
                    .map(schema -> new ObjectName(schema, name.name()))
                    .toList();
            return candidates.stream()
                    .filter(table -> exists.getOrDefault(table, false))
                    .findFirst()
                    .or(() -> candidates.stream().filter(exists::containsKey).findFirst())
                    .orElseGet(() -> created(statement, name));
        }
    }
}
