package org.firebirdcdc.schema;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.firebirdcdc.journal.DatabaseGuid;
import org.firebirdcdc.journal.JournalPosition;
import org.firebirdcdc.journal.ObjectName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which version of a table is in force at which position (segment-format.md 8.4 to 8.6). Knows what the committed DDL in
 * the journal says and what catalogs showed, and takes only what agrees with both. Never guesses: what cannot be told with
 * certainty is an {@link UnknownFormatException} that says what is known.
 *
 * <p>Record formats come from catalogs alone. Names, order and keys of columns are those that a catalog showed, carried
 * forwards and backwards over the DDL statements. Columns whose names nothing tells are called
 * {@link Table#DROPPED_PREFIX} and their field id.
 *
 * <p>The database is asked only if DDL has been met since the last time, or an image fits nothing that is known. If it does
 * not answer, that is a {@link MetadataException}: the image waits.
 */
public final class SchemaHistory implements FormatResolver, DdlTables {

    private static final Logger LOG = LoggerFactory.getLogger(SchemaHistory.class);

    /** DDL behind the oldest segment that is still needed is kept for so many commits, then it is summed up. */
    private static final int KEPT_COMMITS = 200;

    /** Unless DDL has been met, the database is not asked again so soon: it would say the same. */
    private static final long ASK_AGAIN_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final List<Catalog> files;
    private final Optional<Catalog> present;
    private final Optional<CatalogSource> live;

    private final DdlTimeline ddl = new DdlTimeline();
    private final List<Snapshot> snapshots = new ArrayList<>();
    private final List<Snapshot> placed = new ArrayList<>();
    private final Map<ObjectName, TableHistory> tables = new HashMap<>();
    private final Map<VersionId, TableVersion> versions = new HashMap<>();
    private final Map<TableHistory.Described, TableVersion> built = new IdentityHashMap<>();
    private final Set<String> reported = new HashSet<>();
    /** Digests of catalog files that say nothing more than what has been summed up. */
    private final Set<String> summedUp = new TreeSet<>();

    private DdlLookahead lookahead = DdlLookahead.NONE;
    private Optional<DatabaseGuid> guid = Optional.empty();
    private boolean filesTaken;
    private boolean lookedAhead;
    private boolean everRead;
    private long lastReadNanos;
    /** DDL has been met since the database was asked last. */
    private boolean ddlSinceRead;
    /** SQL dialect as the database tells it. */
    private int dialectOfDatabase = 3;

    private boolean dirty;

    private record VersionId(
            ObjectName table, int relationId, int format, List<VersionColumn> columns, List<VersionColumn> key) {}

    /**
     * @param catalogs catalogs from files, oldest first; put right where it is certain that they are not
     * @param live     the database, asked when the catalogs do not know enough
     */
    public SchemaHistory(List<Catalog> catalogs, Optional<CatalogSource> live) {
        this(catalogs, Optional.empty(), live);
    }

    private SchemaHistory(List<Catalog> catalogs, Optional<Catalog> present, Optional<CatalogSource> live) {
        this.files = CatalogOrder.oldestFirst(catalogs);
        this.present = present;
        this.live = live;
    }

    /**
     * A history that begins with what the database says.
     *
     * @param present what it has just said
     * @param live    the database, asked when that is not enough
     */
    public static SchemaHistory beginningWith(Catalog present, CatalogSource live) {
        return new SchemaHistory(List.of(), Optional.of(present), Optional.of(live));
    }

    // ------------------------------------------------------------------ life

    /** The database, as far as the catalogs tell; the database itself is asked if there are none. */
    public synchronized Optional<DatabaseGuid> guid() {
        if (guid.isEmpty()) {
            guid = Stream.concat(files.stream(), present.stream())
                    .flatMap(catalog -> catalog.database().guid().stream())
                    .findFirst();
        }
        if (guid.isEmpty() && files.isEmpty() && live.isPresent()) {
            guid = read().database().guid();
        }
        return guid;
    }

    /**
     * Begins the history of a database, or goes on with it.
     *
     * @param guid  the database
     * @param saved what {@link #toSave()} gave before
     * @throws MetadataException if the saved document is damaged or of a newer version
     */
    public synchronized void open(DatabaseGuid guid, Optional<byte[]> saved) {
        // what may fail comes first: it is tried again with a document that is sound
        Optional<HistoryJson.Content> before = saved.map(document -> HistoryJson.read(document, dialect()));
        this.guid = Optional.of(guid);
        List<Snapshot> fresh = List.copyOf(snapshots);
        snapshots.clear();
        before.ifPresent(content -> {
            snapshots.addAll(content.snapshots());
            summedUp.addAll(content.summedUp());
            content.commits().forEach(ddl::add);
            ddl.met(content.highestTransaction());
            ddlSinceRead = false;
            lookedAhead = true;
        });
        forgetAnswers();
        int kept = snapshots.size();
        takeFiles();
        fresh.forEach(this::insert);
        // what is learnt at the start must be known at the next one, when the database may be down
        dirty = snapshots.size() > kept;
    }

    /** @param lookahead reports the DDL of segments that are there already and have not been read yet */
    public synchronized void lookAheadWith(DdlLookahead lookahead) {
        this.lookahead = lookahead;
    }

    private void takeFiles() {
        if (!filesTaken) {
            filesTaken = true;
            for (Catalog file : files) {
                checkGuid(file, "a catalog file");
                take(file);
            }
            present.ifPresent(this::takePresent);
        }
    }

    private void take(Catalog catalog) {
        Snapshot snapshot = Snapshot.of(catalog);
        boolean known =
                snapshots.stream().anyMatch(s -> s.isLike(snapshot)) || summedUp.contains(HistoryJson.digest(snapshot));
        if (!known) {
            insert(snapshot);
        }
    }

    /** After a restore the database says nothing of the old history; what was learnt of that before serves to its end. */
    private void takePresent(Catalog catalog) {
        if (snapshots.isEmpty() || isOfJournal(catalog)) {
            checkGuid(catalog, "the database");
            take(catalog);
        } else {
            LOG.warn(
                    "The database has the GUID {}, the journal is that of {}; going on with what is known of the old one."
                            + " After a restore: finish the old history, then set databaseGuid to the new one",
                    catalog.database().guid().orElseThrow(),
                    guid.orElseThrow());
        }
    }

    private int dialect() {
        return Stream.concat(files.stream(), present.stream())
                .mapToInt(catalog -> catalog.database().dialect())
                .findFirst()
                .orElse(dialectOfDatabase);
    }

    private void forgetAnswers() {
        tables.clear();
        placed.clear();
        built.clear();
        ddl.rebind();
    }

    // ------------------------------------------------------------------ DDL

    /**
     * A transaction with DDL is committed. The same one may be reported again.
     *
     * @param transaction number
     * @param commit      its commit
     * @param highest     highest transaction number met so far
     * @param statements  its DDL, in order, without what savepoints undid
     */
    public synchronized void committed(
            long transaction, JournalPosition commit, long highest, List<DdlStatement> statements) {
        DdlCommit fresh = DdlCommit.of(transaction, commit, highest, statements, dialect());
        if (ddl.add(fresh)) {
            ddlSinceRead = true;
            forgetAnswers();
            dirty = true;
            warnOfMissingRows(fresh);
        }
    }

    /** Rows that CREATE TABLE ... AS SELECT puts in are not in the journal (segment-format.md 6.2). */
    private void warnOfMissingRows(DdlCommit commit) {
        for (DdlCommit.Statement statement : commit.statements()) {
            for (Ddl change : statement.parsed()) {
                if (change instanceof Ddl.CreateTable create && create.fills()) {
                    LOG.warn(
                            "Table {} was created AS SELECT (transaction {}, {}): the rows that this put in are not in the"
                                    + " journal. Read them from the database if they are needed",
                            ddl.tableOf(commit.position(), statement.source().position(), snapshots)
                                    .map(ObjectName::toString)
                                    .orElse(create.table().name()),
                            commit.transaction(),
                            statement.source().position());
                }
            }
        }
    }

    /**
     * Everything up to here has been looked at for DDL.
     *
     * @param highestTransaction highest transaction number met
     */
    public synchronized void met(long highestTransaction) {
        if (highestTransaction > ddl.highestTransaction()) {
            ddl.met(highestTransaction);
            forgetAnswers();
        }
    }

    // ------------------------------------------------------------------ catalogs

    private Catalog read() {
        lookAhead();
        // what stands in a complete segment was committed before the question
        JournalPosition committed = ddl.end();
        Catalog catalog = live.orElseThrow().read();
        checkGuid(catalog, "the database");
        dialectOfDatabase = catalog.database().dialect();
        everRead = true;
        lastReadNanos = System.nanoTime();
        ddlSinceRead = false;
        insert(Snapshot.of(catalog).takenAfter(committed));
        lookAhead();
        return catalog;
    }

    private boolean isOfJournal(Catalog catalog) {
        Optional<DatabaseGuid> its = catalog.database().guid();
        return guid.isEmpty() || its.isEmpty() || its.equals(guid);
    }

    private void checkGuid(Catalog catalog, String what) {
        if (!isOfJournal(catalog)) {
            throw new MetadataException(what + " has the GUID "
                    + catalog.database().guid().orElseThrow() + ", the journal is that of "
                    + guid.get() + ": after a restore the database begins a new history. For the old one give catalog"
                    + " files from its time");
        }
    }

    /** Puts what a catalog showed in its place among the others, unless it adds nothing. */
    private void insert(Snapshot snapshot) {
        int at = snapshots.size();
        while (at > 0 && isYounger(snapshots.get(at - 1), snapshot)) {
            at--;
        }
        Snapshot lean = at > 0 ? snapshot.sharing(snapshots.get(at - 1)) : snapshot;
        boolean same = at > 0 && at == snapshots.size() && snapshots.get(at - 1).shows(lean) && !ddlBehind(at - 1);
        if (!same) {
            snapshots.add(at, lean);
            lookedAhead = false;
            dirty = true;
            forgetAnswers();
        }
    }

    /** Files that do not tell their time are older than what the database showed. */
    private static boolean isYounger(Snapshot one, Snapshot other) {
        return one.transaction().isPresent()
                && (other.transaction().isEmpty()
                        || one.transaction().getAsLong() > other.transaction().getAsLong());
    }

    /** Whether DDL is known that one of the snapshots may not show. */
    private boolean ddlBehind(int index) {
        JournalPosition after = snapshots.get(index).after();
        return ddl.commits().stream().anyMatch(commit -> !commit.position().isBefore(after));
    }

    private void lookAhead() {
        lookedAhead = lookahead.scan(this);
    }

    private boolean isStale() {
        return live.isPresent() && (!everRead || ddlSinceRead);
    }

    /** The snapshots with what can be told of the time of those that do not say it. */
    private List<Snapshot> placed() {
        if (placed.isEmpty()) {
            JournalPosition earliest = JournalPosition.START;
            for (Snapshot snapshot : snapshots) {
                Snapshot its = snapshot.placed(ddl, snapshots, earliest);
                earliest = its.after();
                placed.add(its);
            }
        }
        return placed;
    }

    private TableHistory history(ObjectName name) {
        return tables.computeIfAbsent(name, n -> {
            List<Step> steps = ddl.steps(n, snapshots);
            List<Sight> sights = placed().stream()
                    .map(snapshot -> snapshot.sight(n, steps, ddl))
                    .toList();
            return TableHistory.of(n, steps, sights);
        });
    }

    // ------------------------------------------------------------------ images

    @Override
    public synchronized Resolution resolve(ImageContext image) {
        takeFiles();
        if (!lookedAhead) {
            lookAhead();
        }
        TableHistory.Answer answer = history(image.table()).resolve(image);
        for (int attempt = 0; attempt < 2 && mustAsk(answer, attempt); attempt++) {
            read();
            answer = history(image.table()).resolve(image);
        }
        if (answer instanceof TableHistory.Found found) {
            return new Resolution(version(image, found.version()), found.until());
        }
        if (answer instanceof TableHistory.Ahead) {
            throw new MetadataException("table " + image.table() + " at " + image.position()
                    + ": the database has been changed by DDL that is not in any complete segment yet, so what the table"
                    + " was like here is not known. The record is read as soon as that segment is archived");
        }
        TableHistory.NotFound unknown = (TableHistory.NotFound) answer;
        throw new UnknownFormatException(unknown.problem(), unknown.advice());
    }

    private boolean mustAsk(TableHistory.Answer answer, int attempt) {
        if (live.isEmpty()) {
            return false;
        }
        if (answer instanceof TableHistory.Found found) {
            return !(found.version().names() && found.version().keyKnown()) && isStale();
        }
        boolean again = System.nanoTime() - lastReadNanos > ASK_AGAIN_NANOS;
        return isStale() || attempt == 0 && (!everRead || again);
    }

    private TableVersion version(ImageContext image, TableHistory.Described described) {
        return built.computeIfAbsent(described, d -> build(image, d));
    }

    private TableVersion build(ImageContext image, TableHistory.Described described) {
        TableVersion version = described.table().version(described.format(), described.key());
        if (!described.names() && reported.add("names " + version)) {
            LOG.warn(
                    "{}: DDL on table {} was not understood; the names of columns up to {} are those of the nearest catalog",
                    image.position(),
                    image.table(),
                    version);
        }
        if (!described.orderKnown() && reported.add("order " + version)) {
            LOG.warn(
                    "{}: the order of the columns of {} then is not known; events have them as {}",
                    image.position(),
                    version,
                    version.columns().stream().map(VersionColumn::name).toList());
        }
        if (!described.keyKnown() && reported.add("key " + version)) {
            LOG.warn(
                    "{}: the key of {} then is not known; events carry {}",
                    image.position(),
                    version,
                    version.key().isEmpty()
                            ? "none"
                            : "the later one "
                                    + version.key().stream()
                                            .map(VersionColumn::name)
                                            .toList());
        }
        return versions.computeIfAbsent(
                new VersionId(
                        version.table(), version.relationId(), version.format(), version.columns(), version.key()),
                id -> version);
    }

    // ------------------------------------------------------------------ DDL events

    @Override
    public synchronized Optional<ChangedTable> changedTable(JournalPosition statement, JournalPosition commit) {
        takeFiles();
        Optional<Ddl> change = ddl.at(commit).stream()
                .flatMap(c -> c.statements().stream())
                .filter(s -> s.source().position().equals(statement))
                .flatMap(s -> s.parsed().stream())
                .findFirst();
        Optional<ChangedTable.Kind> kind = change.flatMap(SchemaHistory::kind);
        if (kind.isEmpty()) {
            return Optional.empty();
        }
        ObjectName name = ddl.tableOf(commit, statement, snapshots).orElseThrow();
        if (kind.get() == ChangedTable.Kind.DROP) {
            return Optional.of(new ChangedTable(name, kind.get(), Optional.empty()));
        }
        Optional<TableHistory.Described> after = history(name).behind(statement, commit);
        if (after.isEmpty() && isStale()) {
            read();
            after = history(name).behind(statement, commit);
        }
        return Optional.of(new ChangedTable(name, kind.get(), after.map(TableHistory.Described::table)));
    }

    private static Optional<ChangedTable.Kind> kind(Ddl change) {
        if (change instanceof Ddl.CreateTable) {
            return Optional.of(ChangedTable.Kind.CREATE);
        }
        if (change instanceof Ddl.AlterTable) {
            return Optional.of(ChangedTable.Kind.ALTER);
        }
        return change instanceof Ddl.DropTable ? Optional.of(ChangedTable.Kind.DROP) : Optional.empty();
    }

    // ------------------------------------------------------------------ keeping

    /**
     * The history as a document.
     *
     * @return empty if nothing has changed since {@link #saved()}
     */
    public synchronized Optional<byte[]> toSave() {
        return dirty && guid.isPresent()
                ? Optional.of(HistoryJson.write(new HistoryJson.Content(
                        guid.get(),
                        ddl.highestTransaction(),
                        List.copyOf(summedUp),
                        List.copyOf(snapshots),
                        List.copyOf(ddl.commits()))))
                : Optional.empty();
    }

    /** What {@link #toSave()} gave is safe. */
    public synchronized void saved() {
        dirty = false;
    }

    /**
     * Nothing before a position will be read again: what happened up to there is summed up, if that can be done with
     * certainty, as soon as it is much.
     */
    public synchronized void forget(JournalPosition before) {
        boolean much = ddl.commits().stream()
                        .filter(commit -> commit.position().isBefore(before))
                        .count()
                >= 2 * KEPT_COMMITS;
        if (much) {
            ddl.border(before, KEPT_COMMITS, placed()).ifPresent(this::sumUp);
        }
    }

    private void sumUp(JournalPosition border) {
        Set<ObjectName> names = new HashSet<>();
        Set<String> schemas = new HashSet<>();
        for (Snapshot snapshot : snapshots) {
            names.addAll(snapshot.tables().keySet());
            schemas.addAll(snapshot.schemas());
        }
        List<Table> sum = new ArrayList<>();
        for (ObjectName name : names) {
            TableHistory history = history(name);
            Optional<TableHistory.Described> described = history.before(border);
            if (described.filter(TableHistory.Described::isCertain).isPresent()) {
                sum.add(described.get().table());
            } else if (!history.isAbsentBefore(border)) {
                LOG.debug("History up to {} is kept: table {} then is not certain", border, name);
                return;
            }
        }
        List<DdlCommit> all = List.copyOf(ddl.commits());
        int place = (int) all.stream()
                .filter(commit -> commit.position().isBefore(border))
                .count();
        List<Snapshot> later = new ArrayList<>();
        for (int i = 0; i < snapshots.size(); i++) {
            if (placed().get(i).among(all)[0] >= place) {
                later.add(snapshots.get(i));
            } else if (snapshots.get(i).before().isEmpty()) {
                summedUp.add(HistoryJson.digest(snapshots.get(i)));
            }
        }
        snapshots.clear();
        snapshots.add(Snapshot.at(border, sum, schemas));
        snapshots.addAll(later);
        ddl.forgetBefore(border);
        forgetAnswers();
        dirty = true;
    }
}
