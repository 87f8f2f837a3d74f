package org.firebirdcdc.schema;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.firebirdcdc.journal.JournalPosition;
import org.firebirdcdc.journal.ObjectName;

/** Finds versions of one table by its timeline. Renewed whenever something new is learned of the table. */
final class TableHistory {

    private final ObjectName name;
    private final TableTimeline timeline;
    private final Map<Integer, ShapeTrack> tracks = new HashMap<>();
    private final Map<List<Integer>, Described> described = new HashMap<>();
    /** What is so for images of every transaction, by place and length. */
    private final Map<Long, Described> settled = new HashMap<>();

    /** All that is known of the table, even if it does not agree. */
    private final TableTimeline whole;
    /** From here on it agrees. */
    private final JournalPosition soundFrom;

    private TableHistory(ObjectName name, TableTimeline whole, TableTimeline timeline, JournalPosition soundFrom) {
        this.name = name;
        this.whole = whole;
        this.timeline = timeline;
        this.soundFrom = soundFrom;
    }

    /**
     * The history of a table. If catalogs and DDL do not agree, because DDL was not published or a part of the journal is
     * missing, it begins with the first catalog from which on they do.
     *
     * @param steps  changes in the order of their commits
     * @param sights what catalogs saw, oldest first
     */
    static TableHistory of(ObjectName name, List<Step> steps, List<Sight> sights) {
        TableTimeline whole = new TableTimeline(name, steps, sights);
        if (whole.isConsistent()) {
            return new TableHistory(name, whole, whole, JournalPosition.START);
        }
        for (int first = 1; first < sights.size(); first++) {
            int left = Math.min(steps.size(), sights.get(first).lowest());
            TableTimeline rest = new TableTimeline(
                    name,
                    steps.subList(left, steps.size()),
                    sights.subList(first, sights.size()).stream()
                            .map(sight -> sight.without(left))
                            .toList());
            if (rest.isConsistent()) {
                return new TableHistory(name, whole, rest, sights.get(first).after());
            }
        }
        return new TableHistory(name, whole, whole, FormatResolver.Resolution.FOREVER);
    }

    /**
     * A version with what is not certain about it.
     *
     * @param table    the table in the version's form
     * @param key      columns of the key
     * @param names    whether the names of its columns are known to have been in force
     * @param orderKnown whether the order of its columns is known to have been in force, as far as their names are
     * @param keyKnown whether its key is known to have been in force
     */
    record Described(
            Table table, RecordFormat format, List<String> key, boolean names, boolean orderKnown, boolean keyKnown) {

        boolean isCertain() {
            return names && orderKnown && keyKnown;
        }
    }

    /** What can be said of an image. */
    sealed interface Answer {}

    /**
     * @param until as in {@link FormatResolver.Resolution}
     */
    record Found(Described version, JournalPosition until) implements Answer {}

    /**
     * Nothing certain.
     *
     * @param problem what is known
     * @param advice  what to do
     */
    record NotFound(String problem, String advice) implements Answer {}

    /** The catalog shows changes that have not been met in the journal: when they are, more can be said. */
    record Ahead() implements Answer {}

    /**
     * A format that an image can have.
     *
     * @param inForce   state that is possible where the image stands
     * @param state     state with the format: that one, or an older format of the same life
     * @param place     where the format was in force last, as far as the DDL tells
     * @param overtaken whether the format is older than what is in force
     */
    private record Candidate(int inForce, int state, int place, boolean overtaken) {}

    // ------------------------------------------------------------------ images

    Answer resolve(FormatResolver.ImageContext image) {
        if (image.position().isBefore(soundFrom)) {
            return inconsistent(image);
        }
        int place = place(image.position(), image.transaction());
        Described always = settled.get(settledKey(place, image.length()));
        if (always != null) {
            return new Found(always, nextChange(image.position(), image.transaction()));
        }
        Answer answer = resolve(image, place);
        boolean waits = answer instanceof NotFound
                || answer instanceof Found found && !found.version().names();
        return waits && timeline.isSeenAhead() ? new Ahead() : answer;
    }

    private Answer resolve(FormatResolver.ImageContext image, int place) {
        BitSet states = timeline.feasible(place);
        List<Integer> alive = new ArrayList<>();
        boolean elsewhere = false;
        for (int s = states.nextSetBit(0); s >= 0; s = states.nextSetBit(s + 1)) {
            if (timeline.isAlive(s)) {
                alive.add(s);
            } else {
                elsewhere |= timeline.isUnseen(s);
            }
        }
        if (alive.isEmpty()) {
            return notSeen(elsewhere);
        }
        List<Integer> unknown =
                alive.stream().filter(s -> timeline.format(s).isEmpty()).toList();
        if (!unknown.isEmpty()) {
            return new NotFound(
                    "by the DDL in the journal the table has format " + numbers(unknown)
                            + " here, and no catalog shows the layout of it",
                    GIVE_CATALOG);
        }
        if (elsewhere) {
            return new NotFound(
                    "the table was created anew, and whether any catalog saw it since cannot be told", GIVE_CATALOG);
        }
        return choose(image, place, alive);
    }

    private static final String GIVE_CATALOG =
            "Give a catalog from the time in question with catalogFiles, or set onDecodeError=raw";

    private String numbers(List<Integer> states) {
        return states.stream()
                .map(timeline::formatNumber)
                .sorted()
                .map(String::valueOf)
                .collect(Collectors.joining(" or "));
    }

    private static NotFound notSeen(boolean unseen) {
        return unseen
                ? new NotFound(
                        "the image belongs to a table of this name that no catalog saw: it was dropped, or dropped and created"
                                + " anew, since",
                        GIVE_CATALOG)
                : new NotFound("by the DDL in the journal there is no such table here", GIVE_CATALOG);
    }

    /** How many changes are in force for an image. */
    private int place(JournalPosition position, long transaction) {
        List<Step> steps = timeline.steps();
        int place = 0;
        for (int i = 0; i < steps.size(); i++) {
            Step step = steps.get(i);
            boolean own = step.atOnce()
                    && step.transaction() == transaction
                    && step.statement().isBefore(position);
            if (own || step.commit().isBefore(position)) {
                place = i + 1;
            }
        }
        return place;
    }

    /** Where the next change comes into force for images of a transaction. */
    private JournalPosition nextChange(JournalPosition position, long transaction) {
        JournalPosition next = FormatResolver.Resolution.FOREVER;
        for (Step step : timeline.steps()) {
            boolean own = step.atOnce() && step.transaction() == transaction;
            JournalPosition change = own ? step.statement() : step.commit();
            if (!change.isBefore(position) && change.isBefore(next)) {
                next = change;
            }
        }
        return next;
    }

    private Answer choose(FormatResolver.ImageContext image, int place, List<Integer> alive) {
        Map<Integer, Candidate> fitting = new LinkedHashMap<>();
        Map<Integer, Candidate> lagging = new LinkedHashMap<>();
        Map<Integer, Candidate> old = new LinkedHashMap<>();
        for (int state : alive) {
            if (fits(state, image)) {
                fitting.put(state, new Candidate(state, state, place, false));
            }
            older(image, place, state, lagging, old);
        }
        List<Candidate> candidates = new ArrayList<>(fitting.values());
        lagging.forEach((state, candidate) -> {
            if (!fitting.containsKey(state)) {
                candidates.add(candidate);
            }
        });
        if (candidates.isEmpty()) {
            candidates.addAll(old.values());
        }
        if (candidates.isEmpty()) {
            return new NotFound(
                    "no format that it can have here has images of " + image.length() + " bytes (in force: format "
                            + numbers(alive) + "; known: " + formats(alive.get(0)) + ")",
                    GIVE_CATALOG);
        }
        boolean single = candidates.size() == 1;
        List<Candidate> left = single ? candidates : plausible(image, candidates, place);
        if (left.size() != 1) {
            return ambiguous(image, left, place);
        }
        Candidate one = left.get(0);
        boolean lasting = single && !one.overtaken() && fitting.containsKey(one.state());
        Described version = describe(one, place);
        if (lasting && lagging.isEmpty() && old.isEmpty() && image.earlier().isEmpty()) {
            settled.put(settledKey(place, image.length()), version);
        }
        return new Found(
                version, lasting ? nextChange(image.position(), image.transaction()) : justBehind(image.position()));
    }

    private static long settledKey(int place, int length) {
        return (long) place << 32 | length;
    }

    private static JournalPosition justBehind(JournalPosition position) {
        return new JournalPosition(position.segment(), position.offset() + 1);
    }

    private boolean fits(int state, FormatResolver.ImageContext image) {
        return timeline.format(state)
                        .filter(format -> format.recordLength() == image.length())
                        .isPresent()
                && image.earlier()
                        .map(version ->
                                version.relationId() != timeline.life(state).relationId()
                                        || version.format() <= timeline.formatNumber(state))
                        .orElse(true);
    }

    /** Formats from before changes that an image can have been made before, although it stands behind them (8.5). */
    private void older(
            FormatResolver.ImageContext image,
            int place,
            int state,
            Map<Integer, Candidate> lagging,
            Map<Integer, Candidate> old) {
        ShapeTrack track = track(place, state);
        boolean wholeLife = track.hasBirthOf(place);
        for (int number = timeline.formatNumber(state) - 1; number >= 1; number--) {
            int older = timeline.withFormat(state, number);
            int last = track.lastPlaceOf(older, place);
            // what a CREATE TABLE makes on its way (segment-format.md 8.4) is in force nowhere
            boolean neverInForce = wholeLife && last < 0;
            if (!neverInForce && fits(older, image)) {
                boolean canLag =
                        last >= 0 && timeline.steps().get(last).canBeOvertaken(image.transaction(), image.begin());
                (canLag ? lagging : old).putIfAbsent(older, new Candidate(state, older, Math.max(last, 0), true));
            }
        }
    }

    private List<Candidate> plausible(FormatResolver.ImageContext image, List<Candidate> candidates, int place) {
        List<Candidate> sound = candidates.stream()
                .filter(c -> image.images().stream()
                        .allMatch(bytes ->
                                timeline.format(c.state()).orElseThrow().couldHold(bytes)))
                .toList();
        List<Candidate> left = sound.isEmpty() ? candidates : sound;
        if (left.size() == 1) {
            return left;
        }
        List<Candidate> readable = left.stream()
                .filter(c -> {
                    Described version = describe(c, place);
                    return image.check().isPlausible(version.table().version(version.format(), version.key()));
                })
                .toList();
        return readable.isEmpty() ? left : readable;
    }

    private NotFound ambiguous(FormatResolver.ImageContext image, List<Candidate> candidates, int place) {
        String list = candidates.stream()
                .map(c -> {
                    Described version = describe(c, place);
                    return "format " + version.format().number() + " of relation "
                            + version.table().relationId()
                            + " "
                            + version.table().version(version.format(), version.key()).columns().stream()
                                    .map(VersionColumn::name)
                                    .toList()
                            + (c.overtaken() ? ", if it was made before " + overtaking(c) : "");
                })
                .collect(Collectors.joining("; "));
        return new NotFound(
                "several formats fit its " + image.length() + " bytes, and the DDL in the journal up to here (" + place
                        + " changes of the table) does not tell which one it is: " + list,
                "Give catalogs from the time before and behind the DDL with catalogFiles, or set onDecodeError=raw");
    }

    private String overtaking(Candidate candidate) {
        List<Step> steps = timeline.steps();
        return steps.isEmpty()
                ? "DDL that the journal does not hold"
                : "the DDL of transaction "
                        + steps.get(Math.min(candidate.place(), steps.size() - 1))
                                .transaction();
    }

    private String formats(int state) {
        return timeline.life(state).formats().stream()
                .map(format -> format.number() + " with " + format.recordLength() + " bytes")
                .collect(Collectors.joining(", "));
    }

    /** DDL and catalogs contradict each other: only a layout that is the only one of its length is certain. */
    private Answer inconsistent(FormatResolver.ImageContext image) {
        Set<List<Integer>> found = new LinkedHashSet<>();
        Life last = null;
        RecordFormat fitting = null;
        for (Life life : whole.lives()) {
            for (RecordFormat format : life.formats()) {
                if (format.recordLength() == image.length()) {
                    found.add(List.of(life.relationId(), format.number()));
                    last = life;
                    fitting = format;
                }
            }
        }
        if (found.size() != 1 || whole.lives().size() != 1) {
            return new NotFound(
                    "what catalogs show of it does not agree with the DDL in the journal, as if DDL had not"
                            + " been published or segments were missing, and " + found.size()
                            + " formats have images of "
                            + image.length() + " bytes",
                    GIVE_CATALOG);
        }
        Table newest = last.sightings().get(last.sightings().size() - 1);
        return new Found(
                new Described(newest, fitting, newest.key(), false, true, false), justBehind(image.position()));
    }

    // ------------------------------------------------------------------ versions

    private ShapeTrack track(int place, int state) {
        for (ShapeTrack track : tracks.values()) {
            if (track.state(place) == state) {
                return track;
            }
        }
        ShapeTrack track = new ShapeTrack(timeline, timeline.path(place, state));
        tracks.put(tracks.size(), track);
        return track;
    }

    /** @param place where the image stands */
    private Described describe(Candidate candidate, int place) {
        return described.computeIfAbsent(
                List.of(candidate.state(), candidate.place(), candidate.inForce(), place),
                key -> describe(track(place, candidate.inForce()), candidate.place(), candidate.state()));
    }

    private Described describe(ShapeTrack track, int place, int state) {
        Life life = timeline.life(state);
        int number = timeline.formatNumber(state);
        RecordFormat format = timeline.format(state).orElseThrow();
        Table like = life.sightings().get(life.sightings().size() - 1);
        Optional<TableShape> known = track.shape(place);
        boolean ahead =
                known.isEmpty() && timeline.lastPlace() > timeline.steps().size();
        TableShape shape =
                known.or(() -> track.nearest(place).map(Sight::shape)).orElseGet(() -> TableShape.of(like));
        if (track.isSeen(place) && timeline.formatNumber(track.state(place)) == number) {
            Table seen = track.nearest(place).orElseThrow().table().orElseThrow();
            return new Described(seen, format, seen.key(), true, true, true);
        }
        Table table = shape.table(like, life.formatsUpTo(number), number, life.columns());
        List<String> key = table.key();
        if (!shape.keyKnown() && !shape.noPrimaryKey() && key.isEmpty()) {
            key = laterKey(track, place, shape);
        }
        boolean orderKnown = known.isEmpty() || shape.ordered();
        return new Described(table, format, key, known.isPresent(), orderKnown, shape.keyKnown());
    }

    /** Columns of the key that the next catalog saw, under their names here; empty if one of them has none. */
    private List<String> laterKey(ShapeTrack track, int place, TableShape shape) {
        Optional<Table> seen = track.nearest(place).flatMap(Sight::table);
        List<String> names = new ArrayList<>();
        for (String column : seen.map(Table::key).orElse(List.of())) {
            int id = seen.orElseThrow().column(column).orElseThrow().fieldId();
            Optional<String> here = shape.slots().stream()
                    .filter(slot -> slot.id() == id)
                    .findFirst()
                    .flatMap(TableShape.Slot::name);
            if (here.isEmpty()) {
                return List.of();
            }
            names.add(here.get());
        }
        return names;
    }

    // ------------------------------------------------------------------ other questions

    /** The table behind a statement; empty if it is not there then, or not known. */
    Optional<Described> behind(JournalPosition statement, JournalPosition commit) {
        if (commit.isBefore(soundFrom)) {
            return Optional.empty();
        }
        int place = 0;
        List<Step> steps = timeline.steps();
        for (int i = 0; i < steps.size(); i++) {
            boolean upTo = steps.get(i).commit().isBefore(commit)
                    || steps.get(i).commit().equals(commit)
                            && !(steps.get(i).atOnce()
                                    && statement.isBefore(steps.get(i).statement()));
            if (upTo) {
                place = i + 1;
            }
        }
        return at(place);
    }

    /** The table before everything that is committed at or behind a position; empty if that is not certain. */
    Optional<Described> before(JournalPosition position) {
        return position.isBefore(soundFrom) ? Optional.empty() : at(placeBefore(position));
    }

    /** Whether it is certain that there is no such table before what is committed at or behind a position. */
    boolean isAbsentBefore(JournalPosition position) {
        return !position.isBefore(soundFrom)
                && timeline.feasible(placeBefore(position)).stream()
                        .noneMatch(state -> timeline.isAlive(state) || timeline.isUnseen(state));
    }

    private int placeBefore(JournalPosition position) {
        return (int) timeline.steps().stream()
                .filter(step -> step.commit().isBefore(position))
                .count();
    }

    /** The table at a place, if exactly one state is possible and its layout is known. */
    private Optional<Described> at(int place) {
        if (timeline.feasible(place).cardinality() != 1) {
            return Optional.empty();
        }
        int state = timeline.feasible(place).nextSetBit(0);
        return timeline.format(state).map(format -> describe(new Candidate(state, state, place, false), place));
    }

    @Override
    public String toString() {
        return name.toString();
    }
}
