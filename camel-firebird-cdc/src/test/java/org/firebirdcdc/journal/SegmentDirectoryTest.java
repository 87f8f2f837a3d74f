package org.firebirdcdc.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.List;
import org.firebirdcdc.journal.SegmentStatus.Kind;
import org.firebirdcdc.testing.SegmentBuilder;
import org.firebirdcdc.testing.SegmentBuilder.Operations;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SegmentDirectoryTest {

    @TempDir
    Path home;

    private SegmentStatus only(SegmentDirectory directory) {
        List<SegmentStatus> found = directory.scan();
        assertThat(found).hasSize(1);
        return found.get(0);
    }

    @Test
    void onlyFilesWithTheExactNameOfASegmentAreLookedAt() throws IOException {
        SegmentBuilder segment = SegmentBuilder.segment(3).begin(5, Operations::commit);
        segment.write(home, "X.journal-000000003");
        segment.write(home, ".X.journal-000000003.abc123");
        segment.write(home, "X.journal-000000003.part");
        Files.createDirectory(home.resolve("X.journal-000000004"));
        assertThat(only(new SegmentDirectory(home)).name().fileName()).isEqualTo("X.journal-000000003");
    }

    @Test
    void aMissingDirectoryIsAnErrorAndNotEmpty() {
        SegmentDirectory directory = new SegmentDirectory(home.resolve("none"));
        assertThatThrownBy(directory::scan)
                .isInstanceOf(JournalReadException.class)
                .hasMessageContaining("there is no such directory")
                .hasMessageContaining("journal_archive_directory");
    }

    @Test
    void aFileInPlaceOfTheDirectoryIsAnError() throws IOException {
        SegmentDirectory directory = new SegmentDirectory(Files.createFile(home.resolve("file")));
        assertThatThrownBy(directory::scan).isInstanceOf(JournalReadException.class);
    }

    @Test
    void aFileThatGrowsBecomesComplete() throws IOException {
        byte[] bytes = SegmentBuilder.segment(1).begin(5, Operations::commit).bytes();
        Path file = home.resolve("x.journal-000000001");
        SegmentDirectory directory = new SegmentDirectory(home);
        for (int length = 0; length < bytes.length; length++) {
            Files.write(file, Arrays.copyOf(bytes, length));
            SegmentStatus status = only(directory);
            assertThat(status.kind()).as("%d bytes", length).isEqualTo(Kind.INCOMPLETE);
            assertThat(status.segment()).isEmpty();
            assertThat(status.header().isPresent()).isEqualTo(length >= 48);
            assertThat(status.progress()).startsWith(length + " ");
        }
        Files.write(file, bytes);
        assertThat(only(directory).kind()).isEqualTo(Kind.COMPLETE);
        Files.delete(file);
        assertThat(directory.scan()).isEmpty();
    }

    @Test
    void stateSaysWhetherTheServerIsDoneWithAFile() {
        Kind[] kinds = {Kind.FREE, Kind.IN_USE, Kind.COMPLETE, Kind.COMPLETE, Kind.DAMAGED};
        for (int state = 0; state < kinds.length; state++) {
            SegmentBuilder.segment(1).state(state).commit(5).write(home);
            SegmentStatus status = only(new SegmentDirectory(home));
            assertThat(status.kind()).as("state %d", state).isEqualTo(kinds[state]);
            assertThat(status.error().isPresent()).isEqualTo(state == 4);
            assertThat(status.segment().isPresent()).isEqualTo(state >= 1 && state <= 3);
        }
    }

    @Test
    void aFileInUseIsLookedAtAgainEvenIfItsTimeSaysThatNothingChanged() throws IOException {
        Path file = SegmentBuilder.segment(1).state(1).commit(5).write(home);
        FileTime tick = Files.getLastModifiedTime(file);
        SegmentDirectory directory = new SegmentDirectory(home);
        assertThat(only(directory).kind()).isEqualTo(Kind.IN_USE);
        SegmentBuilder.segment(1).state(2).commit(5).write(home);
        Files.setLastModifiedTime(file, tick);
        assertThat(only(directory).kind()).isEqualTo(Kind.COMPLETE);
    }

    @Test
    void aFileThatCannotBeOpenedDoesNotHideTheOthers() throws IOException {
        SegmentBuilder.segment(1).begin(5, Operations::commit).write(home);
        // a regular file of 4096 bytes that refuses to be read, even to the super-user
        Path unreadable = Path.of("/sys/bus/cpu/drivers_probe");
        assumeTrue(Files.exists(unreadable), "needs Linux");
        Path link = Files.createSymbolicLink(home.resolve("x.journal-000000002"), unreadable);
        SegmentDirectory directory = new SegmentDirectory(home);
        assertThat(directory.scan())
                .extracting(s -> s.name().sequence() + " " + s.kind())
                .containsExactlyInAnyOrder("1 COMPLETE", "2 INCOMPLETE");
        assertThat(SegmentDirectory.inspect(link).progress()).contains("cannot be opened");
    }
}
