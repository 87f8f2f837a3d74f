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
 * @param abandonAfter       transactions open for longer are dropped; empty for never
 * @param clock              for ages and intervals
 * @param readInUse          whether the newest segment is read as far as it goes if the server still writes to it. For one
 *                           look at what is there: capture counts it as read and does not come back to it
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
        Clock clock,
        boolean readInUse) {

    public CaptureSettings {
        Objects.requireNonNull(directory, "directory");
    }

    /** Settings for a capture that runs: segments in use are left to the server. */
    public CaptureSettings(
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
        this(
                directory,
                guid,
                startFrom,
                checkpointInterval,
                processed,
                moveTo,
                onGap,
                unknownTransaction,
                abandonAfter,
                clock,
                false);
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
