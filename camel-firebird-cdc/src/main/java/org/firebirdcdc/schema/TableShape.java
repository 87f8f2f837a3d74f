package org.firebirdcdc.schema;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Names, order and keys of a table's columns at one moment, as far as they are known. Follows DDL statements forwards and
 * backwards.
 *
 * @param slots      columns in the order of {@code SELECT *}
 * @param ordered    whether that order is known
 * @param primaryKey primary key
 * @param uniqueKeys UNIQUE constraints; a name that the server chose is empty
 * @param indices    indices, as far as they can be keys
 * @param keyCertain whether what statements did to primary key, constraints and indices is certain
 * @param lost       names of constraints and indices of which nothing more is known than that they can be there: they are
 *                   dropped, built anew or made unless they are there
 * @param lostColumns columns that are dropped later: a key of such a column alone goes with it
 * @param noPrimaryKey whether it is certain that there is no primary key, whatever else is not
 */
record TableShape(
        List<Slot> slots,
        boolean ordered,
        Optional<Key> primaryKey,
        List<Key> uniqueKeys,
        List<Index> indices,
        boolean keyCertain,
        Set<String> lost,
        Set<String> lostColumns,
        boolean noPrimaryKey) {

    private static final int PENDING = -1;
    private static final String CHOSEN_BY_SERVER = "INTEG_";
    private static final String INDEX_CHOSEN_BY_SERVER = "RDB$";

    /**
     * A column.
     *
     * @param id       field id
     * @param name     empty if not known
     * @param nullable empty if not known
     * @param domain   domain or type; empty if not known
     */
    record Slot(int id, Optional<String> name, Optional<Boolean> nullable, Optional<String> domain) {

        /** Whether it is nullable if it does not say NOT NULL itself: a domain can still say so. */
        Optional<Boolean> withoutNotNull() {
            return isPlain() ? Optional.of(true) : Optional.empty();
        }

        /** NULL or not is said by the column alone, not by a domain. */
        boolean isPlain() {
            return domain.filter(type -> type.startsWith("RDB$") || SqlTypes.isType(type))
                    .isPresent();
        }

        boolean is(String columnName) {
            return name.filter(columnName::equals).isPresent();
        }

        Slot withId(int fieldId) {
            return new Slot(fieldId, name, nullable, domain);
        }

        Slot withName(Optional<String> columnName) {
            return new Slot(id, columnName, nullable, domain);
        }

        Slot withNullable(Optional<Boolean> isNullable) {
            return new Slot(id, name, isNullable, domain);
        }

        Slot withDomain(Optional<String> columnDomain) {
            return new Slot(id, name, nullable, columnDomain);
        }
    }

    TableShape {
        slots = List.copyOf(slots);
        uniqueKeys = List.copyOf(uniqueKeys);
        indices = List.copyOf(indices);
        lost = Set.copyOf(lost);
        lostColumns = Set.copyOf(lostColumns);
    }

    /** Whether the key is known. Where there is a primary key, others do not matter. */
    boolean keyKnown() {
        return keyCertain && (primaryKey.isPresent() || lost.isEmpty() && lostColumns.isEmpty() && isChoiceKnown());
    }

    /** Columns of the key, as {@link Table#key} has them. */
    private List<String> key() {
        return Key.choose(primaryKey, uniqueKeys, indices, columns -> nullable(columns).stream()
                .allMatch(nullable -> nullable.equals(Optional.of(false))));
    }

    /** Whether NOT NULL and names tell which of the unique keys and indices comes first (see {@link Table#key}). */
    private boolean isChoiceKnown() {
        List<List<String>> candidates = Key.candidates(uniqueKeys, indices);
        for (int i = 0; i < candidates.size(); i++) {
            List<Optional<Boolean>> nullable = nullable(candidates.get(i));
            if (nullable.contains(Optional.of(true))) {
                continue;
            }
            boolean unnamed = i < uniqueKeys.size() && uniqueKeys.get(i).name().isEmpty();
            List<String> columns = candidates.get(i);
            boolean otherUnnamed = unnamed
                    && uniqueKeys.stream()
                            .filter(key ->
                                    key.name().isEmpty() && !key.columns().equals(columns))
                            .anyMatch(key -> !nullable(key.columns()).contains(Optional.of(true)));
            return !otherUnnamed && !nullable.contains(Optional.<Boolean>empty());
        }
        return true;
    }

    private List<Optional<Boolean>> nullable(List<String> columns) {
        return columns.stream()
                .map(column -> slots.stream()
                        .filter(slot -> slot.is(column))
                        .findFirst()
                        .flatMap(Slot::nullable))
                .toList();
    }

    static TableShape of(Table table) {
        return new TableShape(
                table.columns().stream()
                        .map(column -> new Slot(
                                column.fieldId(),
                                Optional.of(column.name()),
                                Optional.of(column.nullable()),
                                Optional.of(column.domain())))
                        .toList(),
                true,
                table.primaryKey(),
                table.uniqueKeys(),
                table.indices(),
                true,
                Set.of(),
                Set.of(),
                table.primaryKey().isEmpty());
    }

    /**
     * A table as its CREATE statement describes it, behind some more changes.
     *
     * @param changes changes behind the creation that come into force together with it
     * @param first   record format behind them, if known
     * @return empty if the text does not tell the columns, or if the changes cannot be followed
     */
    static Optional<TableShape> of(Ddl.CreateTable text, List<Ddl> changes, Optional<RecordFormat> first) {
        return text.columns()
                .map(columns -> {
                    Draft draft = new Draft();
                    columns.forEach(column -> draft.slots.add(slot(PENDING, column)));
                    text.constraints().forEach(draft::addKey);
                    return draft.shape();
                })
                .flatMap(shape -> shape.after(changes, first));
    }

    private static Slot slot(int id, Ddl.ColumnText column) {
        Slot slot = new Slot(id, Optional.of(column.name()), Optional.of(false), column.type());
        return column.notNull()
                ? slot
                : slot.withNullable(column.computed() ? Optional.empty() : slot.withoutNotNull());
    }

    Set<Integer> ids() {
        return slots.stream().map(Slot::id).collect(Collectors.toCollection(TreeSet::new));
    }

    /** What is not known here is taken from another picture of the same moment. */
    TableShape completedBy(TableShape other) {
        Map<Integer, Slot> others = other.slots.stream().collect(Collectors.toMap(Slot::id, slot -> slot));
        List<Slot> merged = new ArrayList<>();
        for (Slot slot : ordered || !other.ordered || !other.ids().equals(ids()) ? slots : other.slots) {
            Slot mine =
                    slots.stream().filter(s -> s.id() == slot.id()).findFirst().orElse(slot);
            Slot its = others.getOrDefault(slot.id(), mine);
            merged.add(new Slot(
                    mine.id(),
                    mine.name().or(its::name),
                    mine.nullable().or(its::nullable),
                    mine.domain().or(its::domain)));
        }
        boolean betterKeys = other.keyKnown() || other.noPrimaryKey && primaryKey.isPresent();
        TableShape keys = keyKnown() || !betterKeys ? this : other;
        return new TableShape(
                merged,
                ordered || other.ordered && other.ids().equals(ids()),
                keys.primaryKey,
                keys.uniqueKeys,
                keys.indices,
                keys.keyCertain,
                keys.lost,
                keys.lostColumns,
                keys.noPrimaryKey);
    }

    /**
     * The shape behind some changes.
     *
     * @param changes changes that neither create nor drop the table
     * @param next    record format behind them, if known
     * @return empty if they cannot be followed
     */
    Optional<TableShape> after(List<Ddl> changes, Optional<RecordFormat> next) {
        Draft draft = new Draft(this);
        for (Ddl change : changes) {
            if (!draft.apply(change)) {
                return Optional.empty();
            }
        }
        return draft.identify(next, this) ? Optional.of(draft.shape()) : Optional.empty();
    }

    /**
     * The shape before some changes.
     *
     * @param changes  changes that neither create nor drop the table
     * @param previous record format before them, if known
     * @param hint     what else is known of the shape before them
     * @return empty if they cannot be followed
     */
    Optional<TableShape> before(List<Ddl> changes, Optional<RecordFormat> previous, Optional<TableShape> hint) {
        Draft draft = new Draft(this);
        for (int i = changes.size() - 1; i >= 0; i--) {
            if (!draft.undo(changes.get(i))) {
                return Optional.empty();
            }
        }
        return draft.identifyRestored(previous, hint) ? Optional.of(draft.shape()) : Optional.empty();
    }

    /** A shape in the making. */
    private static final class Draft {

        private final List<Slot> slots = new ArrayList<>();
        private boolean ordered = true;
        private Optional<Key> primaryKey = Optional.empty();
        private final List<Key> uniqueKeys = new ArrayList<>();
        private final List<Index> indices = new ArrayList<>();
        private boolean keyCertain = true;
        private final Set<String> lost = new TreeSet<>();
        private final Set<String> lostColumns = new TreeSet<>();
        private boolean noPrimaryKey = true;
        /** Columns that ADD IF NOT EXISTS found. */
        private final Set<String> found = new HashSet<>();
        /** A new column has been put somewhere else than at the end. */
        private boolean newMoved;
        /** A column that has been dropped is still among those without name. */
        private boolean tooMany;

        Draft() {}

        Draft(TableShape shape) {
            slots.addAll(shape.slots);
            ordered = shape.ordered;
            primaryKey = shape.primaryKey;
            uniqueKeys.addAll(shape.uniqueKeys);
            indices.addAll(shape.indices);
            keyCertain = shape.keyCertain;
            lost.addAll(shape.lost);
            lostColumns.addAll(shape.lostColumns);
            noPrimaryKey = shape.noPrimaryKey;
        }

        TableShape shape() {
            // as a catalog shows them, by name; to unnamed ones the server gives names like INTEG_12
            uniqueKeys.sort(Comparator.comparing(key -> key.name().isEmpty() ? CHOSEN_BY_SERVER : key.name()));
            indices.sort(Comparator.comparing(Index::name));
            return new TableShape(
                    slots, ordered, primaryKey, uniqueKeys, indices, keyCertain, lost, lostColumns, noPrimaryKey);
        }

        private int find(String name) {
            for (int i = 0; i < slots.size(); i++) {
                if (slots.get(i).is(name)) {
                    return i;
                }
            }
            return -1;
        }

        private boolean hasUnnamed() {
            return slots.stream().anyMatch(slot -> slot.name().isEmpty());
        }

        // -------------------------------------------------------------- forwards

        /** False if it cannot be followed. */
        boolean apply(Ddl change) {
            if (change instanceof Ddl.AlterTable alter) {
                for (Ddl.Clause clause : alter.clauses()) {
                    if (!apply(clause)) {
                        return false;
                    }
                }
            } else if (change instanceof Ddl.AlterDomain domain) {
                apply(domain);
            } else if (change instanceof Ddl.CreateIndex index) {
                if (!index.conditional()) {
                    indices.add(index.index());
                } else if (indexOf(index.index().name()) < 0) {
                    // an index of another table can have the name
                    indices.add(index.index());
                    loseIfUnique(index.index().name());
                }
            } else if (change instanceof Ddl.DropIndex index) {
                indices.removeIf(i -> i.name().equals(index.index().name()));
                lost.remove(index.index().name());
            } else if (change instanceof Ddl.AlterIndex index) {
                indices.replaceAll(i -> i.name().equals(index.index().name()) ? active(i, index.active()) : i);
            }
            return true;
        }

        private int indexOf(String name) {
            for (int i = 0; i < indices.size(); i++) {
                if (indices.get(i).name().equals(name)) {
                    return i;
                }
            }
            return -1;
        }

        private static Index active(Index index, boolean active) {
            return new Index(
                    index.name(),
                    index.unique(),
                    active,
                    index.descending(),
                    index.columns(),
                    index.expression(),
                    index.condition());
        }

        private void apply(Ddl.AlterDomain change) {
            String domain = change.domain().name();
            slots.replaceAll(slot -> {
                if (slot.domain().filter(domain::equals).isEmpty()) {
                    return slot;
                }
                Slot changed = change.nullable().isPresent() ? slot.withNullable(Optional.empty()) : slot;
                return change.renamedTo().isPresent() ? changed.withDomain(change.renamedTo()) : changed;
            });
        }

        private boolean apply(Ddl.Clause clause) {
            if (clause instanceof Ddl.AddColumn add) {
                if (find(add.column().name()) < 0) {
                    slots.add(slot(PENDING, add.column()));
                    return true;
                }
                found.add(add.column().name());
                return add.conditional();
            }
            if (clause instanceof Ddl.DropColumn drop) {
                int at = find(drop.column());
                if (at >= 0) {
                    slots.remove(at);
                    lostColumns.remove(drop.column());
                    primaryKey = primaryKey.filter(key -> !key.columns().contains(drop.column()));
                    uniqueKeys.removeIf(key -> key.columns().contains(drop.column()));
                    indices.removeIf(index -> index.columns().contains(drop.column()));
                }
                tooMany |= at < 0;
                // a column without name may be meant: the formats tell which one is gone
                return at >= 0 || drop.conditional() || hasUnnamed();
            }
            if (clause instanceof Ddl.RenameColumn rename) {
                return rename(rename.from(), rename.to());
            }
            if (clause instanceof Ddl.MoveColumn move) {
                int at = find(move.column());
                if (at < 0) {
                    ordered = false;
                    return hasUnnamed();
                }
                Slot moved = slots.remove(at);
                newMoved |= moved.id() == PENDING;
                slots.add(Math.max(0, Math.min(slots.size(), move.position() - 1)), moved);
                return true;
            }
            if (clause instanceof Ddl.RetypeColumn retype) {
                return change(retype.column(), slot -> retyped(slot, retype.type()));
            }
            if (clause instanceof Ddl.SetNullable nullable) {
                return change(
                        nullable.column(),
                        slot -> slot.withNullable(nullable.nullable() ? slot.withoutNotNull() : Optional.of(false)));
            }
            if (clause instanceof Ddl.AddKey add) {
                addKey(add);
                return true;
            }
            if (clause instanceof Ddl.DropConstraint drop) {
                dropConstraint(drop.name());
                return true;
            }
            return clause instanceof Ddl.NoEffect;
        }

        /** NOT NULL of the column itself stays, that of its old domain goes, that of its new one comes. */
        private static Slot retyped(Slot slot, Optional<String> type) {
            Slot changed = slot.withDomain(type);
            boolean stays =
                    slot.isPlain() && (changed.isPlain() || slot.nullable().equals(Optional.of(false)));
            return stays ? changed : changed.withNullable(Optional.empty());
        }

        private void addKey(Ddl.AddKey add) {
            boolean known = isKeyName(add.key().name()) || add.key().primary() && primaryKey.isPresent();
            switch (add.unless()) {
                case NOTHING -> addKey(add.key());
                case COLUMN -> {
                    if (!found.contains(add.key().columns().get(0))) {
                        addKey(add.key());
                    }
                }
                case CONSTRAINT -> {
                    if (!known) {
                        // a constraint of another kind or of another table can have the name
                        addKey(add.key());
                        keyCertain = false;
                    }
                }
            }
        }

        private boolean isKeyName(Optional<String> name) {
            return Stream.concat(primaryKey.stream(), uniqueKeys.stream())
                    .anyMatch(key -> name.filter(key.name()::equals).isPresent());
        }

        private boolean change(String column, java.util.function.UnaryOperator<Slot> how) {
            int at = find(column);
            if (at >= 0) {
                slots.set(at, how.apply(slots.get(at)));
            }
            return at >= 0 || hasUnnamed();
        }

        private boolean rename(String from, String to) {
            int at = find(from);
            if (at < 0) {
                List<Slot> unnamed =
                        slots.stream().filter(slot -> slot.name().isEmpty()).toList();
                if (unnamed.size() == 1) {
                    at = slots.indexOf(unnamed.get(0));
                } else {
                    return !unnamed.isEmpty();
                }
            }
            if (find(to) >= 0) {
                return false;
            }
            slots.set(at, slots.get(at).withName(Optional.of(to)));
            primaryKey = primaryKey.map(key -> renamed(key, from, to));
            uniqueKeys.replaceAll(key -> renamed(key, from, to));
            if (lostColumns.remove(from)) {
                lostColumns.add(to);
            }
            indices.replaceAll(index -> new Index(
                    index.name(),
                    index.unique(),
                    index.active(),
                    index.descending(),
                    renamed(index.columns(), from, to),
                    index.expression(),
                    index.condition()));
            return true;
        }

        private static Key renamed(Key key, String from, String to) {
            return new Key(key.name(), renamed(key.columns(), from, to));
        }

        private static List<String> renamed(List<String> names, String from, String to) {
            return names.stream().map(name -> name.equals(from) ? to : name).toList();
        }

        void addKey(Ddl.KeyText text) {
            Key key = new Key(text.name().orElse(""), text.columns());
            if (text.primary()) {
                // there can be only one: an unnamed one that was there has been dropped under the server's name
                primaryKey.ifPresent(this::removeIndexOf);
                primaryKey = Optional.of(key);
                noPrimaryKey = false;
                keyCertain = true;
                text.columns().forEach(column -> change(column, slot -> slot.withNullable(Optional.of(false))));
            } else {
                uniqueKeys.add(key);
            }
            String index = text.name().orElse(INDEX_CHOSEN_BY_SERVER);
            indices.add(new Index(index, true, true, false, text.columns(), Optional.empty(), Optional.empty()));
        }

        private void dropConstraint(String name) {
            lost.remove(name);
            Optional<Key> dropped = primaryKey.filter(key -> key.name().equals(name));
            if (dropped.isPresent()) {
                primaryKey = Optional.empty();
            } else {
                dropped = uniqueKeys.stream()
                        .filter(key -> key.name().equals(name))
                        .findFirst();
                dropped.ifPresent(uniqueKeys::remove);
            }
            if (dropped.isPresent()) {
                removeIndexOf(dropped.get());
            } else {
                boolean unnamed = primaryKey.filter(key -> key.name().isEmpty()).isPresent()
                        || uniqueKeys.stream().anyMatch(key -> key.name().isEmpty());
                keyCertain &= !(unnamed && isChosenByServer(name));
                if (isChosenByServer(name)) {
                    // it may have been a NOT NULL
                    slots.replaceAll(
                            slot -> isOfPrimaryKey(slot) || slot.nullable().equals(Optional.of(true))
                                    ? slot
                                    : slot.withNullable(Optional.empty()));
                }
            }
        }

        private boolean isOfPrimaryKey(Slot slot) {
            return primaryKey
                    .filter(key -> key.columns().stream().anyMatch(slot::is))
                    .isPresent();
        }

        /**
         * The index behind a constraint: of the same name, of one that the server chose, or of any other one that USING
         * INDEX gave it.
         */
        private void removeIndexOf(Key key) {
            List<Index> possible = indices.stream()
                    .filter(index -> index.unique() && index.columns().equals(key.columns()))
                    .toList();
            List<Index> likely = possible.stream()
                    .filter(index ->
                            index.name().equals(key.name()) || index.name().startsWith(INDEX_CHOSEN_BY_SERVER))
                    .toList();
            (likely.isEmpty() ? possible : likely).stream().findFirst().ifPresent(indices::remove);
            keyCertain &= !likely.isEmpty() || possible.size() < 2;
        }

        private static boolean isChosenByServer(String name) {
            return name.startsWith(CHOSEN_BY_SERVER);
        }

        /**
         * Gives new columns their ids, in the order of their positions (segment-format.md 8.4), and removes what the format
         * does not have; false if that does not come out even.
         */
        boolean identify(Optional<RecordFormat> next, TableShape before) {
            if (newMoved && tooMany) {
                return false;
            }
            if (next.isEmpty()) {
                int id = before.slots.stream().mapToInt(Slot::id).max().orElse(-1) + 1;
                for (int i = 0; i < slots.size(); i++) {
                    if (slots.get(i).id() == PENDING) {
                        slots.set(i, slots.get(i).withId(id++));
                    }
                }
                return true;
            }
            Set<Integer> present = idsOf(next.get());
            slots.removeIf(slot -> slot.id() != PENDING && slot.name().isEmpty() && !present.contains(slot.id()));
            List<Integer> fresh = new ArrayList<>(present);
            slots.forEach(slot -> fresh.remove((Integer) slot.id()));
            int used = 0;
            for (Slot slot : List.copyOf(slots)) {
                if (slot.id() == PENDING) {
                    if (used == fresh.size()) {
                        return false;
                    }
                    slots.set(slots.indexOf(slot), slot.withId(fresh.get(used++)));
                }
            }
            return used == fresh.size() && slots.stream().allMatch(slot -> present.contains(slot.id()));
        }

        // -------------------------------------------------------------- backwards

        boolean undo(Ddl change) {
            if (change instanceof Ddl.AlterTable alter) {
                for (int i = alter.clauses().size() - 1; i >= 0; i--) {
                    if (!undo(alter.clauses().get(i))) {
                        return false;
                    }
                }
            } else if (change instanceof Ddl.AlterDomain domain) {
                undo(domain);
            } else if (change instanceof Ddl.CreateIndex index) {
                if (index.conditional()) {
                    loseIfUnique(index.index().name());
                } else {
                    indices.removeIf(i -> i.name().equals(index.index().name()));
                    lost.remove(index.index().name());
                }
            } else if (change instanceof Ddl.DropIndex index) {
                lost.add(index.index().name());
            } else if (change instanceof Ddl.AlterIndex index) {
                // ACTIVE is said of active ones, too: it builds them anew
                indices.replaceAll(i -> i.name().equals(index.index().name()) ? active(i, true) : i);
                loseIfUnique(index.index().name());
            }
            return true;
        }

        /** Whether the index is there or active is not known, which matters if it can be a key. */
        private void loseIfUnique(String name) {
            int at = indexOf(name);
            if (at >= 0 && active(indices.get(at), true).distinguishesRows()) {
                lost.add(name);
            }
        }

        private void undo(Ddl.AlterDomain change) {
            String domain = change.renamedTo().orElse(change.domain().name());
            slots.replaceAll(slot -> {
                if (slot.domain().filter(domain::equals).isEmpty()) {
                    return slot;
                }
                Slot changed = change.nullable().isPresent() ? slot.withNullable(Optional.empty()) : slot;
                return changed.withDomain(Optional.of(change.domain().name()));
            });
        }

        private boolean undo(Ddl.Clause clause) {
            if (clause instanceof Ddl.AddColumn add) {
                int at = find(add.column().name());
                if (at >= 0 && !add.conditional()) {
                    slots.remove(at);
                    lostColumns.remove(add.column().name());
                }
                // a column without name may be meant: the formats tell which one was not there
                return at >= 0 || hasUnnamed();
            }
            if (clause instanceof Ddl.DropColumn drop) {
                if (find(drop.column()) < 0) {
                    slots.add(new Slot(PENDING, Optional.of(drop.column()), Optional.empty(), Optional.empty()));
                    ordered = false;
                    lostColumns.add(drop.column());
                    noPrimaryKey = false;
                    return true;
                }
                return false;
            }
            if (clause instanceof Ddl.RenameColumn rename) {
                return find(rename.to()) >= 0 && rename(rename.to(), rename.from());
            }
            if (clause instanceof Ddl.MoveColumn) {
                ordered = false;
                return true;
            }
            if (clause instanceof Ddl.RetypeColumn retype) {
                return change(retype.column(), slot -> (slot.isPlain()
                                        && slot.nullable().equals(Optional.of(false))
                                ? slot
                                : slot.withNullable(Optional.empty()))
                        .withDomain(Optional.empty()));
            }
            if (clause instanceof Ddl.SetNullable nullable) {
                return change(nullable.column(), slot -> slot.withNullable(Optional.empty()));
            }
            if (clause instanceof Ddl.AddKey add) {
                if (add.unless() == Ddl.Unless.NOTHING) {
                    removeKey(add.key());
                } else {
                    keyCertain = false;
                }
                return true;
            }
            if (clause instanceof Ddl.DropConstraint drop) {
                lost.add(drop.name());
                noPrimaryKey = false;
                return true;
            }
            return clause instanceof Ddl.NoEffect;
        }

        private void removeKey(Ddl.KeyText text) {
            text.name().ifPresent(lost::remove);
            if (text.primary()) {
                if (primaryKey.isEmpty() && text.name().isEmpty()) {
                    findUnnamed();
                }
                primaryKey.ifPresent(this::removeIndexOf);
                primaryKey = Optional.empty();
                noPrimaryKey = true;
                return;
            }
            List<Key> gone = uniqueKeys.stream()
                    .filter(key -> text.name().map(key.name()::equals).orElseGet(() -> key.columns()
                            .equals(text.columns())))
                    .toList();
            gone.forEach(this::removeIndexOf);
            uniqueKeys.removeAll(gone);
        }

        /** A primary key to which the server gave a name was dropped under such a name: known if there is only one. */
        private void findUnnamed() {
            List<String> chosen = lost.stream().filter(Draft::isChosenByServer).toList();
            if (chosen.size() == 1) {
                lost.remove(chosen.get(0));
            }
        }

        /** Gives columns that were dropped their ids; those that remain uncertain lose their names. */
        boolean identifyRestored(Optional<RecordFormat> previous, Optional<TableShape> hint) {
            if (previous.isEmpty()) {
                return slots.stream().noneMatch(slot -> slot.id() == PENDING);
            }
            Set<Integer> present = idsOf(previous.get());
            // ADD IF NOT EXISTS may have done something or not
            slots.removeIf(slot -> slot.id() != PENDING && !present.contains(slot.id()));
            List<Integer> missing = new ArrayList<>(present);
            slots.forEach(slot -> missing.remove((Integer) slot.id()));
            List<Slot> restored = new ArrayList<>(
                    slots.stream().filter(slot -> slot.id() == PENDING).toList());
            slots.removeIf(slot -> slot.id() == PENDING);
            hint.ifPresent(known -> identifyBy(known, restored, missing));
            if (restored.size() == 1 && missing.size() == 1) {
                slots.add(restored.get(0).withId(missing.get(0)));
            } else {
                missing.forEach(id -> slots.add(new Slot(id, Optional.empty(), Optional.empty(), Optional.empty())));
            }
            return true;
        }

        private void identifyBy(TableShape known, List<Slot> restored, List<Integer> missing) {
            for (Slot slot : List.copyOf(restored)) {
                known.slots.stream()
                        .filter(its -> its.name().equals(slot.name()) && missing.contains(its.id()))
                        .findFirst()
                        .ifPresent(its -> {
                            slots.add(slot.withId(its.id()));
                            restored.remove(slot);
                            missing.remove((Integer) its.id());
                        });
            }
        }

        private static Set<Integer> idsOf(RecordFormat format) {
            return format.fields().stream().map(Field::id).collect(Collectors.toCollection(TreeSet::new));
        }
    }

    // ------------------------------------------------------------------ as a table

    /**
     * The shape as a table.
     *
     * @param like    tells schema, kind and publication
     * @param formats formats of the table's life up to the present one
     * @param current number of the present one
     * @param known   descriptions of columns of this life, those that matter most first
     */
    Table table(Table like, List<RecordFormat> formats, int current, List<Column> known) {
        Optional<RecordFormat> format =
                formats.stream().filter(f -> f.number() == current).findFirst();
        List<Column> columns = new ArrayList<>();
        for (Slot slot : slots) {
            if (slot.name().isPresent()) {
                describe(slot, format.flatMap(f -> f.field(slot.id())), known)
                        .map(column -> placed(column, columns.size(), slot))
                        .ifPresent(columns::add);
            }
        }
        return new Table(
                like.name(),
                like.relationId(),
                like.kind(),
                current,
                like.inPublication(),
                columns,
                primaryKey,
                uniqueKeys,
                indices,
                formats,
                Set.of());
    }

    private static Optional<Column> describe(Slot slot, Optional<Field> field, List<Column> known) {
        List<Column> same =
                known.stream().filter(column -> column.fieldId() == slot.id()).toList();
        Optional<Column> described = same.stream()
                .filter(column -> field.map(f -> sameType(f, column.field())).orElse(true))
                .findFirst();
        return described.or(() -> field.flatMap(TableShape::describe));
    }

    private static boolean sameType(Field one, Field other) {
        return one.type() == other.type()
                && one.scale() == other.scale()
                && one.length() == other.length()
                && one.subType() == other.subType()
                && one.flags() == other.flags();
    }

    /** A column that no catalog describes in this form; empty for arrays, whose elements nothing tells. */
    private static Optional<Column> describe(Field field) {
        if (field.type() == DataType.ARRAY) {
            return Optional.empty();
        }
        ValueType type = field.valueType();
        boolean text = field.type().isText() || field.type() == DataType.BLOB && type.subType() == ValueType.BLOB_TEXT;
        return Optional.of(new Column(
                0,
                field.id(),
                "",
                "",
                "",
                field.type(),
                type.subType(),
                field.type() == DataType.VARCHAR ? field.length() - 2 : field.length(),
                type.characterLength(),
                type.scale(),
                0,
                text
                        ? CharacterSet.of(type.charsetId())
                                .or(() -> Optional.of(new CharacterSet(type.charsetId(), "", 1)))
                        : Optional.empty(),
                text
                        ? Optional.of(new Collation(
                                (field.type().isText() ? field.subType() : field.flags()) >> 8 & 0xff, ""))
                        : Optional.empty(),
                true,
                !field.stored(),
                Optional.empty(),
                Optional.empty(),
                java.util.OptionalInt.empty(),
                Optional.empty(),
                List.of()));
    }

    private static Column placed(Column column, int position, Slot slot) {
        return new Column(
                position,
                column.fieldId(),
                slot.name().orElseThrow(),
                column.domain(),
                column.domainSchema(),
                column.fieldType(),
                column.subType(),
                column.length(),
                column.characterLength(),
                column.scale(),
                column.precision(),
                column.characterSet(),
                column.collation(),
                slot.nullable().orElse(true),
                column.computed(),
                column.computedSource(),
                column.defaultSource(),
                column.identityType(),
                column.generator(),
                column.bounds());
    }

    /** Names of columns that are known. */
    Set<String> names() {
        Set<String> names = new HashSet<>();
        slots.forEach(slot -> slot.name().ifPresent(names::add));
        return names;
    }

    /** Whether a catalog of the same moment would show the same. */
    boolean looksLike(TableShape other) {
        return names().equals(other.names())
                && (!ordered
                        || !other.ordered
                        || slots.stream()
                                .map(Slot::name)
                                .toList()
                                .equals(other.slots.stream().map(Slot::name).toList()))
                && (!keyKnown() || !other.keyKnown() || key().equals(other.key()))
                && slots.stream().allMatch(slot -> other.slots.stream()
                        .filter(its -> its.id() == slot.id())
                        .allMatch(its -> slot.nullable().isEmpty()
                                || its.nullable().isEmpty()
                                || Objects.equals(slot.nullable(), its.nullable())));
    }
}
