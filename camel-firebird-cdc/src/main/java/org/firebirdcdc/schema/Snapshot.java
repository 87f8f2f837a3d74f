package org.firebirdcdc.schema;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import org.firebirdcdc.journal.JournalPosition;
import org.firebirdcdc.journal.ObjectName;

/**
 * The tables as a catalog saw them, and what is known of when that was.
 *
 * @param tables      tables by name
 * @param schemas     names of schemas; empty before Firebird 6
 * @param after       everything that was committed before this position is in it; {@link JournalPosition#START} if nothing
 *                    is known
 * @param before      nothing that was committed at or behind this position is in it; empty if nothing is known
 * @param transaction number of the transaction that read it: nothing of greater ones is in it
 */
record Snapshot(
        Map<ObjectName, Table> tables,
        Set<String> schemas,
        JournalPosition after,
        Optional<JournalPosition> before,
        OptionalLong transaction) {

    static Snapshot of(Catalog catalog) {
        Optional<CatalogMoment> moment = catalog.moment();
        return new Snapshot(
                catalog.tables(),
                Set.copyOf(catalog.schemas()),
                // the last commits of a segment may become visible a moment after the next one has begun
                moment.map(m -> new JournalPosition(Math.max(0, m.firstSegment() - 1), 0))
                        .orElse(JournalPosition.START),
                moment.map(m -> new JournalPosition(m.lastSegment() + 1, 0)),
                moment.map(m -> OptionalLong.of(m.transaction())).orElse(OptionalLong.empty()));
    }

    /** The same, known to be younger than a position. */
    Snapshot takenAfter(JournalPosition position) {
        return after.isBefore(position) ? new Snapshot(tables, schemas, position, before, transaction) : this;
    }

    /** Tables as they are at a position, worked out from what is known. */
    static Snapshot at(JournalPosition position, Collection<Table> tables, Set<String> schemas) {
        Map<ObjectName, Table> byName = new LinkedHashMap<>();
        tables.forEach(table -> byName.put(table.name(), table));
        return new Snapshot(byName, schemas, position, Optional.of(position), OptionalLong.empty());
    }

    boolean shows(Snapshot other) {
        return tables.equals(other.tables) && schemas.equals(other.schemas);
    }

    /** Whether the other one is the same in all that is known of it. */
    boolean isLike(Snapshot other) {
        return shows(other)
                && after.equals(other.after)
                && before.equals(other.before)
                && transaction.equals(other.transaction);
    }

    /** The same, with what it has in common with an older one held once. */
    Snapshot sharing(Snapshot older) {
        Map<ObjectName, Table> shared = new LinkedHashMap<>();
        tables.forEach((name, table) -> {
            Table known = older.tables.get(name);
            if (table.equals(known)) {
                shared.put(name, known);
            } else if (known != null && known.relationId() == table.relationId()) {
                shared.put(
                        name,
                        table.withFormats(table.formats().stream()
                                .map(format -> known.format(format.number())
                                        .filter(format::equals)
                                        .orElse(format))
                                .toList()));
            } else {
                shared.put(name, table);
            }
        });
        return new Snapshot(shared, schemas, after, before, transaction);
    }

    /** How a table can lie among the changes of it. */
    Sight sight(ObjectName name, List<Step> steps, DdlTimeline all) {
        int lowest = count(steps, after);
        int highest = before.map(end -> count(steps, end)).orElse(steps.size());
        for (int i = 0; i < steps.size(); i++) {
            if (transaction.isPresent() && steps.get(i).transaction() > transaction.getAsLong()) {
                highest = Math.min(highest, i);
            }
        }
        Optional<Table> table = Optional.ofNullable(tables.get(name));
        Set<Long> makers = table.map(Table::transactions).orElse(Set.of());
        if (makers.isEmpty()) {
            return new Sight(table, lowest, Math.max(lowest, highest), highest == steps.size(), after);
        }
        if (all.areAhead(makers)) {
            return new Sight(table, steps.size() + 1, steps.size() + 1, true, after);
        }
        JournalPosition last = all.lastOf(makers);
        lowest = Math.max(lowest, (int) steps.stream()
                .filter(step -> step.commit().compareTo(last) <= 0)
                .count());
        for (int i = lowest; i < steps.size(); i++) {
            boolean shows = leavesTrace(steps.get(i)) && !isWipedOut(steps, i);
            if (shows && !makers.contains(steps.get(i).transaction())) {
                highest = Math.min(highest, i);
            }
        }
        return new Sight(table, lowest, Math.max(lowest, highest), false, after);
    }

    /**
     * Where in the journal it can have been taken, if it does not tell itself: by the names of columns, domains and tables
     * in it.
     *
     * @param earliest place of the one before it
     */
    Snapshot placed(DdlTimeline ddl, List<Snapshot> all, JournalPosition earliest) {
        if (before.isPresent()) {
            return this;
        }
        JournalPosition from = earliest.isBefore(after) ? after : earliest;
        Optional<JournalPosition> until = Optional.empty();
        for (ObjectName name : ddl.tables(all)) {
            List<Step> steps = ddl.steps(name, all);
            Sight free = new Sight(Optional.ofNullable(tables.get(name)), 0, steps.size(), true, JournalPosition.START);
            int first = 0;
            while (first < steps.size() && !NameCheck.fits(free, steps, first, steps.size())) {
                first++;
            }
            int last = steps.size();
            while (last > first && !NameCheck.fits(free, steps, last, steps.size())) {
                last--;
            }
            if (first > 0 && from.compareTo(steps.get(first - 1).commit()) <= 0) {
                JournalPosition commit = steps.get(first - 1).commit();
                from = new JournalPosition(commit.segment(), commit.offset() + 1);
            }
            if (last < steps.size()
                    && until.map(steps.get(last).commit()::isBefore).orElse(true)) {
                until = Optional.of(steps.get(last).commit());
            }
        }
        return until.map(from::compareTo).orElse(-1) > 0
                ? this
                : new Snapshot(tables, schemas, from, until, transaction);
    }

    /** How many of all commits it shows at least, and at most. */
    int[] among(List<DdlCommit> commits) {
        int lowest = 0;
        int highest = commits.size();
        for (int i = commits.size() - 1; i >= 0; i--) {
            DdlCommit commit = commits.get(i);
            if (lowest == 0 && commit.position().isBefore(after)) {
                lowest = i + 1;
            }
            boolean excluded = before.isPresent() && !commit.position().isBefore(before.get())
                    || transaction.isPresent() && commit.transaction() > transaction.getAsLong();
            if (excluded) {
                highest = i;
            }
        }
        return new int[] {lowest, Math.max(lowest, highest)};
    }

    private static int count(List<Step> steps, JournalPosition position) {
        return (int)
                steps.stream().filter(step -> step.commit().isBefore(position)).count();
    }

    /** Whether the change, if it was the last one, shows in a row of the system tables. */
    private static boolean leavesTrace(Step step) {
        Ddl last = step.changes().get(step.changes().size() - 1);
        if (last instanceof Ddl.CreateTable create) {
            return !create.conditional();
        }
        return last instanceof Ddl.AlterTable alter && alter.clauses().stream().anyMatch(Snapshot::leavesTrace);
    }

    /** Whether the only traces of a step are those of keys, and a later one, which leaves none, may have dropped these. */
    private static boolean isWipedOut(List<Step> steps, int index) {
        boolean keysOnly =
                clauses(steps.get(index)).filter(Snapshot::leavesTrace).allMatch(Ddl.AddKey.class::isInstance);
        return keysOnly
                && steps.subList(index + 1, steps.size()).stream()
                        .flatMap(Snapshot::clauses)
                        .anyMatch(Ddl.DropConstraint.class::isInstance);
    }

    private static Stream<Ddl.Clause> clauses(Step step) {
        return step.changes().stream()
                .filter(Ddl.AlterTable.class::isInstance)
                .flatMap(change -> ((Ddl.AlterTable) change).clauses().stream());
    }

    private static boolean leavesTrace(Ddl.Clause clause) {
        return clause instanceof Ddl.AddColumn add && !add.conditional()
                || clause instanceof Ddl.DropColumn drop && !drop.conditional()
                || clause instanceof Ddl.RenameColumn
                || clause instanceof Ddl.AddKey key && key.unless() == Ddl.Unless.NOTHING;
    }
}
