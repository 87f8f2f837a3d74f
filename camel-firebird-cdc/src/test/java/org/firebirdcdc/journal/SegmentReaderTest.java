package org.firebirdcdc.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;
import org.firebirdcdc.testing.SegmentBuilder;
import org.firebirdcdc.testing.SegmentBuilder.Operations;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SegmentReaderTest {

    private static final ObjectName T = ObjectName.of("T");

    /** The segment of 430 bytes of segment-format.md section 0. */
    private static final String WORKED_EXAMPLE =
            """
            46 42 43 48 41 4e 47 45 4c 4f 47 00 01 00 03 00
            55 83 df ac 6d 19 db 4b a7 04 81 04 22 58 51 f0
            01 00 00 00 00 00 00 00 ae 01 00 00 00 00 00 00
            0b 00 00 00 00 00 00 00 01 00 01 00 6e 00 00 00
            01 06 0c 80 00 00 00 00 00 00 00 02 00 68 69 00
            00 10 04 44 45 4d 4f 09 00 00 00 00 20 00 00 00
            f8 00 00 00 01 00 00 00 04 00 5a 6f c3 ab 00 00
            00 00 00 00 00 00 00 00 80 00 00 00 00 00 00 00
            07 06 06 09 00 00 00 00 20 00 00 00 fe 00 00 00
            09 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
            00 00 00 00 00 00 00 00 00 00 00 00 07 08 0b 00
            00 00 00 00 00 00 01 00 02 00 11 00 00 00 10 01
            47 0e 00 00 00 00 01 00 00 00 00 00 00 00 03 0e
            00 00 00 00 00 00 00 01 00 01 00 34 00 00 00 01
            06 10 06 53 59 53 44 42 41 0f 00 00 00 00 04 1f
            00 00 00 41 4c 54 45 52 20 54 41 42 4c 45 20 44
            45 4d 4f 20 41 44 44 20 4e 20 53 4d 41 4c 4c 49
            4e 54 07 0e 00 00 00 00 00 00 00 01 00 02 00 01
            00 00 00 03 0f 00 00 00 00 00 00 00 01 00 01 00
            69 00 00 00 01 06 0c 80 00 00 00 00 00 00 00 02
            00 68 69 00 00 10 04 44 45 4d 4f 0a 00 00 00 00
            22 00 00 00 08 00 00 00 01 00 00 00 04 00 5a 6f
            c3 ab 00 00 00 00 00 00 00 00 00 00 80 00 00 00
            00 00 00 00 00 00 22 00 00 00 02 00 00 00 01 00
            00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
            00 00 80 00 00 00 00 00 00 00 05 00 07 0f 00 00
            00 00 00 00 00 01 00 02 00 01 00 00 00 03
            """;

    @TempDir
    Path directory;

    @Test
    void theWorkedExampleIsReadOperationByOperation() {
        byte[] bytes = HexFormat.of().parseHex(WORKED_EXAMPLE.replaceAll("\\s", ""));
        List<String> seen = new ArrayList<>();
        try (SegmentReader reader = open(bytes)) {
            reader.captureBlobs(1000);
            while (reader.nextBlock()) {
                seen.add("%x block %d %s%s%d"
                        .formatted(
                                reader.blockOffset(),
                                reader.transaction(),
                                reader.beginsTransaction() ? "begin " : "",
                                reader.endsTransaction() ? "end " : "",
                                reader.blockEnd() - reader.blockOffset() - 16));
                while (reader.nextOperation()) {
                    seen.add("%x %s".formatted(reader.operationOffset(), describe(reader)));
                }
            }
        }
        assertThat(seen)
                .containsExactly(
                        "30 block 11 begin 110",
                        "40 START_TRANSACTION",
                        "41 START_SAVEPOINT",
                        "42 STORE_BLOB 8000000000 hi true",
                        "57 INSERT_RECORD DEMO f8000000010000000400",
                        "80 RELEASE_SAVEPOINT",
                        "81 START_SAVEPOINT",
                        "82 START_SAVEPOINT",
                        "83 INSERT_RECORD DEMO fe000000090000000000",
                        "ac RELEASE_SAVEPOINT",
                        "ad ROLLBACK_SAVEPOINT",
                        "ae block 11 end 17",
                        "c1 SET_SEQUENCE G 1",
                        "ce COMMIT_TRANSACTION",
                        "cf block 14 begin 52",
                        "df START_TRANSACTION",
                        "e0 START_SAVEPOINT",
                        "e9 EXECUTE_SQL_INTL SYSDBA  4 ALTER TABLE DEMO ADD N SMALLINT",
                        "112 RELEASE_SAVEPOINT",
                        "113 block 14 end 1",
                        "123 COMMIT_TRANSACTION",
                        "124 block 15 begin 105",
                        "134 START_TRANSACTION",
                        "135 START_SAVEPOINT",
                        "136 STORE_BLOB 8000000000 hi true",
                        "14b UPDATE_RECORD DEMO 08000000010000000400 -> 02000000010000000000",
                        "19c RELEASE_SAVEPOINT",
                        "19d block 15 end 1",
                        "1ad COMMIT_TRANSACTION");
    }

    private static String describe(SegmentReader reader) {
        String what = reader.operation().toString();
        return switch (reader.operation()) {
            case INSERT_RECORD, DELETE_RECORD -> what + " " + reader.objectName() + " " + data(reader);
            case UPDATE_RECORD ->
                what + " " + reader.objectName() + " " + data(reader) + " -> "
                        + HexFormat.of()
                                .formatHex(
                                        reader.buffer(),
                                        reader.newImageStart(),
                                        reader.newImageStart() + Math.min(10, reader.newImageLength()));
            case STORE_BLOB ->
                what + " " + Long.toHexString(reader.blobId()) + " "
                        + new String(reader.capturedBlob().orElseThrow(), StandardCharsets.UTF_8) + " "
                        + reader.blobFinished();
            case SET_SEQUENCE -> what + " " + reader.objectName() + " " + reader.sequenceValue();
            case EXECUTE_SQL, EXECUTE_SQL_INTL ->
                what + " " + reader.sqlOwner() + " " + reader.sqlSearchPath() + " " + reader.sqlCharsetId() + " "
                        + new String(reader.buffer(), reader.dataStart(), reader.dataLength(), StandardCharsets.UTF_8);
            case START_TRANSACTION,
                    PREPARE_TRANSACTION,
                    COMMIT_TRANSACTION,
                    ROLLBACK_TRANSACTION,
                    CLEANUP_TRANSACTION,
                    START_SAVEPOINT,
                    RELEASE_SAVEPOINT,
                    ROLLBACK_SAVEPOINT,
                    DEFINE_ATOM -> what;
        };
    }

    private static String data(SegmentReader reader) {
        return HexFormat.of()
                .formatHex(reader.buffer(), reader.dataStart(), reader.dataStart() + Math.min(10, reader.dataLength()));
    }

    @Test
    void protocolTwoNamesTablesAndSequencesBySchema() {
        ObjectName table = new ObjectName("Mixed \"S\"", "T");
        byte[] bytes = SegmentBuilder.segment(1)
                .protocol(2)
                .begin(5, o -> o.insert(table, new byte[] {1})
                        .update(new ObjectName("R", "T"), new byte[] {2}, new byte[] {3, 4})
                        .delete(table, new byte[] {5})
                        .sql("ADMIN", "\"A\", \"SYSTEM\"", 53, "x".getBytes(StandardCharsets.UTF_8))
                        .plainSql("ADMIN", "y")
                        .sequence(new ObjectName("R", "G"), -7)
                        .commit())
                .bytes();
        assertThat(operations(bytes))
                .containsExactly(
                        "START_TRANSACTION",
                        "INSERT_RECORD Mixed \"S\".T 01",
                        "UPDATE_RECORD R.T 02 -> 0304",
                        "DELETE_RECORD Mixed \"S\".T 05",
                        "EXECUTE_SQL_INTL ADMIN \"A\", \"SYSTEM\" 53 x",
                        "EXECUTE_SQL ADMIN  4 y",
                        "SET_SEQUENCE R.G -7",
                        "COMMIT_TRANSACTION");
    }

    @Test
    void namesBelongToTheirBlockAlone() {
        byte[] bytes = SegmentBuilder.segment(1)
                .begin(5, o -> o.insert(T, new byte[] {1}))
                .more(5, o -> o.raw(9).u32(0).u32(0))
                .bytes();
        assertMalformed(bytes, "name 0 is referred to, but this block has defined 0", 48 + 16 + 1 + 3 + 9 + 1 + 16 + 1);
    }

    @Test
    void aNameOfLengthZeroAndASearchPathCutInsideACharacterAreNoErrors() {
        byte[] bytes = SegmentBuilder.segment(1)
                .protocol(2)
                .begin(5, o -> {
                    int owner = o.atom("O");
                    int path = o.atom("cut", new byte[] {'"', 'A', (byte) 0xD0});
                    o.raw(15).u32(owner).u32(path).raw(4).u32(0);
                    o.sql("", "", 4, new byte[0]);
                })
                .bytes();
        assertThat(operations(bytes))
                .containsExactly("START_TRANSACTION", "EXECUTE_SQL_INTL O \"A\uFFFD 4 ", "EXECUTE_SQL_INTL   4 ");
    }

    @ParameterizedTest
    @ValueSource(
            ints = {0, 1, 8_150, 8_192, 8_193, 32_767, 32_768, 65_535, 65_536, 262_143, 262_144, 262_145, 1_048_576})
    void operationsLongerThanTheWindowAreWholeWhereverTheyStand(int size) {
        byte[] old = random(size, 1);
        byte[] fresh = random(size, 2);
        // a first operation shifts the second over every place in the window
        for (int shift : new int[] {0, 1, 8_100, 8_192, 100_000, 262_100, 262_144 - 30}) {
            SegmentBuilder segment = SegmentBuilder.segment(1).protocol(2).begin(5, o -> o.insert(T, new byte[shift])
                    .update(T, old, fresh)
                    .delete(T, old));
            try (SegmentReader reader = open(segment.bytes())) {
                assertThat(reader.nextBlock()).isTrue();
                next(reader, OperationType.START_TRANSACTION);
                next(reader, OperationType.INSERT_RECORD);
                assertThat(reader.dataLength()).isEqualTo(shift);
                next(reader, OperationType.UPDATE_RECORD);
                assertThat(slice(reader.buffer(), reader.dataStart(), reader.dataLength()))
                        .isEqualTo(old);
                assertThat(slice(reader.buffer(), reader.newImageStart(), reader.newImageLength()))
                        .isEqualTo(fresh);
                next(reader, OperationType.DELETE_RECORD);
                assertThat(slice(reader.buffer(), reader.dataStart(), reader.dataLength()))
                        .isEqualTo(old);
                assertThat(reader.nextOperation()).isFalse();
            }
        }
    }

    @Test
    void statementsLongerThanTheWindowAreWhole() {
        byte[] text = random(3_000_000, 3);
        byte[] bytes = SegmentBuilder.segment(1)
                .begin(5, o -> o.sql("O", "", 4, text).commit())
                .bytes();
        try (SegmentReader reader = open(bytes)) {
            reader.nextBlock();
            next(reader, OperationType.START_TRANSACTION);
            next(reader, OperationType.EXECUTE_SQL_INTL);
            assertThat(slice(reader.buffer(), reader.dataStart(), reader.dataLength()))
                    .isEqualTo(text);
            assertThat(reader.sqlOwner()).isEqualTo("O");
            next(reader, OperationType.COMMIT_TRANSACTION);
        }
    }

    @Test
    void blobChunkLengthsAreUnsigned() throws IOException {
        String one = "a".repeat(32_768);
        String two = "b".repeat(65_535);
        byte[] bytes = SegmentBuilder.segment(1)
                .begin(5, o -> o.blob(0x1_0000_0002L, one, two, "c", one, two).commit())
                .bytes();
        String whole = one + two + "c" + one + two;
        for (int captured : new int[] {0, 40_000, 1_000_000}) {
            try (SegmentReader reader = open(bytes)) {
                reader.captureBlobs(captured);
                reader.nextBlock();
                next(reader, OperationType.START_TRANSACTION);
                next(reader, OperationType.STORE_BLOB);
                assertThat(reader.blobId()).isEqualTo(0x1_0000_0002L);
                assertThat(reader.blobPieceLength()).isEqualTo(whole.length());
                assertThat(reader.blobFinished()).isTrue();
                assertThat(reader.capturedBlob().map(String::new))
                        .isEqualTo(captured == 1_000_000 ? Optional.of(whole) : Optional.empty());
                long chunks = reader.blobChunksOffset();
                long end = reader.blockEnd();
                next(reader, OperationType.COMMIT_TRANSACTION);
                try (InputStream piece = SegmentReader.open(reader.file()).blobPiece(chunks, end)) {
                    assertThat(new String(piece.readAllBytes(), StandardCharsets.UTF_8))
                            .isEqualTo(whole);
                }
            }
        }
    }

    @Test
    void aBlobMayEndWithTheBlockAndMayBeEmpty() {
        byte[] bytes = SegmentBuilder.segment(1)
                .begin(5, o -> o.blob(1).blob(2, "x").blobPart(3, "yy", "z"))
                .more(5, o -> o.blobPart(3))
                .more(5, o -> o.blob(3))
                .bytes();
        assertThat(operations(bytes))
                .containsExactly(
                        "START_TRANSACTION",
                        "STORE_BLOB 1  true",
                        "STORE_BLOB 2 x true",
                        "STORE_BLOB 3 yyz false",
                        "STORE_BLOB 3  false",
                        "STORE_BLOB 3  true");
    }

    @Test
    void blocksAreFoundAgainByOffsetInAnyOrder() {
        SegmentBuilder segment = SegmentBuilder.segment(1);
        List<Long> offsets = new ArrayList<>();
        for (int i = 1; i <= 50; i++) {
            int number = i;
            offsets.add(segment.offset());
            segment.begin(i, o -> o.insert(T, random(20_000, number)));
        }
        try (SegmentReader reader = open(segment.bytes())) {
            Random random = new Random(1);
            for (int i = 0; i < 500; i++) {
                int number = 1 + random.nextInt(50);
                reader.moveToBlock(offsets.get(number - 1));
                assertThat(reader.transaction()).isEqualTo(number);
                next(reader, OperationType.START_TRANSACTION);
                next(reader, OperationType.INSERT_RECORD);
                assertThat(slice(reader.buffer(), reader.dataStart(), reader.dataLength()))
                        .isEqualTo(random(20_000, number));
            }
            assertThatThrownBy(() -> reader.moveToBlock(47)).isInstanceOf(JournalFormatException.class);
            assertThatThrownBy(() -> reader.moveToBlock(segment.offset())).isInstanceOf(JournalFormatException.class);
        }
    }

    @Test
    void blocksMayBeSkippedWithoutReadingTheirOperations() {
        byte[] bytes = SegmentBuilder.segment(1)
                .begin(5, o -> o.insert(T, new byte[300_000 % 65_000]).raw(0xEE))
                .commit(5)
                .block(6, 0, o -> {})
                .bytes();
        try (SegmentReader reader = open(bytes)) {
            assertThat(reader.nextBlock()).isTrue();
            assertThat(reader.nextBlock()).isTrue();
            next(reader, OperationType.COMMIT_TRANSACTION);
            assertThat(reader.nextBlock()).isTrue();
            assertThat(reader.transaction()).isEqualTo(6);
            assertThat(reader.nextOperation()).isFalse();
            assertThat(reader.nextBlock()).isFalse();
            assertThat(reader.nextBlock()).isFalse();
        }
    }

    @Test
    void bytesBehindTheLengthOfTheHeaderAreNotRead() throws IOException {
        byte[] sound = SegmentBuilder.segment(1).begin(5, Operations::commit).bytes();
        byte[] longer = Arrays.copyOf(sound, sound.length + 4096);
        Arrays.fill(longer, sound.length, longer.length, (byte) 0xEE);
        assertThat(operations(longer)).containsExactly("START_TRANSACTION", "COMMIT_TRANSACTION");
        SegmentSummary one = SegmentSummary.of(segment(sound));
        assertThat(SegmentSummary.of(segment(longer))).isEqualTo(one);
    }

    @Test
    void equalBlocksAreTheSameWhateverTheirSize() {
        Consumer<Operations> content = o -> o.insert(T, random(60_000, 1))
                .insert(T, random(60_000, 2))
                .insert(T, random(60_000, 3))
                .insert(T, random(60_000, 4))
                .insert(T, random(60_000, 5));
        SegmentBuilder segment = SegmentBuilder.segment(1);
        long first = segment.offset();
        segment.begin(5, content);
        long second = segment.offset();
        segment.begin(5, content);
        long third = segment.offset();
        segment.begin(5, o -> content.accept(o.savepoint()));
        SegmentFile file = segment(segment.bytes());
        assertThat(SegmentReader.isSameBlock(file, first, file, second)).isTrue();
        assertThat(SegmentReader.isSameBlock(file, first, file, third)).isFalse();
    }

    // ------------------------------------------------------------------------------------------------ malformed

    @Test
    void aBlockHeaderMustFitTheSegment() {
        assertMalformed(
                SegmentBuilder.segment(1).commit(5).raw(new byte[15]).bytes(), "block header of 16 bytes", 48 + 17);
    }

    @Test
    void aBlockBodyMustFitTheSegment() {
        byte[] header = new byte[16];
        header[0] = 5;
        header[8] = 1;
        Arrays.fill(header, 12, 16, (byte) 0xFF);
        assertMalformed(SegmentBuilder.segment(1).raw(header).bytes(), "a block body of 4294967295 bytes", 48 + 12);
    }

    @Test
    void aTransactionNumberIsNotNegative() {
        assertMalformed(SegmentBuilder.segment(1).commit(-1).bytes(), "transaction number 18446744073709551615", 48);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3, 77, 65_535})
    void aBlockHasProtocolOneOrTwo(int protocol) {
        assertMalformed(
                SegmentBuilder.segment(1).protocol(protocol).commit(5).bytes(),
                "block protocol " + protocol + " is unknown",
                48 + 8);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 17, 0xEE, 255})
    void anUnknownOperationIsAnError(int code) {
        assertMalformed(
                SegmentBuilder.segment(1).begin(5, o -> o.raw(code)).bytes(), "operation code " + code, 48 + 17);
    }

    @ParameterizedTest
    @ValueSource(ints = {9, 10, 11, 14})
    void aNameMustBeDefinedBeforeItIsReferredTo(int code) {
        for (int index : new int[] {1, 500, -1, Integer.MIN_VALUE}) {
            byte[] bytes = SegmentBuilder.segment(1)
                    .begin(5, o -> {
                        o.atom("T");
                        o.raw(code).u32(index).u32(0).u32(0);
                    })
                    .bytes();
            assertMalformed(bytes, "name " + Integer.toUnsignedString(index) + " is referred to", 48 + 16 + 1 + 3 + 1);
        }
    }

    @Test
    void aTableNameIsUtf8() {
        byte[] bytes = SegmentBuilder.segment(1)
                .begin(5, o -> {
                    int atom = o.atom("bad", new byte[] {'A', (byte) 0xFF});
                    o.raw(9).u32(atom).u32(0);
                })
                .bytes();
        assertMalformed(bytes, "name is not valid UTF-8", 48 + 16 + 1 + 4 + 1);
    }

    @Test
    void aRecordIsNoLongerThanAServerCanWrite() {
        long at = 48 + 16 + 1 + 3 + 5;
        assertMalformed(
                SegmentBuilder.segment(1)
                        .begin(5, o -> o.insert(T, new byte[65_536]))
                        .bytes(),
                "a record of 65536 bytes is longer than the 65535 bytes",
                at);
        assertMalformed(
                SegmentBuilder.segment(1)
                        .protocol(2)
                        .begin(5, o -> o.insert(T, new byte[1_048_577]))
                        .bytes(),
                "longer than the 1048576 bytes",
                at + 2 + 4);
        for (int length : new int[] {-1, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            byte[] bytes = SegmentBuilder.segment(1)
                    .begin(5, o -> {
                        o.atom("T");
                        o.raw(9).u32(0).u32(length);
                    })
                    .bytes();
            assertMalformed(bytes, "a record of " + Integer.toUnsignedString(length), at);
        }
    }

    @Test
    void everyOperandMustFitTheBlock() {
        byte[] whole = SegmentBuilder.segment(1)
                .protocol(2)
                .begin(5, o -> o.insert(T, new byte[10])
                        .update(T, new byte[10], new byte[12])
                        .sql("O", "", 4, new byte[10])
                        .plainSql("O", "abc")
                        .sequence(T, 1)
                        .blob(7, "abc"))
                .bytes();
        int body = whole.length - 48 - 16;
        List<String> all = operations(whole);
        for (int length = 0; length < body; length++) {
            byte[] cut = Arrays.copyOf(whole, 48 + 16 + length);
            ByteBuffer.wrap(cut)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putLong(40, cut.length)
                    .putInt(48 + 12, length);
            List<String> seen = new ArrayList<>();
            try {
                collect(cut, seen);
            } catch (JournalFormatException e) {
                assertThat(e.position().offset()).isBetween(48L + 16, (long) cut.length);
            }
            // a blob may go on in the next block; all else is as in the whole
            List<String> sure = seen.stream().filter(s -> !s.endsWith("false")).toList();
            assertThat(sure).as("cut to %d bytes", length).isEqualTo(all.subList(0, sure.size()));
        }
    }

    @Test
    void aStatementMustFitTheBlock() {
        byte[] bytes = SegmentBuilder.segment(1)
                .begin(5, o -> {
                    o.atom("O");
                    o.raw(15).u32(0).raw(4).u32(-1);
                })
                .bytes();
        assertMalformed(bytes, "a statement of 4294967295 bytes", 48 + 16 + 1 + 3 + 6);
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5})
    void nothingOfATransactionStandsBehindItsEnd(int end) {
        assertMalformed(
                SegmentBuilder.segment(1).begin(5, o -> o.raw(end).savepoint()).bytes(),
                "START_SAVEPOINT stands behind the end of transaction 5",
                48 + 16 + 2);
        assertMalformed(
                SegmentBuilder.segment(1)
                        .begin(5, o -> o.raw(end).sequence(T, 1).commit())
                        .bytes(),
                "COMMIT_TRANSACTION stands behind the end of transaction 5",
                48 + 16 + 2 + 3 + 13);
    }

    @Test
    void numberZeroIsThatOfNoTransaction() {
        assertThat(operations(SegmentBuilder.segment(1).cleanupAll().bytes())).containsExactly("CLEANUP_TRANSACTION");
        assertMalformed(
                SegmentBuilder.segment(1).begin(0, Operations::commit).bytes(),
                "START_TRANSACTION stands in a block of no transaction",
                48 + 16);
    }

    @Test
    void aBlobChunkMustFitTheBlock() {
        byte[] bytes = SegmentBuilder.segment(1)
                .begin(5, o -> o.raw(12).u32(0).u32(1).u16(65_535).raw(1, 2, 3))
                .bytes();
        assertMalformed(bytes, "a blob piece of 65535 bytes does not fit the 3 bytes", 48 + 16 + 1 + 9);
    }

    @Test
    void aFileThatShrinksWhileItIsReadIsAnErrorOfReading() throws IOException {
        byte[] bytes = SegmentBuilder.segment(1)
                .protocol(2)
                .begin(5, o -> o.insert(T, new byte[1_000_000]).insert(T, new byte[1_000_000]))
                .bytes();
        SegmentFile file = segment(bytes);
        try (SegmentReader reader = SegmentReader.open(file)) {
            reader.nextBlock();
            next(reader, OperationType.START_TRANSACTION);
            Files.write(file.path(), Arrays.copyOf(bytes, 500_000));
            assertThatThrownBy(reader::nextOperation)
                    .isInstanceOf(JournalReadException.class)
                    .hasMessageContaining("the file ends at byte 500000");
        }
    }

    // ------------------------------------------------------------------------------------------------ help

    private void assertMalformed(byte[] bytes, String problem, long offset) {
        assertThatThrownBy(() -> operations(bytes))
                .isInstanceOfSatisfying(JournalFormatException.class, e -> assertThat(e.position())
                        .isEqualTo(new JournalPosition(1, offset)))
                .hasMessageContaining(problem)
                .hasMessageContaining("demo.fdb.journal-000000001");
        assertThatThrownBy(() -> SegmentSummary.of(segment(bytes))).isInstanceOf(JournalFormatException.class);
    }

    private List<String> operations(byte[] bytes) {
        List<String> seen = new ArrayList<>();
        collect(bytes, seen);
        return seen;
    }

    private void collect(byte[] bytes, List<String> seen) {
        try (SegmentReader reader = open(bytes)) {
            reader.captureBlobs(1000);
            while (reader.nextBlock()) {
                while (reader.nextOperation()) {
                    seen.add(describe(reader));
                }
            }
        }
    }

    private static void next(SegmentReader reader, OperationType type) {
        assertThat(reader.nextOperation()).isTrue();
        assertThat(reader.operation()).isEqualTo(type);
    }

    private static byte[] slice(byte[] from, int start, int length) {
        return Arrays.copyOfRange(from, start, start + length);
    }

    private static byte[] random(int size, long seed) {
        byte[] bytes = new byte[size];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    private SegmentReader open(byte[] bytes) {
        return SegmentReader.open(segment(bytes));
    }

    private SegmentFile segment(byte[] bytes) {
        try {
            Path path = Files.write(directory.resolve("demo.fdb.journal-000000001"), bytes);
            return SegmentDirectory.inspect(path).segment().orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
