package org.firebirdcdc.schema;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.firebirdcdc.journal.ObjectName;

/**
 * The states that a table can have been in between its changes: which life, which record format. Worked out from what the
 * DDL statements can have done and what catalogs saw (segment-format.md 8.4, 8.6): all assignments are followed that
 * agree with both, forwards and backwards; what remains for a place between two changes is what is known of it.
 *
 * <p>Places are numbered by the changes before them: 0 is before the first. A state is a number, see {@link #format}.
 */
final class TableTimeline {

    private static final int MAX_FORMATS = 256;
    /** Names are checked this many changes around a sight. */
    private static final int NAME_CHECKS = 64;

    private final ObjectName name;
    private final List<Step> steps;
    private final List<Sight> sights;
    private final List<Life> lives = new ArrayList<>();
    private final Map<Integer, Integer> lifeOfRelation = new HashMap<>();
    private final Set<String> renamedTo = new HashSet<>();
    private final Set<String> renamedFrom = new HashSet<>();

    /** Whether changes that have not been met follow the last step. */
    private boolean openEnd;

    /** States by sights seen and place: that can be reached, by a step at last, and from which the end can be reached. */
    private BitSet[][] forward = new BitSet[0][0];

    private BitSet[][] byStep = new BitSet[0][0];
    private BitSet[][] sound = new BitSet[0][0];
    private List<BitSet> feasible = List.of();
    private final Map<Long, BitSet> following = new HashMap<>();

    /**
     * @param steps  changes in the order of their commits
     * @param sights what catalogs saw, oldest first
     */
    TableTimeline(ObjectName name, List<Step> steps, List<Sight> sights) {
        this.name = name;
        this.steps = List.copyOf(steps);
        this.sights = List.copyOf(sights);
        for (Sight sight : sights) {
            sight.table().ifPresent(this::meet);
        }
        for (Step step : steps) {
            step.changes().forEach(this::noteRenames);
        }
        openEnd = sights.stream().anyMatch(sight -> sight.lowest() > steps.size());
        solve();
        if (!isConsistent() && !openEnd && sights.stream().anyMatch(Sight::openEnd)) {
            openEnd = true;
            solve();
        }
    }

    private void meet(Table table) {
        int life = lifeOfRelation.computeIfAbsent(table.relationId(), id -> {
            lives.add(new Life(id));
            return lives.size() - 1;
        });
        lives.get(life).saw(table);
    }

    private void noteRenames(Ddl change) {
        if (change instanceof Ddl.AlterTable alter) {
            for (Ddl.Clause clause : alter.clauses()) {
                if (clause instanceof Ddl.RenameColumn rename) {
                    renamedTo.add(rename.to());
                    renamedFrom.add(rename.from());
                }
            }
        }
    }

    // ------------------------------------------------------------------ states

    private int base() {
        return 2 * (lives.size() + 1);
    }

    /** Not there, after so many lives that catalogs saw. */
    private static int absent(int livesBefore) {
        return 2 * livesBefore;
    }

    /** There, in a life that no catalog saw. */
    private static int unseen(int livesBefore) {
        return 2 * livesBefore + 1;
    }

    private int alive(int life, int format) {
        return base() + life * MAX_FORMATS + format;
    }

    /** Whether the state is a life that a catalog saw. */
    boolean isAlive(int state) {
        return state >= base();
    }

    boolean isUnseen(int state) {
        return state < base() && state % 2 == 1;
    }

    Life life(int state) {
        return lives.get((state - base()) / MAX_FORMATS);
    }

    int formatNumber(int state) {
        return (state - base()) % MAX_FORMATS;
    }

    /** The state of another format of the same life. */
    int withFormat(int state, int number) {
        return state - formatNumber(state) + number;
    }

    /** The record format of a state, if its layout is known. */
    Optional<RecordFormat> format(int state) {
        return isAlive(state) ? life(state).format(formatNumber(state)) : Optional.empty();
    }

    private int livesBefore(int state) {
        return isAlive(state) ? (state - base()) / MAX_FORMATS : state / 2;
    }

    private int highestFormat(Life life) {
        return Math.min(MAX_FORMATS - 1, life.newest() + steps.size());
    }

    // ------------------------------------------------------------------ what is known

    List<Step> steps() {
        return steps;
    }

    List<Sight> sights() {
        return sights;
    }

    List<Life> lives() {
        return lives;
    }

    /** Number of the last place. */
    int lastPlace() {
        return steps.size() + (openEnd ? 1 : 0);
    }

    /** Whether what the catalogs saw can have come about by the changes. */
    boolean isConsistent() {
        return !feasible.isEmpty() && !feasible.get(0).isEmpty();
    }

    /** States that are possible at a place, ascending: lives that catalogs saw come last. */
    BitSet feasible(int place) {
        return feasible.get(place);
    }

    /** Whether a catalog is known to show changes that have not been met. */
    boolean isSeenAhead() {
        return sights.stream().anyMatch(sight -> sight.lowest() > steps.size());
    }

    /** Whether the step behind a place is one that has not been met. */
    boolean isHidden(int place) {
        return place >= steps.size();
    }

    // ------------------------------------------------------------------ search

    private void solve() {
        following.clear();
        int places = lastPlace() + 1;
        forward = new BitSet[sights.size() + 1][places];
        byStep = new BitSet[sights.size() + 1][places];
        sound = new BitSet[sights.size() + 1][places];
        for (int seen = 0; seen <= sights.size(); seen++) {
            for (int place = 0; place < places; place++) {
                BitSet stepped = seen == 0 && place == 0 ? initial() : new BitSet();
                if (place > 0) {
                    BitSet before = forward[seen][place - 1];
                    for (int s = before.nextSetBit(0); s >= 0; s = before.nextSetBit(s + 1)) {
                        stepped.or(next(s, place - 1));
                    }
                }
                byStep[seen][place] = stepped;
                BitSet states = (BitSet) stepped.clone();
                if (seen > 0 && allows(seen - 1, place)) {
                    BitSet matching = match(sights.get(seen - 1));
                    matching.and(beforeSight(seen - 1, place));
                    states.or(matching);
                }
                forward[seen][place] = states;
            }
        }
        List<BitSet> result = new ArrayList<>();
        for (int place = places - 1; place >= 0; place--) {
            BitSet all = new BitSet();
            for (int seen = sights.size(); seen >= 0; seen--) {
                sound[seen][place] = soundStates(seen, place);
                all.or(sound[seen][place]);
            }
            result.add(0, all);
        }
        feasible = result;
    }

    /** States in which a sight can be met: not at the place where another one saw something else. */
    private BitSet beforeSight(int seen, int place) {
        return seen > 0 && sights.get(seen - 1).differsFrom(sights.get(seen))
                ? byStep[seen][place]
                : forward[seen][place];
    }

    private BitSet soundStates(int seen, int place) {
        BitSet states = forward[seen][place];
        BitSet result = new BitSet();
        boolean end = seen == sights.size() && place == lastPlace();
        BitSet matching = seen < sights.size() && allows(seen, place) ? match(sights.get(seen)) : new BitSet();
        for (int s = states.nextSetBit(0); s >= 0; s = states.nextSetBit(s + 1)) {
            boolean bySight = matching.get(s)
                    && sound[seen + 1][place].get(s)
                    && beforeSight(seen, place).get(s);
            if (end || bySight || place < lastPlace() && next(s, place).intersects(sound[seen][place + 1])) {
                result.set(s);
            }
        }
        return result;
    }

    private BitSet initial() {
        BitSet states = new BitSet();
        states.set(absent(0));
        states.set(unseen(0));
        if (!lives.isEmpty()) {
            states.set(alive(0, 1), alive(0, highestFormat(lives.get(0))) + 1);
        }
        return states;
    }

    private BitSet match(Sight sight) {
        BitSet states = new BitSet();
        sight.table()
                .ifPresentOrElse(
                        table -> states.set(alive(lifeOfRelation.get(table.relationId()), table.currentFormat())),
                        () -> {
                            for (int before = 0; before <= lives.size(); before++) {
                                states.set(absent(before));
                            }
                        });
        return states;
    }

    /** Whether a sight can have been at a place, by its bounds and by the names in it. */
    private boolean allows(int seen, int place) {
        Sight sight = sights.get(seen);
        int highest = openEnd && sight.openEnd() ? steps.size() + 1 : sight.highest();
        return place >= sight.lowest()
                && place <= highest
                && (place > steps.size() || NameCheck.fits(sight, steps, place, NAME_CHECKS));
    }

    /** States to which the step behind a place leads; to be changed by nobody. */
    private BitSet next(int state, int place) {
        return following.computeIfAbsent((long) place << 32 | state, key -> lead(state, place));
    }

    private BitSet lead(int state, int place) {
        BitSet result = new BitSet();
        if (isHidden(place)) {
            afterAnything(state, result);
            return result;
        }
        Step step = steps.get(place);
        List<Draft> drafts = List.of(new Draft(state, List.of(), Optional.empty()));
        for (Ddl change : step.changes()) {
            List<Draft> changed = new ArrayList<>();
            for (Draft draft : drafts) {
                apply(change, draft, changed);
            }
            drafts = changed;
        }
        for (Draft draft : drafts) {
            finish(draft, step, result);
        }
        return result;
    }

    /**
     * A state within a step.
     *
     * @param pending changes of the layout since the begin of the step or the creation of the table
     * @param created statement that created the table in this step
     */
    private record Draft(int state, List<Ddl> pending, Optional<Ddl.CreateTable> created) {}

    private void apply(Ddl change, Draft draft, List<Draft> into) {
        boolean there = draft.state() >= base() || isUnseen(draft.state());
        if (change instanceof Ddl.CreateTable create) {
            if (there && !create.replaces()) {
                if (create.conditional()) {
                    into.add(draft);
                }
                return;
            }
            int before = livesBefore(draft.state()) + (isAlive(draft.state()) ? 1 : 0);
            into.add(new Draft(unseen(before), List.of(), Optional.empty()));
            if (before < lives.size()) {
                into.add(new Draft(alive(before, 1), List.of(), Optional.of(create)));
            }
        } else if (change instanceof Ddl.DropTable drop) {
            if (there) {
                int before = livesBefore(draft.state()) + (isAlive(draft.state()) ? 1 : 0);
                into.add(new Draft(absent(before), List.of(), Optional.empty()));
            } else if (drop.conditional()) {
                into.add(draft);
            }
        } else if (there) {
            if (isAlive(draft.state())) {
                List<Ddl> pending = new ArrayList<>(draft.pending());
                pending.add(change);
                into.add(new Draft(draft.state(), pending, draft.created()));
            } else {
                into.add(draft);
            }
        } else if (!(change instanceof Ddl.AlterTable)) {
            // of a domain or an index
            into.add(draft);
        }
    }

    private void finish(Draft draft, Step step, BitSet result) {
        int state = draft.state();
        if (!isAlive(state)) {
            result.set(state);
            return;
        }
        LayoutChange change = new LayoutChange(draft.pending());
        if (draft.created().isPresent()) {
            int first = step.atOnce()
                    ? firstWholeFormat(life(state), draft.created().get())
                    : 1;
            result.set(withFormat(state, first));
            return;
        }
        int number = formatNumber(state);
        Life its = life(state);
        LayoutChange.ColumnNames names = (id, columnName) -> canBe(its, id, columnName);
        boolean canStay = !change.mustMakeFormat()
                && format(state).map(format -> change.leaves(format, names)).orElse(true);
        if (canStay) {
            result.set(state);
        }
        if (change.canMakeFormat() && number < highestFormat(life(state))) {
            Optional<RecordFormat> from = format(state);
            Optional<RecordFormat> to = format(withFormat(state, number + 1));
            if (from.isEmpty() || to.isEmpty() || change.leads(from.get(), to.get(), names)) {
                result.set(withFormat(state, number + 1));
            }
        }
    }

    /** Firebird 6 counts a format for each key beside a column as well; no image has one of those. */
    private static int firstWholeFormat(Life life, Ddl.CreateTable create) {
        if (create.columns().isEmpty()) {
            return 1;
        }
        int columns = create.columns().get().size();
        return life.formats().stream()
                .filter(format -> format.fields().size() >= columns)
                .findFirst()
                .map(RecordFormat::number)
                .orElse(1);
    }

    private boolean canBe(Life life, int fieldId, String columnName) {
        Set<String> names = new TreeSet<>();
        for (Table table : life.sightings()) {
            for (Column column : table.columns()) {
                if (column.fieldId() == fieldId) {
                    names.add(column.name());
                }
            }
        }
        return names.isEmpty()
                || names.contains(columnName)
                || names.stream().anyMatch(known -> renamedTo.contains(known) || renamedFrom.contains(known));
    }

    private void afterAnything(int state, BitSet result) {
        result.set(state);
        int before = livesBefore(state);
        if (isAlive(state)) {
            result.set(state, withFormat(state, highestFormat(life(state))) + 1);
            before++;
        }
        for (int b = before; b <= lives.size(); b++) {
            result.set(absent(b));
            result.set(unseen(b));
            if (b < lives.size()) {
                result.set(alive(b, 1), alive(b, highestFormat(lives.get(b))) + 1);
            }
        }
    }

    // ------------------------------------------------------------------ paths

    /** One way through all places that has a given state at a given place. */
    int[] path(int place, int state) {
        int[] path = new int[lastPlace() + 1];
        int seen = 0;
        while (!sound[seen][place].get(state)) {
            seen++;
        }
        path[place] = state;
        backwards(path, seen, place);
        forwards(path, seen, place);
        return path;
    }

    private void backwards(int[] path, int fromSeen, int fromPlace) {
        int seen = fromSeen;
        int place = fromPlace;
        while (place > 0 || seen > 0) {
            int state = path[place];
            int before = place > 0 ? predecessor(seen, place, state) : -1;
            if (before >= 0) {
                path[--place] = before;
            } else {
                seen--;
            }
        }
    }

    /** A state at the place before from which a step leads here; -1 if there is none. */
    private int predecessor(int seen, int place, int state) {
        BitSet states = forward[seen][place - 1];
        for (int s = states.length(); (s = states.previousSetBit(s - 1)) >= 0; ) {
            if (next(s, place - 1).get(state)) {
                return s;
            }
        }
        return -1;
    }

    private void forwards(int[] path, int fromSeen, int fromPlace) {
        int seen = fromSeen;
        int place = fromPlace;
        while (place < lastPlace() || seen < sights.size()) {
            int state = path[place];
            boolean bySight = seen < sights.size()
                    && allows(seen, place)
                    && match(sights.get(seen)).get(state)
                    && beforeSight(seen, place).get(state)
                    && sound[seen + 1][place].get(state);
            if (bySight) {
                seen++;
            } else {
                BitSet ways = (BitSet) next(state, place).clone();
                ways.and(sound[seen][place + 1]);
                path[++place] = ways.nextSetBit(0);
            }
        }
    }

    /** Places on a path where a sight can have been. */
    List<Integer> placesOf(int seen, int[] path) {
        List<Integer> places = new ArrayList<>();
        BitSet matching = match(sights.get(seen));
        for (int place = 0; place < path.length; place++) {
            if (matching.get(path[place]) && allows(seen, place)) {
                places.add(place);
            }
        }
        return places;
    }

    @Override
    public String toString() {
        return name + ": " + steps.size() + " changes, seen " + sights.size() + " times";
    }
}
