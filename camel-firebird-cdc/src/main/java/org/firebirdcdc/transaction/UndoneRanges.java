package org.firebirdcdc.transaction;

/**
 * Which changes of a transaction were taken back: ranges of change ordinals, disjoint and ascending. Undo always reaches
 * from a mark to "now", so a new range swallows those behind its start.
 */
final class UndoneRanges {

    /** Pairs: start (inclusive), end (exclusive). */
    private final LongList bounds = new LongList();

    /** Takes back all changes from {@code mark} on; {@code now} is the ordinal that the next change will have. */
    void undo(long mark, long now) {
        if (mark == now) {
            return;
        }
        while (bounds.size() > 0 && bounds.get(bounds.size() - 2) >= mark) {
            bounds.removeLast();
            bounds.removeLast();
        }
        if (bounds.size() > 0 && bounds.get(bounds.size() - 1) >= mark) {
            bounds.set(bounds.size() - 1, now);
        } else {
            bounds.add(mark);
            bounds.add(now);
        }
    }

    Cursor cursor() {
        return new Cursor();
    }

    /** Answers for ascending ordinals. */
    final class Cursor {
        private int index;

        boolean isUndone(long ordinal) {
            while (index < bounds.size() && bounds.get(index + 1) <= ordinal) {
                index += 2;
            }
            return index < bounds.size() && bounds.get(index) <= ordinal;
        }
    }
}
