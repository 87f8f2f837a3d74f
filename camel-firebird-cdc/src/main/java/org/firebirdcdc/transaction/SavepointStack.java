package org.firebirdcdc.transaction;

import java.util.Arrays;

/**
 * The savepoints of an open transaction (segment-format.md 5.1): for each the ordinal at which it was set, and how many
 * events were made under it per slot (a slot is an included table, or DDL). The bottom is the transaction itself and never
 * popped. Arrays are kept per depth, so the usual savepoint around each statement allocates nothing.
 */
final class SavepointStack {

    private long[] marks = new long[4];
    private long[][] counts = new long[4][];
    /** Slots in use in each frame: all counts from here on are 0. */
    private int[] used = new int[4];

    private int depth;
    /** Events of all slots in all frames. */
    private long events;

    /** Savepoints that are open, 0 for none. */
    int depth() {
        return depth;
    }

    void push(long ordinal) {
        depth++;
        if (depth == marks.length) {
            marks = Arrays.copyOf(marks, depth * 2);
            counts = Arrays.copyOf(counts, depth * 2);
            used = Arrays.copyOf(used, depth * 2);
        }
        marks[depth] = ordinal;
        used[depth] = 0;
    }

    /** The innermost savepoint's events now belong to the one below. */
    void release() {
        long[] from = counts[depth];
        for (int slot = 0; slot < used[depth]; slot++) {
            if (from[slot] != 0) {
                add(depth - 1, slot, from[slot]);
                from[slot] = 0;
            }
        }
        depth--;
    }

    /** The innermost savepoint's events are gone; gives its mark. */
    long rollback() {
        for (int slot = 0; slot < used[depth]; slot++) {
            events -= counts[depth][slot];
            counts[depth][slot] = 0;
        }
        return marks[depth--];
    }

    void count(int slot) {
        add(depth, slot, 1);
        events++;
    }

    private void add(int frame, int slot, long count) {
        long[] target = counts[frame];
        if (target == null || slot >= target.length) {
            target = target == null ? new long[Math.max(2, slot + 1)] : Arrays.copyOf(target, slot * 2);
            counts[frame] = target;
        }
        target[slot] += count;
        used[frame] = Math.max(used[frame], slot + 1);
    }

    /** Events of a slot over all open savepoints. */
    long total(int slot) {
        long sum = 0;
        for (int frame = 0; frame <= depth; frame++) {
            if (slot < used[frame]) {
                sum += counts[frame][slot];
            }
        }
        return sum;
    }

    /** Whether no event of any slot is left. */
    boolean isEmpty() {
        return events == 0;
    }
}
