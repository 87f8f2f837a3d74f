package org.firebirdcdc.capture;

import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import org.firebirdcdc.journal.SegmentFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Deletes or moves segments that nothing needs any more. A failure is a warning, tried again at the next occasion. */
final class SegmentDisposal {

    private static final Logger LOG = LoggerFactory.getLogger(SegmentDisposal.class);

    /** That files cannot be removed is warned of once in this time, however many they are. */
    private static final Duration WARNING_INTERVAL = Duration.ofMinutes(10);

    private final Processed processed;
    private final Path moveTo;
    private final Clock clock;
    private final Set<Long> refused = new HashSet<>();
    private Instant warned = Instant.MIN;

    SegmentDisposal(Processed processed, Path moveTo, Clock clock) {
        this.processed = processed;
        this.moveTo = moveTo;
        this.clock = clock;
    }

    boolean keepsAll() {
        return processed == Processed.KEEP;
    }

    /** Whether the file is gone from the directory now. */
    boolean dispose(SegmentFile file) {
        boolean gone = isGone(file);
        if (gone) {
            refused.remove(file.sequence());
        }
        return gone;
    }

    private boolean isGone(SegmentFile file) {
        try {
            return switch (processed) {
                case KEEP -> false;
                case DELETE -> {
                    Files.deleteIfExists(file.path());
                    LOG.info(
                            "Segment {} ({} bytes) is done and deleted",
                            file.sequence(),
                            file.header().length());
                    yield true;
                }
                case MOVE -> {
                    move(file.path());
                    LOG.info(
                            "Segment {} ({} bytes) is done and moved to {}",
                            file.sequence(),
                            file.header().length(),
                            moveTo);
                    yield true;
                }
            };
        } catch (NoSuchFileException e) {
            return true;
        } catch (IOException e) {
            warn(file, e);
            return false;
        }
    }

    private void move(Path file) throws IOException {
        Files.createDirectories(moveTo);
        Path target = moveTo.resolve(file.getFileName());
        try {
            Files.move(file, target, StandardCopyOption.ATOMIC_MOVE);
        } catch (AtomicMoveNotSupportedException e) {
            // another file system: a complete copy under a temporary name first, so that nobody meets half a segment
            Path temporary = moveTo.resolve("." + file.getFileName() + ".tmp");
            try {
                copy(file, temporary);
                Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
            } catch (IOException failure) {
                giveSpaceBack(temporary, failure);
                throw failure;
            }
            Files.delete(file);
        }
    }

    /** Forced to disk: a loss of power must not find the original deleted and the copy not yet written. */
    private static void copy(Path file, Path copy) throws IOException {
        try (FileChannel channel = FileChannel.open(
                copy, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            Files.copy(file, Channels.newOutputStream(channel));
            channel.force(true);
        }
        Files.setLastModifiedTime(copy, Files.getLastModifiedTime(file));
    }

    private static void giveSpaceBack(Path temporary, IOException cause) {
        try {
            Files.deleteIfExists(temporary);
        } catch (IOException e) {
            cause.addSuppressed(e);
        }
    }

    private void warn(SegmentFile file, IOException cause) {
        Instant now = clock.instant();
        boolean first = refused.isEmpty();
        refused.add(file.sequence());
        if (first || now.isAfter(warned.plus(WARNING_INTERVAL)) || now.isBefore(warned)) {
            warned = now;
            LOG.warn(
                    "Segment {} is done but cannot be removed ({}); it is tried again later, and so are {} others. Check the"
                            + " permissions of {}",
                    file.path(),
                    cause.toString(),
                    refused.size() - 1,
                    file.path().getParent());
        }
    }
}
