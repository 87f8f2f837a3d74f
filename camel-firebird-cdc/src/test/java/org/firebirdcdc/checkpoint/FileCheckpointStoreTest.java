package org.firebirdcdc.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.firebirdcdc.journal.DatabaseGuid;
import org.firebirdcdc.journal.JournalPosition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FileCheckpointStoreTest {

    private static final DatabaseGuid GUID = DatabaseGuid.parse("{ACDF8355-196D-4BDB-A704-8104225851F0}");
    private static final DatabaseGuid OTHER = DatabaseGuid.parse("{2DA66FB7-7024-4F4C-839F-CBDD2DC5842A}");

    @TempDir
    Path directory;

    private FileCheckpointStore store() {
        return new FileCheckpointStore(directory);
    }

    private Path file() {
        return directory.resolve("firebird-cdc-" + GUID + ".json");
    }

    private static Checkpoint checkpoint(long segment) {
        return new Checkpoint(
                GUID,
                new JournalPosition(segment, 430),
                List.of(
                        new OpenTransactionMark(
                                (1L << 48) - 1,
                                new JournalPosition(1, 48),
                                1_767_225_600_123L,
                                Optional.of(new JournalPosition(2, 100)),
                                3,
                                12_345_678_901L),
                        new OpenTransactionMark(
                                7, new JournalPosition(2, 48), 1_767_225_600_000L, Optional.empty(), 0, 0)),
                List.of(
                        new SegmentMark(1, 430, 1_767_225_600_123L, "ab".repeat(32), true, false),
                        new SegmentMark(2, 1L << 40, 0, "cd".repeat(32), false, true)),
                List.of(5L, 1L << 47),
                Long.MAX_VALUE);
    }

    @Test
    void whatIsSavedIsLoaded() {
        FileCheckpointStore store = store();
        assertThat(store.load(GUID)).isEmpty();
        store.save(checkpoint(2));
        assertThat(store.load(GUID)).contains(checkpoint(2));
        store.save(checkpoint(3));
        assertThat(store.load(GUID)).contains(checkpoint(3));
        assertThat(store.load(OTHER)).isEmpty();
        assertThat(store.databases()).containsExactly(GUID);
        assertThat(checkpoint(3).neededFrom()).isEqualTo(2);
    }

    @Test
    void aDirectoryThatIsNotThereHasNoCheckpointsAndIsMade() {
        FileCheckpointStore store =
                new FileCheckpointStore(directory.resolve("a").resolve("b"));
        assertThat(store.databases()).isEmpty();
        assertThat(store.load(GUID)).isEmpty();
        store.save(checkpoint(2));
        assertThat(store.load(GUID)).contains(checkpoint(2));
    }

    @Test
    void aCheckpointIsAFileThatAPersonCanRead() throws IOException {
        store().save(checkpoint(2));
        assertThat(Files.readString(file()))
                .contains("\"version\" : 1", "\"position\" : \"2:430\"", "\"since\" : \"2026-01-01T00:00:00.123Z\"");
    }

    @Test
    void documentsAreKeptBesideTheCheckpointOfTheirDatabase() {
        FileCheckpointStore store = store();
        assertThat(store.loadDocument(GUID, "schema")).isEmpty();
        store.saveDocument(GUID, "schema", new byte[] {1, 2, 3});
        assertThat(store.loadDocument(GUID, "schema").orElseThrow()).containsExactly(1, 2, 3);
        assertThat(store.loadDocument(OTHER, "schema")).isEmpty();
        assertThat(store.databases()).isEmpty();
    }

    // ------------------------------------------------------------------------------------------------ damage

    @Test
    void aCheckpointCutOffAnywhereIsAnErrorAndNeverNone() throws IOException {
        store().save(checkpoint(2));
        byte[] whole = Files.readAllBytes(file());
        // without the line feed at its end it is still whole
        for (int length = 0; length < whole.length - 1; length++) {
            Files.write(file(), Arrays.copyOf(whole, length));
            assertThatThrownBy(() -> store().load(GUID))
                    .as("%d bytes", length)
                    .isInstanceOf(CheckpointException.class)
                    .hasMessageContaining(file().toString())
                    .hasMessageContaining("move the file away");
        }
    }

    @Test
    void anyDamagedByteIsTheSameCheckpointOrAnotherOrAnError() {
        byte[] whole = CheckpointCodec.write(checkpoint(2));
        for (int at = 0; at < whole.length; at++) {
            for (byte value : new byte[] {0, '"', '9', '-', '}', 'x', (byte) 0xFF}) {
                byte[] damaged = whole.clone();
                damaged[at] = value;
                try {
                    assertThat(CheckpointCodec.read(damaged, GUID, "here").guid())
                            .isEqualTo(GUID);
                } catch (CheckpointException e) {
                    assertThat(e).hasMessageStartingWith("here: ");
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "null",
                "[]",
                "1",
                "\"x\"",
                "{}",
                "{\"version\":1}",
                "\u0000\u0000\u0000",
                "{\"version\":1,"
            })
    void whatIsNoCheckpointIsAnError(String content) throws IOException {
        Files.writeString(file(), content);
        assertThatThrownBy(() -> store().load(GUID)).isInstanceOf(CheckpointException.class);
    }

    @ParameterizedTest
    @CsvSource({
        "'\"2:430\"', '\"2\"'",
        "'\"2:430\"', 2",
        "'\"savepoints\" : 3', '\"savepoints\" : -3'",
        "'\"savepoints\" : 3', '\"savepoints\" : 4294967299'",
        "'\"length\" : 430', '\"length\" : 99999999999999999999'",
        "'2026-01-01T00:00:00.123Z', '+1000000000-12-31T23:59:59Z'",
        "'\"transaction\" : 7', '\"transaction\" : 7.5'"
    })
    void aFieldThatCannotBeIsAnError(String sound, String wrong) throws IOException {
        store().save(checkpoint(2));
        String text = Files.readString(file());
        assertThat(text).contains(sound);
        Files.writeString(file(), text.replace(sound, wrong));
        assertThatThrownBy(() -> store().load(GUID)).isInstanceOf(CheckpointException.class);
    }

    @Test
    void aNewerVersionIsAnErrorThatNamesBoth() throws IOException {
        store().save(checkpoint(2));
        Files.writeString(file(), Files.readString(file()).replace("\"version\" : 1", "\"version\" : 2"));
        assertThatThrownBy(() -> store().load(GUID))
                .isInstanceOf(CheckpointException.class)
                .hasMessageContaining("version 2")
                .hasMessageContaining("up to 1");
    }

    @Test
    void aCheckpointOfAnotherDatabaseIsAnErrorThatNamesBoth() throws IOException {
        store().save(checkpoint(2));
        Files.move(file(), directory.resolve("firebird-cdc-" + OTHER + ".json"));
        assertThatThrownBy(() -> store().load(OTHER))
                .isInstanceOf(CheckpointException.class)
                .hasMessageContaining(GUID.toString())
                .hasMessageContaining(OTHER.toString());
    }

    // ------------------------------------------------------------------------------------------------ writing

    @Test
    void whatAKillLeavesBehindIsNeitherReadNorInTheWay() throws IOException {
        store().save(checkpoint(2));
        Path temporary = directory.resolve(file().getFileName() + ".tmp");
        // killed between writing and renaming, or in the middle of writing
        for (byte[] left : List.of(CheckpointCodec.write(checkpoint(3)), new byte[] {'{'}, new byte[100_000])) {
            Files.write(temporary, left);
            assertThat(store().load(GUID)).contains(checkpoint(2));
            assertThat(store().databases()).containsExactly(GUID);
            store().save(checkpoint(4));
            assertThat(store().load(GUID)).contains(checkpoint(4));
            store().save(checkpoint(2));
        }
    }

    @Test
    void aCheckpointThatCannotBeWrittenLeavesTheFormerOne() throws IOException {
        store().save(checkpoint(2));
        // a directory in place of the temporary file: not even the super-user can open it for writing
        Path temporary = Files.createDirectory(directory.resolve(file().getFileName() + ".tmp"));
        Path inside = Files.createFile(temporary.resolve("inside"));
        assertThatThrownBy(() -> store().save(checkpoint(3)))
                .isInstanceOf(CheckpointException.class)
                .hasMessageContaining(file().toString())
                .hasMessageContaining("The former one is untouched");
        assertThat(store().load(GUID)).contains(checkpoint(2));
        Files.delete(inside);
        Files.delete(temporary);
        store().save(checkpoint(3));
        assertThat(store().load(GUID)).contains(checkpoint(3));
    }

    @Test
    void aDirectoryThatCannotBeIsAnError() throws IOException {
        FileCheckpointStore store = new FileCheckpointStore(Files.createFile(directory.resolve("file")));
        assertThatThrownBy(() -> store.save(checkpoint(2))).isInstanceOf(CheckpointException.class);
        assertThatThrownBy(() -> store.lock(GUID))
                .isInstanceOf(CheckpointException.class)
                .hasMessageContaining("checkpointDirectory");
        assertThatThrownBy(store::databases).isInstanceOf(CheckpointException.class);
    }

    /** Whoever reads while another writes meets the former one or the new one, never a part. */
    @Test
    void readersNeverMeetHalfACheckpoint() throws InterruptedException {
        store().save(checkpoint(2));
        List<Throwable> failures = new ArrayList<>();
        Thread reader = new Thread(() -> {
            try {
                while (!Thread.currentThread().isInterrupted()) {
                    assertThat(store().load(GUID).orElseThrow().position().offset())
                            .isEqualTo(430);
                }
            } catch (CheckpointException e) {
                // an interrupt closes channels; anything else is a failure
                if (!Thread.currentThread().isInterrupted()) {
                    failures.add(e);
                }
            } catch (AssertionError e) {
                failures.add(e);
            }
        });
        reader.start();
        try {
            for (int i = 0; i < 200; i++) {
                store().save(checkpoint(3 + i));
            }
        } finally {
            reader.interrupt();
            reader.join();
        }
        assertThat(failures).isEmpty();
    }

    // ------------------------------------------------------------------------------------------------ lock

    @Test
    void oneConsumerPerDatabaseInThisProcess() {
        CheckpointStore.Lock first = store().lock(GUID);
        assertThatThrownBy(() -> store().lock(GUID))
                .isInstanceOf(CheckpointException.class)
                .hasMessageContaining("another consumer in this process");
        store().lock(OTHER).close();
        first.close();
        CheckpointStore.Lock next = store().lock(GUID);
        // the first is given back once only
        first.close();
        assertThatThrownBy(() -> store().lock(GUID)).isInstanceOf(CheckpointException.class);
        next.close();
    }

    /** A bean of the registry is one object for all routes that name it. */
    @Test
    void aStoreServesSeveralDatabasesAndOneConsumerOfEach() {
        FileCheckpointStore shared = store();
        CheckpointStore.Lock one = shared.lock(GUID);
        CheckpointStore.Lock other = shared.lock(OTHER);
        assertThatThrownBy(() -> shared.lock(GUID))
                .isInstanceOf(CheckpointException.class)
                .hasMessageContaining("another consumer in this process");
        one.close();
        assertThatThrownBy(() -> store().lock(OTHER)).isInstanceOf(CheckpointException.class);
        shared.lock(GUID).close();
        other.close();
        store().lock(OTHER).close();
    }

    @Test
    void aLockOfAnotherCopyOfThisLibraryInTheProcessIsRespected() throws IOException {
        try (FileChannel other = FileChannel.open(
                        directory.resolve("firebird-cdc-" + GUID + ".lock"),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE);
                FileLock held = other.lock()) {
            assertThat(held.isValid()).isTrue();
            assertThatThrownBy(() -> store().lock(GUID))
                    .isInstanceOf(CheckpointException.class)
                    .hasMessageContaining("another consumer in this process");
        }
        store().lock(GUID).close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void nothingIsWrittenAfterTheLockFileWasDeleted(boolean andMadeAnew) throws IOException {
        FileCheckpointStore store = store();
        try (CheckpointStore.Lock lock = store.lock(GUID)) {
            assertThat(lock).isNotNull();
            store.save(checkpoint(2));
            Path file = directory.resolve("firebird-cdc-" + GUID + ".lock");
            // kept under another name, so that the new one is not the same to the system by chance
            Files.move(file, directory.resolve("away"));
            if (andMadeAnew) {
                Files.createFile(file);
            }
            assertThatThrownBy(() -> store.save(checkpoint(3)))
                    .isInstanceOf(CheckpointException.class)
                    .hasMessageContaining("restart the route");
            assertThatThrownBy(() -> store.saveDocument(GUID, "schema", new byte[0]))
                    .isInstanceOf(CheckpointException.class);
            assertThat(store.load(GUID)).contains(checkpoint(2));
        }
    }

    @Test
    void aRefusedConsumerDoesNotTakeTheLockAway() throws IOException, InterruptedException {
        try (CheckpointStore.Lock first = store().lock(GUID)) {
            assertThatThrownBy(() -> store().lock(GUID)).isInstanceOf(CheckpointException.class);
            assertThat(inAnotherProcess("try")).contains("another process captures this database already");
            assertThat(first).isNotNull();
        }
        assertThat(inAnotherProcess("try")).isEqualTo("locked");
    }

    @Test
    void aProcessThatHoldsTheLockKeepsOthersOutAndItsDeathGivesItBack() throws IOException, InterruptedException {
        Process other = start("hold");
        try (BufferedReader said = reader(other)) {
            assertThat(said.readLine()).isEqualTo("locked");
            assertThatThrownBy(() -> store().lock(GUID))
                    .isInstanceOf(CheckpointException.class)
                    .hasMessageContaining("another process");
            other.destroyForcibly().waitFor();
            store().lock(GUID).close();
        } finally {
            other.destroyForcibly();
        }
    }

    private String inAnotherProcess(String what) throws IOException, InterruptedException {
        Process other = start(what);
        try (BufferedReader said = reader(other)) {
            String line = said.readLine();
            other.waitFor();
            return line;
        }
    }

    private static BufferedReader reader(Process process) {
        return new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    private Process start(String what) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx32m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        LockProcess.class.getName(),
                        directory.toString(),
                        GUID.toString(),
                        what)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    @Test
    void onlyTheFilesOfTheStoreAreMade() throws IOException {
        FileCheckpointStore store = store();
        try (CheckpointStore.Lock lock = store.lock(GUID)) {
            assertThat(lock).isNotNull();
            store.save(checkpoint(2));
            store.saveDocument(GUID, "schema", new byte[] {1});
        }
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files.map(f -> f.getFileName().toString()))
                    .containsExactlyInAnyOrder(
                            "firebird-cdc-" + GUID + ".json",
                            "firebird-cdc-" + GUID + ".schema.json",
                            "firebird-cdc-" + GUID + ".lock");
        }
    }
}
