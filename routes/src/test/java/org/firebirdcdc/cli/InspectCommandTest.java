package org.firebirdcdc.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import org.firebirdcdc.testing.Corpus;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InspectCommandTest {

    /** The segment of segment-format.md section 0. */
    private static final String SEGMENT =
            """
            46424348414e47454c4f4700010003005583dfac6d19db4ba7048104225851f0
            0100000000000000ae010000000000000b00000000000000010001006e000000
            01060c8000000000000000020068690000100444454d4f090000000020000000
            f80000000100000004005a6fc3ab000000000000000000008000000000000000
            070606090000000020000000fe00000009000000000000000000000000000000
            00000000000000000000000007080b0000000000000001000200110000001001
            470e000000000100000000000000030e00000000000000010001003400000001
            0610065359534442410f00000000041f000000414c544552205441424c452044
            454d4f20414444204e20534d414c4c494e54070e000000000000000100020001
            000000030f00000000000000010001006900000001060c800000000000000002
            0068690000100444454d4f0a0000000022000000080000000100000004005a6f
            c3ab000000000000000000008000000000000000000022000000020000000100
            00000000000000000000000000000000000080000000000000000500070f0000
            0000000000010002000100000003
            """;

    /** As the table of segment-format.md section 0 explains it. */
    private static final String DUMP =
            """
            file      demo.fdb.journal-000000001
            database  {ACDF8355-196D-4BDB-A704-8104225851F0}
            sequence  1
            state     ARCHIVED
            length    430 of 430 bytes in the file

                offset   length
                    48      126  block of transaction 11, protocol 1, BEGIN
                    64        1    START_TRANSACTION
                    65        1    START_SAVEPOINT
                    66       15    STORE_BLOB 80:0, 2 bytes
                    81        6    DEFINE_ATOM DEMO
                    87       41    INSERT_RECORD DEMO, image of 32 bytes
                   128        1    RELEASE_SAVEPOINT
                   129        1    START_SAVEPOINT
                   130        1    START_SAVEPOINT
                   131       41    INSERT_RECORD DEMO, image of 32 bytes
                   172        1    RELEASE_SAVEPOINT
                   173        1    ROLLBACK_SAVEPOINT
                   174       33  block of transaction 11, protocol 1, END
                   190        3    DEFINE_ATOM G
                   193       13    SET_SEQUENCE G = 1
                   206        1    COMMIT_TRANSACTION
                   207       68  block of transaction 14, protocol 1, BEGIN
                   223        1    START_TRANSACTION
                   224        1    START_SAVEPOINT
                   225        8    DEFINE_ATOM SYSDBA
                   233       41    EXECUTE_SQL_INTL by SYSDBA, UTF8: ALTER TABLE DEMO ADD N SMALLINT
                   274        1    RELEASE_SAVEPOINT
                   275       17  block of transaction 14, protocol 1, END
                   291        1    COMMIT_TRANSACTION
                   292      121  block of transaction 15, protocol 1, BEGIN
                   308        1    START_TRANSACTION
                   309        1    START_SAVEPOINT
                   310       15    STORE_BLOB 80:0, 2 bytes
                   325        6    DEFINE_ATOM DEMO
                   331       81    UPDATE_RECORD DEMO, images of 34 and 34 bytes
                   412        1    RELEASE_SAVEPOINT
                   413       17  block of transaction 15, protocol 1, END
                   429        1    COMMIT_TRANSACTION
            """;

    private static final int SECOND_BLOCK = 0xae;

    @TempDir
    Path directory;

    private Path file;
    private byte[] bytes;

    @BeforeEach
    void writeTheSegment() throws IOException {
        bytes = HexFormat.of().parseHex(SEGMENT.replace("\n", ""));
        file = Files.write(directory.resolve("demo.fdb.journal-000000001"), bytes);
    }

    @Test
    void textShowsHeaderBlocksAndOperationsWithOffsetsAndLengths() {
        CommandRun run = CommandRun.of("inspect", file.toString());

        assertThat(run.exitCode()).isEqualTo(Failures.DONE);
        assertThat(run.out()).isEqualTo(DUMP);
        assertThat(run.err()).isEmpty();
    }

    @Test
    void jsonHasOneObjectForHeaderAndEachBlockAndOperation() {
        CommandRun run = CommandRun.of("inspect", "--json", file.toString());

        assertThat(run.exitCode()).isEqualTo(Failures.DONE);
        assertThat(run.lines())
                .extracting(line -> line.get("type").asText())
                .startsWith("header", "block", "operation");
        assertThat(run.out().lines())
                .hasSize(34)
                .contains(
                        "{\"type\":\"header\",\"file\":\"demo.fdb.journal-000000001\","
                                + "\"guid\":\"{ACDF8355-196D-4BDB-A704-8104225851F0}\",\"sequence\":1,"
                                + "\"state\":\"ARCHIVED\",\"length\":430,\"size\":430}",
                        "{\"type\":\"block\",\"offset\":48,\"length\":126,\"transaction\":11,\"protocol\":1,"
                                + "\"begin\":true,\"end\":false}",
                        "{\"type\":\"operation\",\"offset\":66,\"length\":15,\"operation\":\"STORE_BLOB\","
                                + "\"blob\":\"80:0\",\"bytes\":2,\"finished\":true}",
                        "{\"type\":\"operation\",\"offset\":87,\"length\":41,\"operation\":\"INSERT_RECORD\","
                                + "\"table\":\"DEMO\",\"after\":32}",
                        "{\"type\":\"operation\",\"offset\":193,\"length\":13,\"operation\":\"SET_SEQUENCE\","
                                + "\"sequence\":\"G\",\"value\":1}",
                        "{\"type\":\"operation\",\"offset\":233,\"length\":41,\"operation\":\"EXECUTE_SQL_INTL\","
                                + "\"owner\":\"SYSDBA\",\"charset\":4,\"sql\":\"ALTER TABLE DEMO ADD N SMALLINT\"}",
                        "{\"type\":\"operation\",\"offset\":331,\"length\":81,\"operation\":\"UPDATE_RECORD\","
                                + "\"table\":\"DEMO\",\"before\":34,\"after\":34}");
    }

    @Test
    void operationsFillTheirBlocksAndBlocksTheSegment() {
        Path segment = Corpus.recording("fb60/01-schemas")
                .folder()
                .resolve("segments")
                .resolve("schemas.fdb_9E8CFCB1-26D0-47CB-8829-29CA49550F3D.journal-000000001");
        long expected = 48;
        long blockEnd = expected;
        for (JsonNode part :
                CommandRun.of("inspect", "--json", segment.toString()).lines()) {
            long length = part.get("length").asLong();
            switch (part.get("type").asText()) {
                case "block" -> {
                    assertThat(part.get("offset").asLong()).isEqualTo(expected).isEqualTo(blockEnd);
                    expected += 16;
                    blockEnd += length;
                }
                case "operation" -> {
                    assertThat(part.get("offset").asLong()).isEqualTo(expected);
                    expected += length;
                }
                default -> assertThat(part.get("type").asText()).isEqualTo("header");
            }
        }
        assertThat(expected).isEqualTo(blockEnd).isEqualTo(9195);
    }

    @Test
    void namesOfFirebird6AndSearchPathsAreShown() {
        Path segment = Corpus.recording("fb60/01-schemas")
                .folder()
                .resolve("segments")
                .resolve("schemas.fdb_9E8CFCB1-26D0-47CB-8829-29CA49550F3D.journal-000000001");

        assertThat(CommandRun.of("inspect", segment.toString()).out())
                .contains("INSERT_RECORD Склад.ORDERS, image of 144 bytes")
                .contains("search path \"LATE\", \"PUBLIC\", \"SYSTEM\": ALTER TABLE ORDERS ADD B INTEGER")
                .contains("a schema made, filled, and altered in the middle of the stream\\nCREATE SCHEMA LATE");
    }

    @Test
    void damagedFileIsPrintedAsFarAsItIsSound() throws IOException {
        bytes[SECOND_BLOCK + 8] = 77;
        Files.write(file, bytes);
        CommandRun run = CommandRun.of("inspect", file.toString());

        assertThat(run.exitCode()).isEqualTo(Failures.DAMAGED);
        assertThat(run.out()).isEqualTo(DUMP.substring(0, DUMP.indexOf("       174 ")));
        assertThat(run.err()).contains("segment 1, offset 182", "block protocol 77");
    }

    @Test
    void incompleteFileIsPrintedAsFarAsItGoes() throws IOException {
        Files.write(file, Arrays.copyOf(bytes, SECOND_BLOCK));
        CommandRun run = CommandRun.of("inspect", file.toString());

        assertThat(run.exitCode()).isEqualTo(Failures.DAMAGED);
        assertThat(run.out()).contains("length    430 of 174 bytes in the file").endsWith("ROLLBACK_SAVEPOINT\n");
        assertThat(run.err()).contains("is not complete: 174 of 430 bytes");
    }

    @Test
    void fileThatIsLessThanAHeaderIsNotComplete() throws IOException {
        Files.write(file, Arrays.copyOf(bytes, 20));
        CommandRun run = CommandRun.of("inspect", file.toString());

        assertThat(run.exitCode()).isEqualTo(Failures.DAMAGED);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).contains("20 bytes, less than a header");
    }

    @Test
    void foreignFileIsAnError() throws IOException {
        Path text = Files.writeString(directory.resolve("notes.txt"), "x".repeat(100));
        CommandRun run = CommandRun.of("inspect", text.toString());

        assertThat(run.exitCode()).isEqualTo(Failures.DAMAGED);
        assertThat(run.err()).contains("notes.txt", "the signature FBCHANGELOG is missing");
    }

    @Test
    void fileInAnyStateIsPrinted() throws IOException {
        bytes[14] = 0;
        Path renamed = Files.write(directory.resolve("copy of a free file"), bytes);
        CommandRun run = CommandRun.of("inspect", renamed.toString());

        assertThat(run.exitCode()).isEqualTo(Failures.DONE);
        assertThat(run.out()).contains("state     FREE", "UPDATE_RECORD DEMO");
    }

    @Test
    void missingFileAndDirectoryAreWrongUsage() {
        CommandRun missing = CommandRun.of("inspect", directory.resolve("none").toString());
        CommandRun folder = CommandRun.of("inspect", directory.toString());

        assertThat(missing.exitCode()).isEqualTo(Failures.USAGE);
        assertThat(missing.err()).contains("none", "check that it exists");
        assertThat(folder.exitCode()).isEqualTo(Failures.USAGE);
        assertThat(folder.err()).contains("is a directory");
    }
}
