package org.firebirdcdc.journal;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collections;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a walk over a whole segment tells before anything of it is used: its structure is sound, and what it contains.
 *
 * @param digest      SHA-256 of the bytes behind the header up to {@code header.length()}, lower-case hex
 * @param holdsCommit whether a transaction commits in it
 * @param continued   transactions with a block here whose begin is not in this segment, in ascending order; collected only
 *                    as long as no commit is met, since only segments without a commit can be left over from before a
 *                    crash (segment-format.md 1.5)
 */
public record SegmentSummary(String digest, boolean holdsCommit, Set<Long> continued) {

    /**
     * Walks all blocks and operations.
     *
     * @throws JournalFormatException at the first thing that is not sound
     */
    public static SegmentSummary of(SegmentFile file) {
        MessageDigest sha = sha256();
        boolean holdsCommit = false;
        Set<Long> begun = new TreeSet<>();
        Set<Long> continued = new TreeSet<>();
        try (SegmentReader reader = SegmentReader.open(file, Optional.of(sha))) {
            while (reader.nextBlock()) {
                boolean begins = reader.beginsTransaction();
                boolean mayContinue = !begins && !holdsCommit && !begun.contains(reader.transaction());
                while (reader.nextOperation()) {
                    if (reader.operation() == OperationType.COMMIT_TRANSACTION) {
                        holdsCommit = true;
                    }
                    // a cleanup may come for a transaction that is dead already: it continues nothing
                    if (mayContinue && reader.operation() != OperationType.CLEANUP_TRANSACTION) {
                        continued.add(reader.transaction());
                        mayContinue = false;
                    }
                }
                if (begins && !holdsCommit) {
                    begun.add(reader.transaction());
                }
            }
        }
        return new SegmentSummary(
                HexFormat.of().formatHex(sha.digest()),
                holdsCommit,
                holdsCommit ? Set.of() : Collections.unmodifiableSet(continued));
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
