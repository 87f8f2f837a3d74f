package org.firebirdcdc.capture;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.firebirdcdc.journal.DatabaseGuid;

/**
 * How a directory is captured.
 *
 * @param directory          archive directory
 * @param guid               database, if it is known beforehand
 * @param startFrom          where to begin without a checkpoint
 * @param checkpointInterval at most so much is repeated after a crash, beside what is in flight
 * @param processed          what happens with finished segments
 * @param moveTo             where they are moved to, for {@link Processed#MOVE}
 * @param onGap              what happens at a gap
 * @param unknownTransaction what happens with a commit whose beginning was never seen
 * @param abandonAfter       transactions open for longer are dropped, once all that has arrived is read and nothing is
 *                           missing; empty for never
 * @param clock              for ages and intervals
 */
public record CaptureSettings(
        Path directory,
        Optional<DatabaseGuid> guid,
        StartFrom startFrom,
        Duration checkpointInterval,
        Processed processed,
        Path moveTo,
        OnGap onGap,
        UnknownTransaction unknownTransaction,
        Optional<Duration> abandonAfter,
        Clock clock) {

    public CaptureSettings {
        Objects.requireNonNull(directory, "directory");
    }

    /** The defaults of all options, for a directory. */
    public static CaptureSettings of(Path directory) {
        return new CaptureSettings(
                directory,
                Optional.empty(),
                StartFrom.EARLIEST,
                Duration.ofSeconds(1),
                Processed.KEEP,
                directory.resolve("done"),
                OnGap.WAIT,
                UnknownTransaction.FAIL,
                Optional.empty(),
                Clock.systemUTC());
    }
}
