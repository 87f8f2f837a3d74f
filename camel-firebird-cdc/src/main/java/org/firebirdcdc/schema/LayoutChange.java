package org.firebirdcdc.schema;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What some changes of one table do to its layout: whether they make a new record format, and which ones they can lead
 * from and to (segment-format.md 8.4).
 */
final class LayoutChange {

    private int sureAdds;
    private int possibleAdds;
    private int sureDrops;
    private int possibleDrops;
    private final List<Ddl.RetypeColumn> retyped = new ArrayList<>();
    private final List<String> typesOfDomains = new ArrayList<>();
    private boolean unknown;
    private final List<String> added = new ArrayList<>();
    /** A column that was added has been put somewhere else than at the end. */
    private boolean addedMoved;

    private final List<String> dropped = new ArrayList<>();

    /** @param changes changes that neither create nor drop the table */
    LayoutChange(List<Ddl> changes) {
        for (Ddl change : changes) {
            if (change instanceof Ddl.AlterTable alter) {
                alter.clauses().forEach(this::add);
            } else if (change instanceof Ddl.AlterDomain domain) {
                domain.type().ifPresent(typesOfDomains::add);
            }
        }
    }

    private void add(Ddl.Clause clause) {
        if (clause instanceof Ddl.AddColumn add) {
            if (add.conditional()) {
                possibleAdds++;
            } else {
                sureAdds++;
                added.add(add.column().name());
            }
        } else if (clause instanceof Ddl.DropColumn drop) {
            drop(drop);
        } else if (clause instanceof Ddl.RetypeColumn retype) {
            retyped.add(retype);
        } else if (clause instanceof Ddl.RenameColumn rename) {
            added.replaceAll(name -> name.equals(rename.from()) ? rename.to() : name);
        } else if (clause instanceof Ddl.MoveColumn move) {
            addedMoved |= added.contains(move.column());
        } else if (clause instanceof Ddl.UnknownClause) {
            unknown = true;
        }
    }

    private void drop(Ddl.DropColumn drop) {
        if (added.remove(drop.column())) {
            // added and dropped by the same changes: no format shows it
            sureAdds--;
        } else if (drop.conditional() || possibleAdds > 0) {
            possibleDrops++;
        } else {
            sureDrops++;
            dropped.add(drop.column());
        }
    }

    boolean mustMakeFormat() {
        return !unknown && (sureAdds > 0 || sureDrops > 0);
    }

    boolean canMakeFormat() {
        return unknown
                || sureAdds + possibleAdds + sureDrops + possibleDrops > 0
                || !typesOfDomains.isEmpty()
                || !retyped.isEmpty();
    }

    /**
     * Whether the changes can lead from one format to the next.
     *
     * @param names knows what columns were called
     */
    boolean leads(RecordFormat from, RecordFormat to, ColumnNames names) {
        if (unknown) {
            return true;
        }
        List<Integer> fresh = new ArrayList<>();
        List<Integer> gone = new ArrayList<>();
        int changed = 0;
        boolean explained = true;
        for (Field field : to.fields()) {
            Optional<Field> before = from.field(field.id());
            if (before.isEmpty()) {
                fresh.add(field.id());
            } else if (field.stored() && !sameType(before.get(), field)) {
                changed++;
                explained &= canBecome(field, names);
            }
        }
        for (Field field : from.fields()) {
            if (to.field(field.id()).isEmpty()) {
                gone.add(field.id());
            }
        }
        boolean counts = fresh.size() >= sureAdds
                && fresh.size() <= sureAdds + possibleAdds
                && gone.size() >= sureDrops
                && gone.size() <= sureDrops + possibleDrops
                && (!typesOfDomains.isEmpty() || changed <= retyped.size());
        return counts && explained && namesFit(fresh, gone, names);
    }

    private boolean canBecome(Field field, ColumnNames names) {
        return retyped.stream().anyMatch(retype -> names.canBe(field.id(), retype.column()) && isOf(retype, field))
                || typesOfDomains.stream().anyMatch(type -> SqlTypes.canBeStored(type, field.type()));
    }

    private static boolean isOf(Ddl.RetypeColumn retype, Field field) {
        return retype.type()
                .map(type -> SqlTypes.canBeStored(type, field.type()))
                .orElse(!field.stored());
    }

    /**
     * Whether the changes can leave a format as it is.
     *
     * @param names knows what columns were called
     */
    boolean leaves(RecordFormat format, ColumnNames names) {
        if (unknown) {
            return true;
        }
        // a column that is stored otherwise than its new type says must change
        return retyped.stream().noneMatch(retype -> {
            List<Field> possible = format.fields().stream()
                    .filter(field -> names.canBe(field.id(), retype.column()))
                    .toList();
            return !possible.isEmpty() && possible.stream().noneMatch(field -> isOf(retype, field));
        });
    }

    private boolean namesFit(List<Integer> fresh, List<Integer> gone, ColumnNames names) {
        if (fresh.size() == added.size() && addedMoved) {
            // new columns get their ids in the order of their positions, and what stood where is not known here
            if (!added.stream().allMatch(name -> fresh.stream().anyMatch(id -> names.canBe(id, name)))
                    || !fresh.stream().allMatch(id -> added.stream().anyMatch(name -> names.canBe(id, name)))) {
                return false;
            }
        } else if (fresh.size() == added.size()) {
            for (int i = 0; i < fresh.size(); i++) {
                if (!names.canBe(fresh.get(i), added.get(i))) {
                    return false;
                }
            }
        }
        return gone.size() != dropped.size()
                || dropped.stream().allMatch(name -> gone.stream().anyMatch(id -> names.canBe(id, name)));
    }

    private static boolean sameType(Field one, Field other) {
        return one.type() == other.type()
                && one.scale() == other.scale()
                && one.length() == other.length()
                && one.subType() == other.subType()
                && one.flags() == other.flags();
    }

    /** What columns of one life were called. */
    interface ColumnNames {

        /** Whether the column with the id can ever have had the name. */
        boolean canBe(int fieldId, String name);
    }
}
