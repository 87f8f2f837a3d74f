package org.firebirdcdc.transaction;

import org.firebirdcdc.journal.JournalPosition;

/** Where the blocks of one transaction stand, in order: 8 bytes a block, 16 more for each segment. */
final class BlockReferences {

    private final LongList offsets = new LongList();
    /** Pairs: sequence of a segment, index of its first block in {@link #offsets}. */
    private final LongList segments = new LongList();

    void add(long segment, long offset) {
        if (segments.size() == 0 || segments.get(segments.size() - 2) != segment) {
            segments.add(segment);
            segments.add(offsets.size());
        }
        offsets.add(offset);
    }

    int size() {
        return offsets.size();
    }

    JournalPosition first() {
        return new JournalPosition(segments.get(0), offsets.get(0));
    }

    /** A walk from the first block on. */
    Cursor cursor() {
        return new Cursor();
    }

    /** Not thread-safe; several cursors do not disturb each other. */
    final class Cursor {
        private int next;
        private int nextSegment;
        private long segment;

        /** Goes to the next block; false behind the last. */
        boolean advance() {
            if (next == offsets.size()) {
                return false;
            }
            if (nextSegment < segments.size() && segments.get(nextSegment + 1) == next) {
                segment = segments.get(nextSegment);
                nextSegment += 2;
            }
            next++;
            return true;
        }

        long segment() {
            return segment;
        }

        long offset() {
            return offsets.get(next - 1);
        }
    }
}
