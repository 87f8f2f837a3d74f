package org.firebirdcdc.schema;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Whether the names that a catalog saw can have been there between two changes. */
final class NameCheck {

    private final Set<String> columns = new HashSet<>();
    private final Set<String> constraints = new HashSet<>();
    private final Set<String> domains = new HashSet<>();
    /** Columns in order, as long as nothing has been undone that changes it. */
    private Optional<List<String>> order;

    private boolean broken;
    /** A constraint of a column alone goes with it, and nothing names it then. */
    private boolean columnDropped;

    private NameCheck(Table table) {
        for (Column column : table.columns()) {
            columns.add(column.name());
            domains.add(column.domain());
        }
        order = Optional.of(table.columns().stream().map(Column::name).toList());
        table.primaryKey().ifPresent(key -> constraints.add(key.name()));
        table.uniqueKeys().forEach(key -> constraints.add(key.name()));
    }

    /**
     * @param place number of steps before the sight
     * @param limit steps to look at on either side
     */
    static boolean fits(Sight sight, List<Step> steps, int place, int limit) {
        if (sight.table().isEmpty()) {
            return fitsAbsent(steps, place);
        }
        NameCheck back = new NameCheck(sight.table().get());
        for (int i = place - 1; i >= Math.max(0, place - limit); i--) {
            if (!back.undo(steps.get(i).changes())) {
                break;
            }
        }
        NameCheck on = new NameCheck(sight.table().get());
        for (int i = place; i < Math.min(steps.size(), place + limit); i++) {
            if (!on.apply(steps.get(i).changes())) {
                break;
            }
        }
        return !back.broken && !on.broken;
    }

    private static boolean fitsAbsent(List<Step> steps, int place) {
        if (place > 0) {
            List<Ddl> before = steps.get(place - 1).changes();
            Ddl last = before.get(before.size() - 1);
            if (last instanceof Ddl.CreateTable || last instanceof Ddl.AlterTable) {
                return false;
            }
        }
        if (place < steps.size()) {
            Ddl first = steps.get(place).changes().get(0);
            return !(first instanceof Ddl.AlterTable || first instanceof Ddl.DropTable drop && !drop.conditional());
        }
        return true;
    }

    /** False if nothing can be said of what is before. */
    private boolean undo(List<Ddl> changes) {
        for (int i = changes.size() - 1; i >= 0; i--) {
            Ddl change = changes.get(i);
            if (change instanceof Ddl.DropTable) {
                broken |= i == changes.size() - 1;
                return false;
            }
            if (change instanceof Ddl.CreateTable create) {
                broken |= !create.conditional()
                        && create.columns().isPresent()
                        && !columns.equals(create.columns().get().stream()
                                .map(Ddl.ColumnText::name)
                                .collect(Collectors.toSet()));
                return false;
            }
            if (change instanceof Ddl.AlterTable alter) {
                for (int c = alter.clauses().size() - 1; c >= 0; c--) {
                    if (!undo(alter.clauses().get(c))) {
                        return false;
                    }
                }
            } else if (change instanceof Ddl.AlterDomain domain
                    && domain.renamedTo().isPresent()) {
                rename(domain.renamedTo().get(), domain.domain().name());
            }
        }
        return true;
    }

    /** A domain that is called otherwise now must not be there under the new name before. */
    private void rename(String from, String to) {
        broken |= domains.contains(to);
        if (domains.remove(from)) {
            domains.add(to);
        }
    }

    private boolean undo(Ddl.Clause clause) {
        if (clause instanceof Ddl.AddColumn add) {
            broken |= !columns.contains(add.column().name());
            if (add.conditional()) {
                return false;
            }
            columns.remove(add.column().name());
            order = Optional.empty();
        } else if (clause instanceof Ddl.DropColumn drop) {
            broken |= columns.contains(drop.column());
            if (drop.conditional()) {
                return false;
            }
            columns.add(drop.column());
            columnDropped = true;
            order = Optional.empty();
        } else if (clause instanceof Ddl.MoveColumn move) {
            broken |= order.filter(names -> !isAt(names, move)).isPresent();
            order = Optional.empty();
        } else if (clause instanceof Ddl.RenameColumn rename) {
            broken |= !columns.remove(rename.to()) || columns.contains(rename.from());
            columns.add(rename.from());
            order = order.map(names -> names.stream()
                    .map(name -> name.equals(rename.to()) ? rename.from() : name)
                    .toList());
        } else if (clause instanceof Ddl.AddKey add && add.key().name().isPresent()) {
            boolean there = constraints.remove(add.key().name().get());
            if (!there && columnDropped || add.unless() != Ddl.Unless.NOTHING) {
                return false;
            }
            broken |= !there;
        } else if (clause instanceof Ddl.DropConstraint drop) {
            broken |= !constraints.add(drop.name());
        }
        return !broken && !(clause instanceof Ddl.UnknownClause);
    }

    private static boolean isAt(List<String> names, Ddl.MoveColumn move) {
        int place = Math.max(1, Math.min(names.size(), move.position()));
        return names.indexOf(move.column()) == place - 1;
    }

    /** False if nothing can be said of what is behind. */
    private boolean apply(List<Ddl> changes) {
        for (int i = 0; i < changes.size(); i++) {
            Ddl change = changes.get(i);
            if (change instanceof Ddl.CreateTable create) {
                broken |= i == 0 && !create.conditional() && !create.replaces();
                return false;
            }
            if (change instanceof Ddl.DropTable) {
                return false;
            }
            if (change instanceof Ddl.AlterTable alter) {
                for (Ddl.Clause clause : alter.clauses()) {
                    if (!apply(clause)) {
                        return false;
                    }
                }
            } else if (change instanceof Ddl.AlterDomain domain
                    && domain.renamedTo().isPresent()) {
                rename(domain.domain().name(), domain.renamedTo().get());
            }
        }
        return true;
    }

    private boolean apply(Ddl.Clause clause) {
        if (clause instanceof Ddl.AddColumn add) {
            if (add.conditional()) {
                columns.add(add.column().name());
            } else {
                broken |= !columns.add(add.column().name());
            }
        } else if (clause instanceof Ddl.DropColumn drop) {
            broken |= !columns.remove(drop.column()) && !drop.conditional();
            columnDropped = true;
        } else if (clause instanceof Ddl.RenameColumn rename) {
            broken |= !columns.remove(rename.from()) || !columns.add(rename.to());
        } else if (clause instanceof Ddl.AddKey add && add.key().name().isPresent()) {
            boolean there = !constraints.add(add.key().name().get());
            broken |= there && !columnDropped && add.unless() == Ddl.Unless.NOTHING;
        } else if (clause instanceof Ddl.DropConstraint drop) {
            constraints.remove(drop.name());
        }
        return !broken && !(clause instanceof Ddl.UnknownClause);
    }
}
