package org.firebirdcdc.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The compact forms of savepoints and undo against lists of changes on a stack (segment-format.md 5.1). */
class SavepointStackTest {

    private static final int STEPS = 5_000;
    private static final int SLOTS = 40;

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 20);
    }

    /** A change as the plain rules keep it. */
    private record Change(long ordinal, int slot) {}

    @ParameterizedTest
    @MethodSource("seeds")
    void countsAndUndoneChangesAreThoseOfThePlainRules(long seed) {
        Random random = new Random(seed);
        int liveliness = 1 + random.nextInt(60);
        SavepointStack stack = new SavepointStack();
        UndoneRanges undone = new UndoneRanges();
        Deque<List<Change>> plain = new ArrayDeque<>();
        plain.push(new ArrayList<>());
        long ordinal = 0;
        for (int step = 0; step < STEPS; step++) {
            int dice = random.nextInt(100);
            if (dice < 25) {
                stack.push(ordinal);
                plain.push(new ArrayList<>());
            } else if (dice < 40 && plain.size() > 1) {
                stack.release();
                List<Change> inner = plain.pop();
                plain.peek().addAll(inner);
            } else if (dice < 50 && plain.size() > 1) {
                undone.undo(stack.rollback(), ordinal);
                plain.pop();
            } else if (dice < 50 + liveliness) {
                int slot = random.nextInt(1 + random.nextInt(SLOTS));
                stack.count(slot);
                plain.peek().add(new Change(ordinal, slot));
                ordinal++;
            } else {
                // a change that is of no interest has an ordinal, too
                ordinal++;
            }
            assertThat(stack.depth()).isEqualTo(plain.size() - 1);
            assertThat(stack.isEmpty()).isEqualTo(plain.stream().allMatch(List::isEmpty));
            if (step % 97 == 0) {
                compare(stack, plain);
            }
        }
        compare(stack, plain);
        BitSet alive = new BitSet();
        plain.forEach(list -> list.forEach(change -> alive.set((int) change.ordinal())));
        BitSet counted = new BitSet();
        UndoneRanges.Cursor cursor = undone.cursor();
        for (long i = 0; i < ordinal; i++) {
            if (!cursor.isUndone(i)) {
                counted.set((int) i);
            }
        }
        // what lives is not undone; what was counted and does not live is
        BitSet missed = (BitSet) alive.clone();
        missed.andNot(counted);
        assertThat(missed.isEmpty())
                .as("live changes that count as undone: %s", missed)
                .isTrue();
        assertThat(undoneByRules(seed)).isEqualTo(ofCursor(undone, ordinal));
    }

    private static void compare(SavepointStack stack, Deque<List<Change>> plain) {
        for (int slot = 0; slot < SLOTS; slot++) {
            int wanted = slot;
            long expected = plain.stream()
                    .flatMap(List::stream)
                    .filter(change -> change.slot() == wanted)
                    .count();
            assertThat(stack.total(slot)).as("slot %d", slot).isEqualTo(expected);
        }
    }

    private static BitSet ofCursor(UndoneRanges undone, long ordinal) {
        BitSet set = new BitSet();
        UndoneRanges.Cursor cursor = undone.cursor();
        for (long i = 0; i < ordinal; i++) {
            if (cursor.isUndone(i)) {
                set.set((int) i);
            }
        }
        return set;
    }

    /** The same steps, with every undo written out ordinal by ordinal. */
    private static BitSet undoneByRules(long seed) {
        Random random = new Random(seed);
        int liveliness = 1 + random.nextInt(60);
        BitSet undone = new BitSet();
        Deque<Long> marks = new ArrayDeque<>();
        long ordinal = 0;
        for (int step = 0; step < STEPS; step++) {
            int dice = random.nextInt(100);
            if (dice < 25) {
                marks.push(ordinal);
            } else if (dice < 40 && !marks.isEmpty()) {
                marks.pop();
            } else if (dice < 50 && !marks.isEmpty()) {
                undone.set(marks.pop().intValue(), (int) ordinal);
            } else {
                if (dice < 50 + liveliness) {
                    random.nextInt(1 + random.nextInt(SLOTS));
                }
                ordinal++;
            }
        }
        return undone;
    }

    @Test
    void anUndoOfNothingLeavesNoTrace() {
        UndoneRanges undone = new UndoneRanges();
        undone.undo(0, 0);
        undone.undo(5, 5);
        assertThat(ofCursor(undone, 10).isEmpty()).isTrue();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aListOfLongsIsThatOfTheJdk(long seed) {
        Random random = new Random(seed);
        LongList list = new LongList();
        List<Long> plain = new ArrayList<>();
        for (int step = 0; step < 20_000; step++) {
            int dice = random.nextInt(100);
            // grows in some stretches and shrinks in others, over the borders of chunks
            int adding = step / 2_000 % 2 == 0 ? 80 : 30;
            if (dice < adding || plain.isEmpty()) {
                long value = random.nextLong();
                list.add(value);
                plain.add(value);
            } else if (dice < 90) {
                list.removeLast();
                plain.remove(plain.size() - 1);
            } else {
                int index = random.nextInt(plain.size());
                list.set(index, step);
                plain.set(index, (long) step);
            }
            assertThat(list.size()).isEqualTo(plain.size());
        }
        for (int i = 0; i < plain.size(); i++) {
            assertThat(list.get(i)).isEqualTo(plain.get(i));
        }
    }

    @Test
    void blockReferencesGiveBackWhatWasAdded() {
        Random random = new Random(1);
        BlockReferences blocks = new BlockReferences();
        List<String> plain = new ArrayList<>();
        long segment = 1;
        for (int i = 0; i < 3_000; i++) {
            segment += random.nextInt(50) == 0 ? 1 + random.nextInt(3) : 0;
            blocks.add(segment, i * 100L);
            plain.add(segment + ":" + i * 100L);
        }
        assertThat(blocks.size()).isEqualTo(plain.size());
        assertThat(blocks.first()).hasToString(plain.get(0));
        for (int round = 0; round < 2; round++) {
            BlockReferences.Cursor cursor = blocks.cursor();
            List<String> seen = new ArrayList<>();
            while (cursor.advance()) {
                seen.add(cursor.segment() + ":" + cursor.offset());
            }
            assertThat(seen).isEqualTo(plain);
            assertThat(cursor.advance()).isFalse();
        }
    }
}
