package org.firebirdcdc.capture;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.firebirdcdc.checkpoint.CheckpointStore;
import org.firebirdcdc.journal.DatabaseGuid;
import org.firebirdcdc.journal.SegmentStatus;
import org.firebirdcdc.schema.SchemaHistory;

/**
 * Which database is captured: the one that is configured, else that of the only checkpoint, else that of the metadata, else
 * the only one whose segments are there.
 */
record DatabaseChoice(CaptureSettings settings, CheckpointStore store, SchemaHistory history) {

    /**
     * @param found the segments that are there
     * @return empty if nothing says so yet
     * @throws CaptureException if more than one can be meant
     */
    Optional<DatabaseGuid> among(List<SegmentStatus> found) {
        return settings.guid().or(() -> onlyCheckpoint(found)).or(history::guid).or(() -> onlyInDirectory(found));
    }

    private Optional<DatabaseGuid> onlyCheckpoint(List<SegmentStatus> found) {
        List<DatabaseGuid> known = store.databases();
        Optional<DatabaseGuid> only = known.size() == 1 ? Optional.of(known.get(0)) : Optional.empty();
        only.ifPresent(its -> checkBelongsHere(its, found));
        return only;
    }

    /** The database was restored and has a new GUID, or another one's checkpoint lies in the same place: nobody can tell. */
    private void checkBelongsHere(DatabaseGuid its, List<SegmentStatus> found) {
        ArchiveView view = new ArchiveView(found, Optional.of(its));
        // the database may be asked, so that comes last
        if (view.lowest().isEmpty()
                && !view.foreign().isEmpty()
                && history.guid().filter(its::equals).isEmpty()) {
            throw new CaptureException(
                    CaptureException.Reason.AMBIGUOUS_DATABASE,
                    "the only checkpoint is of database " + its + ", but " + settings.directory()
                            + " holds segments of others: " + view.foreign()
                            + ". After a restore, which gives a new GUID, set databaseGuid to the new one to begin its"
                            + " history; to wait for more of the former one, set it to " + its);
        }
    }

    private Optional<DatabaseGuid> onlyInDirectory(List<SegmentStatus> found) {
        Set<DatabaseGuid> present = found.stream()
                .filter(f -> f.kind() != SegmentStatus.Kind.FREE)
                .flatMap(f -> f.header().stream())
                .map(h -> h.guid())
                .collect(Collectors.toSet());
        if (present.size() > 1) {
            throw new CaptureException(
                    CaptureException.Reason.AMBIGUOUS_DATABASE,
                    settings.directory() + " holds segments of " + present.size() + " databases: "
                            + present.stream()
                                    .map(DatabaseGuid::toString)
                                    .sorted()
                                    .collect(Collectors.joining(", "))
                            + ". Say with databaseGuid which one is meant, or give each database a directory of its own");
        }
        return present.stream().findFirst();
    }
}
