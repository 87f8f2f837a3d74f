package org.firebirdcdc.capture;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.firebirdcdc.checkpoint.SegmentMark;

/** What is remembered of segments that were read: enough to notice that one comes again with other content. */
final class SegmentLedger {

    /** Older ones are forgotten: a checkpoint is written often and must stay small. */
    private static final int MAX_MARKS = 10_000;

    private final TreeMap<Long, SegmentMark> marks = new TreeMap<>();

    void restore(Collection<SegmentMark> saved) {
        saved.forEach(mark -> marks.put(mark.sequence(), mark));
    }

    Optional<SegmentMark> get(long sequence) {
        return Optional.ofNullable(marks.get(sequence));
    }

    void put(SegmentMark mark) {
        marks.put(mark.sequence(), mark);
        while (marks.size() > MAX_MARKS) {
            marks.pollFirstEntry();
        }
    }

    void remove(long sequence) {
        marks.remove(sequence);
    }

    /** All marks from a number on. */
    List<SegmentMark> from(long sequence) {
        return new ArrayList<>(marks.tailMap(sequence, true).values());
    }

    List<SegmentMark> all() {
        return new ArrayList<>(marks.values());
    }
}
