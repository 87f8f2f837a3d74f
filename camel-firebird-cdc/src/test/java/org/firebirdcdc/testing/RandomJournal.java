package org.firebirdcdc.testing;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.firebirdcdc.journal.ObjectName;
import org.firebirdcdc.testing.SegmentBuilder.Operations;

/**
 * A journal made at random from a seed, with what must be delivered from it, worked out beside it by the rules of
 * segment-format.md 4.8 and 5.1 in the simplest way: lists of texts on a stack. Transactions interleave block by block over
 * several segments; they have savepoints, blobs over blocks, statements, rows of a table that is left out, and end in every
 * way there is.
 */
public final class RandomJournal {

    private static final int BEGIN = SegmentBuilder.BEGIN;
    private static final int END = SegmentBuilder.END;

    private final Random random;
    private final boolean ddl;
    private final boolean sequences;
    private final List<SegmentBuilder> segments = new ArrayList<>();
    private final List<String> expected = new ArrayList<>();
    private int nextId = 1;

    /** One transaction: its blocks, in order, and what its commit delivers. */
    private static final class Plan {
        final long number;
        final Deque<Block> blocks = new ArrayDeque<>();
        final List<String> events = new ArrayList<>();

        Plan(long number) {
            this.number = number;
        }
    }

    /** One block, and the values of sequences that it sets. */
    private record Block(int flags, List<Consumer<Operations>> operations, boolean commits, List<String> sequences) {}

    private RandomJournal(long seed, boolean ddl, boolean sequences) {
        this.random = new Random(seed);
        this.ddl = ddl;
        this.sequences = sequences;
    }

    /**
     * @param ddl       whether statements are to be delivered
     * @param sequences whether values of sequences are
     */
    public static RandomJournal of(long seed, boolean ddl, boolean sequences) {
        RandomJournal journal = new RandomJournal(seed, ddl, sequences);
        journal.make(3 + journal.random.nextInt(5), 40 + journal.random.nextInt(60));
        return journal;
    }

    public List<SegmentBuilder> segments() {
        return segments;
    }

    public void write(Path directory) {
        segments.forEach(segment -> segment.write(directory));
    }

    /** Texts of the deliveries, in order: {@link EventText}, or {@code seq G=1}. */
    public List<String> expected() {
        return expected;
    }

    private boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    // ------------------------------------------------------------------------------------------------ interleaving

    private void make(int segmentCount, int blocksPerSegment) {
        List<Plan> running = new ArrayList<>();
        long number = 10;
        for (int s = 1; s <= segmentCount; s++) {
            SegmentBuilder segment = SegmentBuilder.segment(s);
            segments.add(segment);
            int blocks = 1 + random.nextInt(blocksPerSegment);
            for (int b = 0; b < blocks; b++) {
                if (running.isEmpty() || running.size() < 6 && chance(30)) {
                    number += 1 + random.nextInt(3);
                    running.add(plan(number));
                }
                Plan plan = running.get(random.nextInt(running.size()));
                if (chance(1)) {
                    segment.cleanupAll();
                    running.clear();
                } else if (chance(2)) {
                    segment.end(plan.number, Operations::cleanup);
                    running.remove(plan);
                } else {
                    write(segment, plan);
                    if (plan.blocks.isEmpty()) {
                        running.remove(plan);
                    }
                }
            }
        }
    }

    private void write(SegmentBuilder segment, Plan plan) {
        Block block = plan.blocks.removeFirst();
        segment.block(plan.number, block.flags(), o -> block.operations().forEach(op -> op.accept(o)));
        if (sequences) {
            expected.addAll(block.sequences());
        }
        if (block.commits() && !plan.events.isEmpty()) {
            expected.add(plan.number + ": " + String.join(", ", plan.events));
        }
    }

    // ------------------------------------------------------------------------------------------------ one transaction

    private Plan plan(long number) {
        return new Planner(number, chance(25)).plan();
    }

    private final class Planner {
        private final Plan plan;
        /** Works on the table that is left out for most of its life. */
        private final boolean unwanted;
        /** Bottom is the transaction, then a list for each savepoint. */
        private final Deque<List<String>> stack = new ArrayDeque<>();

        private List<Consumer<Operations>> block = new ArrayList<>();
        private List<String> values = new ArrayList<>();
        private int flags = BEGIN;

        Planner(long number, boolean unwanted) {
            this.plan = new Plan(number);
            this.unwanted = unwanted;
            stack.push(new ArrayList<>());
            block.add(Operations::start);
        }

        Plan plan() {
            int steps = random.nextInt(chance(20) ? 60 : 12);
            for (int i = 0; i < steps; i++) {
                step();
                if (chance(20)) {
                    flush(0, false);
                }
            }
            end();
            return plan;
        }

        private void flush(int more, boolean commits) {
            plan.blocks.add(new Block(flags | more, block, commits, values));
            block = new ArrayList<>();
            values = new ArrayList<>();
            flags = 0;
        }

        private void step() {
            int dice = random.nextInt(100);
            if (dice < 25) {
                block.add(Operations::savepoint);
                stack.push(new ArrayList<>());
            } else if (dice < 40 && stack.size() > 1) {
                block.add(Operations::release);
                List<String> inner = stack.pop();
                stack.peek().addAll(inner);
            } else if (dice < 55 && stack.size() > 1) {
                block.add(Operations::undo);
                stack.pop();
                if (chance(70)) {
                    flush(0, false);
                }
            } else if (dice < 58) {
                statement();
            } else if (dice < 61) {
                // in the middle of a block: no server does, yet reading must be able to go on behind it
                sequence();
            } else {
                row();
            }
        }

        private void statement() {
            String sql = "ALTER TABLE T" + nextId++;
            block.add(o -> o.sql("SYSDBA", sql));
            if (ddl) {
                stack.peek().add("ddl " + sql);
            }
        }

        private void sequence() {
            int value = nextId++;
            block.add(o -> o.sequence(ObjectName.of("G"), value));
            values.add("seq G=" + value);
        }

        private void row() {
            ObjectName table = chance(unwanted ? 95 : 20) ? SmallTables.X : chance(50) ? SmallTables.T : SmallTables.U;
            int id = nextId++;
            boolean wanted = !table.equals(SmallTables.X);
            int dice = random.nextInt(3);
            if (dice == 2) {
                block.add(o -> o.delete(table, SmallTables.row(id, 77, SmallTables.NULL)));
                event(wanted, "d " + table + " " + id);
                return;
            }
            long a = SmallTables.NULL;
            long b = SmallTables.NULL;
            String text = "";
            if (chance(40)) {
                a = 0x80L << 32 | random.nextInt(3);
                text += " A=" + blob(a);
            }
            if (chance(20)) {
                boolean same = a != SmallTables.NULL && chance(50);
                b = same ? a : 0x81L << 32 | random.nextInt(3);
                text += " B=" + (same ? text.substring(3) : blob(b));
            }
            byte[] image = SmallTables.row(id, a, b);
            if (dice == 0) {
                block.add(o -> o.insert(table, image));
            } else {
                block.add(o -> o.update(table, SmallTables.row(id), image));
            }
            event(wanted, (dice == 0 ? "c " : "u ") + table + " " + id + text);
        }

        private void event(boolean wanted, String text) {
            if (wanted) {
                stack.peek().add(text);
            }
        }

        /** Stores a blob, perhaps an earlier generation of it first, perhaps in pieces over blocks; gives its content. */
        private String blob(long id) {
            if (chance(20)) {
                String earlier = "old" + nextId++;
                block.add(o -> o.blob(id, earlier));
            }
            StringBuilder content = new StringBuilder();
            while (chance(30)) {
                String part = chance(20) ? "" : content() + "|";
                content.append(part);
                block.add(part.isEmpty() ? o -> o.blobPart(id) : o -> o.blobPart(id, part));
                flush(0, false);
            }
            if (chance(20)) {
                block.add(o -> o.blob(id));
            } else {
                String last = content();
                content.append(last);
                block.add(o -> o.blob(id, last));
            }
            if (chance(20)) {
                flush(0, false);
            }
            return content.toString();
        }

        private String content() {
            return "b" + nextId++ + "x".repeat(chance(3) ? 40_000 + random.nextInt(25_000) : random.nextInt(30));
        }

        private void end() {
            int dice = random.nextInt(100);
            if (dice < 70) {
                if (chance(80)) {
                    flush(0, false);
                }
                if (chance(20)) {
                    sequence();
                }
                block.add(Operations::commit);
                new ArrayDeque<>(stack).descendingIterator().forEachRemaining(plan.events::addAll);
                flush(END, true);
            } else if (dice < 85) {
                if (chance(50)) {
                    flush(0, false);
                }
                block.add(Operations::rollback);
                flush(END, false);
            } else if (dice < 92) {
                // an end without commit or rollback
                flush(END, false);
            } else if (!block.isEmpty()) {
                // never ends
                flush(0, false);
            }
        }
    }
}
