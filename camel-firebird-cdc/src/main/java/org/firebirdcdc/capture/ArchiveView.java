package org.firebirdcdc.capture;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.firebirdcdc.journal.DatabaseGuid;
import org.firebirdcdc.journal.JournalFormatException;
import org.firebirdcdc.journal.JournalPosition;
import org.firebirdcdc.journal.SegmentFile;
import org.firebirdcdc.journal.SegmentStatus;

/** One look at the directory, seen from one database's history (segment-format.md 11). */
final class ArchiveView {

    private final Optional<DatabaseGuid> guid;
    /** Complete files of the history whose name and header agree, by number. */
    private final TreeMap<Long, List<SegmentFile>> complete = new TreeMap<>();
    /** Complete files of the history under another number than their own. */
    private final List<SegmentStatus> misnamed = new ArrayList<>();
    /** Files that cannot be read yet, by the number that they have or will have. */
    private final TreeMap<Long, SegmentStatus> unready = new TreeMap<>();

    private final TreeMap<Long, SegmentStatus> damaged = new TreeMap<>();
    private final Set<DatabaseGuid> foreign = new TreeSet<>((a, b) -> a.value().compareTo(b.value()));
    /** A file of another database for each number that there is one for. */
    private final TreeMap<Long, SegmentStatus> foreignFiles = new TreeMap<>();

    private int free;
    private int others;

    ArchiveView(Collection<SegmentStatus> files, Optional<DatabaseGuid> guid) {
        this.guid = guid;
        for (SegmentStatus file : files) {
            place(file);
        }
    }

    private void place(SegmentStatus file) {
        Optional<DatabaseGuid> its = file.header().map(h -> h.guid());
        if (file.kind() == SegmentStatus.Kind.FREE) {
            free++;
            return;
        }
        others++;
        if (its.isPresent() && guid.isPresent() && !its.equals(guid)) {
            foreign.add(its.get());
            foreignFiles.put(file.name().sequence(), file);
            return;
        }
        long nameNumber = file.name().sequence();
        switch (file.kind()) {
            case COMPLETE -> {
                SegmentFile segment = file.segment().orElseThrow();
                if (segment.sequence() == nameNumber) {
                    complete.computeIfAbsent(nameNumber, n -> new ArrayList<>()).add(segment);
                } else {
                    misnamed.add(file);
                }
            }
            case INCOMPLETE, IN_USE ->
                unready.put(file.header().map(h -> h.sequence()).orElse(nameNumber), file);
            case DAMAGED -> damaged.put(nameNumber, file);
            case FREE -> throw new IllegalStateException("counted above");
        }
    }

    /** GUIDs of other databases in the directory. */
    Set<DatabaseGuid> foreign() {
        return foreign;
    }

    /** Whether nothing but files of a journal directory is here: FREE, perhaps with one in use. */
    boolean looksLikeJournalDirectory() {
        return free > 0
                && complete.isEmpty()
                && damaged.isEmpty()
                && unready.values().stream().allMatch(f -> f.kind() == SegmentStatus.Kind.IN_USE)
                && others == unready.size();
    }

    /** Files of the history, by number. */
    TreeMap<Long, List<SegmentFile>> complete() {
        return complete;
    }

    /** Complete files of the history under another number than their own; what is removed here counts as not there. */
    List<SegmentStatus> misnamed() {
        return misnamed;
    }

    /** The lowest number for which there is any file of the history, readable or not. */
    Optional<Long> lowest() {
        return java.util.stream.Stream.of(complete, unready, damaged)
                .filter(map -> !map.isEmpty())
                .map(TreeMap::firstKey)
                .min(Long::compare);
    }

    /** The highest number of a complete file. */
    Optional<Long> highestComplete() {
        return complete.isEmpty() ? Optional.empty() : Optional.of(complete.lastKey());
    }

    /** The lowest number of a complete file that is greater. */
    Optional<Long> nextComplete(long sequence) {
        return Optional.ofNullable(complete.higherKey(sequence));
    }

    /** What the directory holds for a number. */
    Lookup find(long sequence) {
        List<SegmentFile> files = complete.getOrDefault(sequence, List.of());
        if (!files.isEmpty()) {
            return new Lookup(Kind.READY, files, "");
        }
        JournalFormatException error = damagedAt(sequence);
        if (error != null) {
            throw error;
        }
        boolean laterOnes = complete.higherKey(sequence) != null;
        SegmentStatus unreadyFile = unready.get(sequence);
        if (unreadyFile != null && !laterOnes && inUse(sequence).isPresent()) {
            return new Lookup(Kind.READY, unreadyFile.segment().stream().toList(), "");
        }
        if (unreadyFile != null) {
            String what = unreadyFile.kind() == SegmentStatus.Kind.IN_USE
                    ? "segment " + sequence + " (" + unreadyFile.name().fileName()
                            + ") is still in use by the server; read the archive directory, not the journal directory"
                    : "segment " + sequence + " (" + unreadyFile.name().fileName() + ") is not complete: "
                            + unreadyFile.progress();
            return new Lookup(laterOnes ? Kind.GAP : Kind.WAITING, List.of(), what);
        }
        String another = Optional.ofNullable(foreignFiles.get(sequence))
                .map(file -> " (" + file.name().fileName() + " is of database "
                        + file.header().orElseThrow().guid() + ")")
                .orElse("");
        return laterOnes
                ? new Lookup(Kind.GAP, List.of(), "segment " + sequence + " is missing" + another)
                : new Lookup(
                        Kind.WAITING,
                        List.of(),
                        another.isEmpty() ? "" : "segment " + sequence + " is not there yet" + another);
    }

    /**
     * A segment to which the server still writes: what its header tells so far are whole blocks. Not in a journal directory,
     * where files are used again under other numbers.
     */
    Optional<SegmentFile> inUse(long sequence) {
        return Optional.ofNullable(unready.get(sequence))
                .filter(file -> file.kind() == SegmentStatus.Kind.IN_USE && free == 0)
                .flatMap(SegmentStatus::segment);
    }

    /** Null if no file with this number in its name has a wrong header. */
    private JournalFormatException damagedAt(long sequence) {
        SegmentStatus file = damaged.get(sequence);
        if (file != null) {
            return file.error().orElseThrow();
        }
        for (SegmentStatus other : misnamed) {
            if (other.name().sequence() == sequence) {
                return new JournalFormatException(
                        other.name().fileName(),
                        new JournalPosition(sequence, 32),
                        "the name says segment " + sequence + ", the header says "
                                + other.header().orElseThrow().sequence());
            }
        }
        return null;
    }

    /** How far a segment is. */
    enum Kind {
        READY,
        /** Nothing (readable) is there, and nothing behind it. */
        WAITING,
        /** Nothing (readable) is there, but later ones are. */
        GAP
    }

    /**
     * @param kind   how far it is
     * @param files  candidates; one, unless copies lie beside each other
     * @param reason for people; empty when simply nothing is there yet
     */
    record Lookup(Kind kind, List<SegmentFile> files, String reason) {}
}
