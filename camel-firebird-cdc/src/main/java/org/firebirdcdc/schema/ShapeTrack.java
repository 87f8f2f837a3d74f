package org.firebirdcdc.schema;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * The shapes of a table along one path through its timeline: what catalogs saw, carried forwards and backwards over the
 * DDL statements in between.
 */
final class ShapeTrack {

    private final TableTimeline timeline;
    private final int[] path;
    private final List<Optional<TableShape>> shapes;
    /** Catalog's picture at a place. */
    private final List<Optional<Sight>> anchors;

    ShapeTrack(TableTimeline timeline, int[] path) {
        this.timeline = timeline;
        this.path = path.clone();
        int places = path.length;
        anchors = new ArrayList<>(Collections.nCopies(places, Optional.empty()));
        List<Optional<TableShape>> onwards = new ArrayList<>(Collections.nCopies(places, Optional.empty()));
        placeSights(onwards);
        follow(onwards, 0, places, Optional.empty());
        List<Optional<TableShape>> first = merged(onwards, backwards(places, onwards));
        // names that ADD told help to tell which of several dropped columns was which
        shapes = merged(onwards, backwards(places, first));
    }

    /** Begins anew, going on, where only what is behind is known; what is known either way is put together. */
    private List<Optional<TableShape>> merged(List<Optional<TableShape>> onwards, List<Optional<TableShape>> back) {
        int places = back.size();
        List<Optional<TableShape>> result = new ArrayList<>();
        for (int place = 0; place < places; place++) {
            if (onwards.get(place).isEmpty() && back.get(place).isPresent()) {
                onwards.set(place, back.get(place));
                follow(onwards, place + 1, places, back.get(place));
            }
            Optional<TableShape> its = back.get(place);
            result.add(onwards.get(place)
                    .map(shape -> its.isPresent() ? shape.completedBy(its.get()) : shape)
                    .or(() -> its));
        }
        return result;
    }

    /** Decides for each sight where on the path it was: as late as it looks like what led there. */
    private void placeSights(List<Optional<TableShape>> scratch) {
        int[] latest = latestPlaces();
        int from = 0;
        for (int seen = 0; seen < latest.length; seen++) {
            if (latest[seen] < 0) {
                continue;
            }
            Sight sight = timeline.sights().get(seen);
            int earliest = from;
            int limit = latest[seen];
            int chosen = limit;
            if (sight.table().isPresent()) {
                follow(scratch, from, chosen + 1, Optional.empty());
                TableShape shape = sight.shape();
                chosen = timeline.placesOf(seen, path).stream()
                        .filter(place -> place >= earliest && place <= limit)
                        .filter(place -> scratch.get(place)
                                .filter(led -> led.looksLike(shape))
                                .isPresent())
                        .max(Integer::compare)
                        .orElse(chosen);
                anchors.set(chosen, Optional.of(sight));
            }
            from = chosen;
        }
    }

    /** The last place where each sight can have been, so that those behind it have one too; -1 if there is none. */
    private int[] latestPlaces() {
        List<Sight> sights = timeline.sights();
        int[] latest = new int[sights.size()];
        int end = path.length - 1;
        for (int seen = sights.size() - 1; seen >= 0; seen--) {
            // two that differ cannot have been at one place
            boolean differs = seen + 1 < sights.size() && sights.get(seen).differsFrom(sights.get(seen + 1));
            int limit = end;
            List<Integer> places = timeline.placesOf(seen, path).stream()
                    .filter(place -> place <= limit)
                    .toList();
            latest[seen] = places.stream()
                    .filter(place -> !differs || place < limit)
                    .max(Integer::compare)
                    .or(() -> places.stream().max(Integer::compare))
                    .orElse(-1);
            end = latest[seen] >= 0 ? latest[seen] : end;
        }
        return latest;
    }

    /** Fills places from one on; a shape that is given stands at the place before. */
    private void follow(List<Optional<TableShape>> into, int from, int until, Optional<TableShape> start) {
        Optional<TableShape> before = start.isPresent() || from == 0 ? start : into.get(from - 1);
        for (int place = from; place < until; place++) {
            Optional<TableShape> shape =
                    anchors.get(place).isPresent() ? anchors.get(place).map(Sight::shape) : step(place, before);
            if (start.isPresent() && shape.isEmpty()) {
                return;
            }
            into.set(place, shape);
            before = shape;
        }
    }

    private Optional<TableShape> step(int place, Optional<TableShape> before) {
        if (place == 0 || timeline.isHidden(place - 1) || !timeline.isAlive(path[place])) {
            return Optional.empty();
        }
        List<Ddl> changes = timeline.steps().get(place - 1).changes();
        int created = lastCreation(changes);
        if (created >= 0 && isOtherLife(place)) {
            return TableShape.of(
                    (Ddl.CreateTable) changes.get(created),
                    changes.subList(created + 1, changes.size()),
                    timeline.format(path[place]));
        }
        return isOtherLife(place)
                ? Optional.empty()
                : before.flatMap(shape -> shape.after(changes, timeline.format(path[place])));
    }

    private boolean isOtherLife(int place) {
        return !timeline.isAlive(path[place - 1]) || timeline.life(path[place - 1]) != timeline.life(path[place]);
    }

    private static int lastCreation(List<Ddl> changes) {
        for (int i = changes.size() - 1; i >= 0; i--) {
            if (changes.get(i) instanceof Ddl.CreateTable) {
                return i;
            }
        }
        return -1;
    }

    private List<Optional<TableShape>> backwards(int places, List<Optional<TableShape>> hints) {
        List<Optional<TableShape>> back = new ArrayList<>(Collections.nCopies(places, Optional.empty()));
        Optional<TableShape> behind = Optional.empty();
        for (int place = places - 1; place >= 0; place--) {
            Optional<TableShape> shape = anchors.get(place).map(Sight::shape);
            if (shape.isEmpty()
                    && place + 1 < places
                    && !timeline.isHidden(place)
                    && timeline.isAlive(path[place])
                    && timeline.isAlive(path[place + 1])
                    && !isOtherLife(place + 1)) {
                List<Ddl> changes = timeline.steps().get(place).changes();
                Optional<RecordFormat> format = timeline.format(path[place]);
                Optional<TableShape> hint = hints.get(place);
                shape = behind.flatMap(later -> later.before(changes, format, hint));
            }
            back.set(place, shape);
            behind = shape;
        }
        return back;
    }

    int state(int place) {
        return path[place];
    }

    /** The last place up to one at which the table was in a state; -1 if it never was. */
    int lastPlaceOf(int state, int upTo) {
        for (int place = upTo; place >= 0; place--) {
            if (path[place] == state) {
                return place;
            }
        }
        return -1;
    }

    /** Whether the path shows the begin of the life at a place. */
    boolean hasBirthOf(int place) {
        for (int before = place - 1; before >= 0; before--) {
            if (!isSameLife(before, place)) {
                return true;
            }
        }
        return false;
    }

    /** Whether a catalog saw the table at a place. */
    boolean isSeen(int place) {
        return anchors.get(place).isPresent();
    }

    Optional<TableShape> shape(int place) {
        return shapes.get(place);
    }

    /** What the nearest catalog saw of the life at a place: the next one, else the one before. */
    Optional<Sight> nearest(int place) {
        for (int i = place; i < path.length; i++) {
            if (anchors.get(i).isPresent() && isSameLife(i, place)) {
                return anchors.get(i);
            }
        }
        for (int i = place - 1; i >= 0; i--) {
            if (anchors.get(i).isPresent() && isSameLife(i, place)) {
                return anchors.get(i);
            }
        }
        return Optional.empty();
    }

    private boolean isSameLife(int place, int other) {
        return timeline.isAlive(path[place])
                && timeline.isAlive(path[other])
                && timeline.life(path[place]) == timeline.life(path[other]);
    }

    @Override
    public String toString() {
        return timeline + " by " + Arrays.toString(path);
    }
}
