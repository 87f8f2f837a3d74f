package org.firebirdcdc.capture;

import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.firebirdcdc.journal.JournalFormatException;
import org.firebirdcdc.journal.SegmentDirectory;
import org.firebirdcdc.journal.SegmentFile;
import org.firebirdcdc.journal.SegmentStatus;
import org.firebirdcdc.journal.SegmentSummary;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks through whole segment files, to validate them and to tell them apart. Not thread-safe. */
final class SegmentLooks {

    private static final Logger LOG = LoggerFactory.getLogger(JournalCapture.class);

    /** So long a file that was found damaged is not looked through again unless it has changed. */
    private static final Duration FAILED_LOOK_INTERVAL = Duration.ofSeconds(10);

    private final SegmentLedger ledger;
    private final Clock clock;
    private final Map<String, FailedLook> failedLooks = new HashMap<>();
    private final Map<SegmentFile, Boolean> commits = new HashMap<>();
    /** Renamed copies of segments, by name, size and time. */
    private final Set<String> renamed = new HashSet<>();
    /** Names of copies that were told. */
    private final Set<String> copies = new HashSet<>();

    /**
     * A file that was found damaged. Looked at again when it has changed, and now and then all the same: a sound copy that
     * was brought over it may have its size and time.
     */
    private record FailedLook(SegmentFile file, JournalFormatException error, long millis) {}

    SegmentLooks(SegmentLedger ledger, Clock clock) {
        this.ledger = ledger;
        this.clock = clock;
    }

    /**
     * Validates a segment as a whole.
     *
     * @throws JournalFormatException if it is damaged
     */
    SegmentSummary summary(SegmentFile file) {
        FailedLook failed = failedLooks.get(file.fileName());
        long now = clock.millis();
        if (failed != null
                && failed.file().equals(file)
                && Math.abs(now - failed.millis()) < FAILED_LOOK_INTERVAL.toMillis()) {
            throw failed.error();
        }
        try {
            SegmentSummary summary = SegmentSummary.of(file);
            failedLooks.remove(file.fileName());
            return summary;
        } catch (JournalFormatException e) {
            failedLooks.put(file.fileName(), new FailedLook(file, e, now));
            throw e;
        }
    }

    /** Whether a transaction commits in a segment; remembered until {@link #forgetCommits}. */
    boolean holdsCommit(SegmentFile file) {
        return commits.computeIfAbsent(file, this::lookForCommit);
    }

    void forgetCommits() {
        commits.clear();
    }

    private boolean lookForCommit(SegmentFile file) {
        try {
            return summary(file).holdsCommit();
        } catch (JournalFormatException e) {
            // told when its turn comes
            return false;
        }
    }

    /** Whether the file is still the one that was looked at. */
    static boolean isUnchanged(SegmentFile file) {
        return SegmentDirectory.inspect(file.path())
                .segment()
                .filter(now -> now.header().equals(file.header())
                        && now.size() == file.size()
                        && now.modifiedMillis() == file.modifiedMillis())
                .isPresent();
    }

    /**
     * Looks whether files with one number are copies of each other.
     *
     * @param summary of the first one
     * @throws CaptureException if they are not
     */
    void checkCopies(List<SegmentFile> candidates, SegmentSummary summary) {
        SegmentFile first = candidates.get(0);
        for (SegmentFile other : candidates.subList(1, candidates.size())) {
            if (!summary(other).digest().equals(summary.digest())) {
                throw new CaptureException(
                        CaptureException.Reason.OVERWRITTEN,
                        "segment " + first.sequence() + " is there twice with different content: " + first.fileName()
                                + " and " + other.fileName()
                                + ". Find out which one the server wrote and remove the other");
            }
            if (copies.add(other.fileName())) {
                LOG.warn("{} is a copy of {}; it is ignored", other.fileName(), first.fileName());
            }
        }
    }

    /** Whether a file under another number than its own holds a segment that is there or was read: a renamed copy. */
    boolean isCopy(SegmentStatus file, ArchiveView view) {
        SegmentFile segment = file.segment().orElseThrow();
        String key = segment.fileName() + " " + segment.size() + " " + segment.modifiedMillis();
        if (renamed.contains(key)) {
            return true;
        }
        boolean copy;
        try {
            String digest = summary(segment).digest();
            copy = ledger.get(segment.sequence())
                            .filter(mark -> mark.digest().equals(digest))
                            .isPresent()
                    || view.complete().getOrDefault(segment.sequence(), List.of()).stream()
                            .anyMatch(f -> summary(f).digest().equals(digest));
        } catch (JournalFormatException e) {
            // damaged: said as soon as its number is needed
            copy = false;
        }
        if (copy) {
            renamed.add(key);
            LOG.warn("{} is a renamed copy of segment {}; it is ignored", segment.fileName(), segment.sequence());
        }
        return copy;
    }
}
