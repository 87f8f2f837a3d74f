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
        List<Optional<TableShape>> back = backwards(places);
        for (int place = 0; place < places; place++) {
            if (onwards.get(place).isEmpty() && back.get(place).isPresent()) {
                onwards.set(place, back.get(place));
                follow(onwards, place + 1, places, back.get(place));
            }
        }
        List<Optional<TableShape>> merged = new ArrayList<>();
        for (int place = 0; place < places; place++) {
            Optional<TableShape> its = back.get(place);
            merged.add(onwards.get(place)
                    .map(shape -> its.isPresent() ? shape.completedBy(its.get()) : shape)
                    .or(() -> its));
        }
        shapes = merged;
    }

    /** Decides for each sight where on the path it was: as late as it looks like what led there. */
    private void placeSights(List<Optional<TableShape>> scratch) {
        int from = 0;
        for (int seen = 0; seen < timeline.sights().size(); seen++) {
            Sight sight = timeline.sights().get(seen);
            int earliest = from;
            List<Integer> places = timeline.placesOf(seen, path).stream()
                    .filter(place -> place >= earliest)
                    .toList();
            if (places.isEmpty()) {
                continue;
            }
            int chosen = places.get(places.size() - 1);
            if (sight.table().isPresent() && places.size() > 1) {
                follow(scratch, from, chosen + 1, Optional.empty());
                TableShape shape = sight.shape();
                chosen = places.stream()
                        .filter(place -> scratch.get(place)
                                .filter(led -> led.looksLike(shape))
                                .isPresent())
                        .max(Integer::compare)
                        .orElse(chosen);
            }
            if (sight.table().isPresent()) {
                anchors.set(chosen, Optional.of(sight));
            }
            from = chosen;
        }
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
            return TableShape.of((Ddl.CreateTable) changes.get(created))
                    .flatMap(shape ->
                            shape.after(changes.subList(created + 1, changes.size()), timeline.format(path[place])));
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

    private List<Optional<TableShape>> backwards(int places) {
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
                shape = behind.flatMap(later -> later.before(changes, format));
            }
            back.set(place, shape);
            behind = shape;
        }
        return back;
    }

    int[] path() {
        return path.clone();
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

    boolean isKnown(int place) {
        return shapes.get(place).isPresent();
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
