package org.firebirdcdc.delivery;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.firebirdcdc.journal.DatabaseGuid;
import org.firebirdcdc.testing.Corpus;
import org.firebirdcdc.testing.Corpus.Recording;
import org.firebirdcdc.testing.SegmentBuilder;

/**
 * A journal of the table ORDERS in which transactions overlap and span segments, made of blocks that a real server wrote:
 * each recorded transaction of one row keeps its place in commit order, but may begin up to some hundred transactions
 * earlier; a part of the recorded transaction of very many rows lies between them; some transactions are rolled back.
 * What must come out follows from the SQL of the recordings alone.
 */
final class OrdersJournal {

    static final String TOPIC = "firebird.ORDERS";

    private static final Recording SMALL = Corpus.recording("fb40/12b-bulk-small-transactions");
    private static final Recording LARGE = Corpus.recording("fb40/12a-bulk-one-transaction");

    /** The recording inserts rows 1 to 30 000, updates 30 000 down to 15 001 and deletes 15 000 down to 10 001. */
    private static final int INSERTS = 30_000;

    private static final int MIDDLE = 15_000;
    private static final int MOST_AROUND_MIDDLE = 5_000;

    private static final long LARGE_TRANSACTION = 13;
    private static final long FIRST_ROLLED_BACK = 1_000_000;

    private final List<SegmentBuilder> segments = new ArrayList<>();
    private final List<List<String>> transactions = new ArrayList<>();
    private final Map<Long, Map<String, String>> rows = new TreeMap<>();

    private record Block(long transaction, int flags, byte[] content) {}

    /** A block and its place among the others. */
    private record Placed(double place, Block block) {}

    /**
     * @param around      so many rows on either side of row 15 000 are inserted, then updated or deleted
     * @param largeBlocks blocks of the transaction of many rows, about 2 800 rows each; 0 to leave it out
     * @param blocks      most blocks of a segment
     */
    OrdersJournal(Path scratch, int around, int largeBlocks, int blocks, Random random) {
        if (around > MOST_AROUND_MIDDLE) {
            throw new IllegalArgumentException("the recording deletes no more than 5 000 rows");
        }
        List<Placed> placed = new ArrayList<>();
        List<Block> recorded = blocks(SMALL, scratch.resolve("small"));
        int committed = 0;
        for (int i = 0; i < recorded.size(); i += 2) {
            int order = i / 2;
            long id = order < INSERTS ? order + 1 : 2L * INSERTS - order;
            if (Math.abs(id - MIDDLE) <= around) {
                boolean early = random.nextInt(4) == 0;
                double begin = committed - (early ? random.nextInt(Math.min(200, around)) : 0) - 0.5;
                placed.add(new Placed(begin, recorded.get(i)));
                placed.add(new Placed(committed, recorded.get(i + 1)));
                if (random.nextInt(20) == 0) {
                    rollBack(placed, begin + random.nextInt(50), recorded.get(i), committed);
                }
                transactions.add(order < INSERTS ? inserted(id) : id > MIDDLE ? updated(id) : deleted(id));
                committed++;
            }
        }
        if (largeBlocks > 0) {
            addLarge(placed, blocks(LARGE, scratch.resolve("large")).subList(0, largeBlocks), around);
        }
        placed.sort(Comparator.comparingDouble(Placed::place));
        cut(placed, blocks, random);
    }

    private static void rollBack(List<Placed> placed, double place, Block like, int order) {
        long number = FIRST_ROLLED_BACK + order;
        placed.add(new Placed(place, new Block(number, SegmentBuilder.BEGIN, like.content())));
        placed.add(new Placed(place + 30, new Block(number, SegmentBuilder.END, new byte[] {4})));
    }

    /** It begins early, and commits behind the last insert. */
    private void addLarge(List<Placed> placed, List<Block> blocks, int around) {
        List<String> changes = new ArrayList<>();
        int commit = 2 * around + 1;
        for (int i = 0; i < blocks.size(); i++) {
            placed.add(new Placed((double) commit * i / blocks.size(), blocks.get(i)));
            int count = rowsOf(blocks.get(i));
            for (int row = 0; row < count; row++) {
                long id = changes.size() + 1L;
                changes.add("c " + id);
                rows.put(id, largeRow(id));
            }
        }
        // the recorded transaction began with a savepoint, which ends behind its last row
        placed.add(new Placed(commit - 0.25, new Block(LARGE_TRANSACTION, SegmentBuilder.END, new byte[] {7, 3})));
        transactions.add(commit, changes);
    }

    /** A block holds an insert of an image of fixed length for each row. */
    private static int rowsOf(Block block) {
        ByteBuffer content = ByteBuffer.wrap(block.content()).order(ByteOrder.LITTLE_ENDIAN);
        int atom = block.flags() == SegmentBuilder.BEGIN ? 2 : 0;
        int first = atom + 2 + content.get(atom + 1);
        int image = content.getInt(first + 5);
        return (content.limit() - first) / (1 + 4 + 4 + image);
    }

    private void cut(List<Placed> placed, int most, Random random) {
        DatabaseGuid guid = SMALL.catalogs().get(0).database().guid().orElseThrow();
        int from = 0;
        while (from < placed.size()) {
            int to = Math.min(placed.size(), from + most / 2 + random.nextInt(most / 2 + 1));
            SegmentBuilder segment =
                    SegmentBuilder.segment(segments.size() + 1L).guid(guid);
            for (Placed p : placed.subList(from, to)) {
                Block block = p.block();
                segment.raw(ByteBuffer.allocate(16 + block.content().length)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putLong(block.transaction())
                        .putShort((short) 1)
                        .putShort((short) block.flags())
                        .putInt(block.content().length)
                        .put(block.content())
                        .array());
            }
            segments.add(segment);
            from = to;
        }
    }

    private static List<Block> blocks(Recording recording, Path scratch) {
        List<Block> blocks = new ArrayList<>();
        try (Stream<Path> files = Files.list(recording.segments(scratch))) {
            for (Path file : files.sorted().toList()) {
                ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
                bytes.position(48);
                while (bytes.hasRemaining()) {
                    long transaction = bytes.getLong();
                    bytes.getShort();
                    int flags = bytes.getShort();
                    byte[] content = new byte[bytes.getInt()];
                    bytes.get(content);
                    blocks.add(new Block(transaction, flags, content));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return blocks;
    }

    // ------------------------------------------------------------------------------------------------ what must come
    // out

    private List<String> inserted(long id) {
        rows.put(id, row(id, "NEW", false, null));
        return List.of("c " + id);
    }

    private List<String> updated(long id) {
        rows.put(id, row(id, "PAID", true, null));
        return List.of("u " + id);
    }

    private List<String> deleted(long id) {
        rows.remove(id);
        return List.of("d " + id, "t " + id);
    }

    private static Map<String, String> largeRow(long id) {
        String status =
                switch ((int) (id % 4)) {
                    case 0 -> "NEW";
                    case 1 -> "PAID";
                    case 2 -> "SHIPPED";
                    default -> null;
                };
        return row(id, status, id % 3 == 0, id % 10 == 0 ? "заказ № " + id : null);
    }

    private static Map<String, String> row(long id, String status, boolean paid, String remark) {
        long customer = id * 7919 % 5000 + 1;
        long amount = id * 104_729 % 1_000_000;
        long seconds = LocalDateTime.of(2024, 1, 1, 0, 0).toEpochSecond(ZoneOffset.UTC) + id;
        Map<String, String> row = new TreeMap<>();
        row.put("ID", Long.toString(id));
        row.put("CUSTOMER_ID", Long.toString(customer));
        row.put("PLACED", Long.toString(seconds * 1_000_000));
        row.put("STATUS", String.valueOf(status));
        row.put("AMOUNT", String.format("%d.%02d", amount / 100, amount % 100));
        row.put("PAID", Boolean.toString(paid));
        row.put("EMAIL", "user" + (customer - 1) + "@example.org");
        row.put("REMARK", String.valueOf(remark));
        return row;
    }

    /** The records of each committed transaction, in commit order: {@code c}, {@code u}, {@code d} or {@code t} and the key. */
    List<List<String>> transactions() {
        return transactions;
    }

    /** All records in order. */
    List<String> records() {
        return transactions.stream().flatMap(List::stream).toList();
    }

    /** The rows at the end by key, values as text. */
    Map<Long, Map<String, String>> rows() {
        return rows;
    }

    // ------------------------------------------------------------------------------------------------ feeding

    int segmentCount() {
        return segments.size();
    }

    static Path catalog() {
        return SMALL.folder().resolve("catalog.json");
    }

    static String fileName(long sequence) {
        return SegmentBuilder.segment(sequence).fileName();
    }

    /** Puts a segment into the directory as a careful archive command does: complete, then renamed. */
    void feed(int sequence, Path directory) {
        SegmentBuilder segment = segments.get(sequence - 1);
        Path temporary = segment.write(directory, "." + segment.fileName() + ".part");
        try {
            Files.move(temporary, directory.resolve(segment.fileName()), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void feedAll(Path directory) {
        for (int sequence = 1; sequence <= segments.size(); sequence++) {
            feed(sequence, directory);
        }
    }
}
