package org.firebirdcdc.cli;

import java.util.List;
import java.util.Optional;
import org.firebirdcdc.checkpoint.Checkpoint;
import org.firebirdcdc.checkpoint.CheckpointStore;
import org.firebirdcdc.journal.DatabaseGuid;

/** Knows no checkpoint and keeps none: who only looks leaves no trace, and meets nobody's lock. */
final class NoCheckpointStore implements CheckpointStore {

    @Override
    public Lock lock(DatabaseGuid guid) {
        // there is nothing that two could write
        return () -> {};
    }

    @Override
    public List<DatabaseGuid> databases() {
        return List.of();
    }

    @Override
    public Optional<Checkpoint> load(DatabaseGuid guid) {
        return Optional.empty();
    }

    @Override
    public void save(Checkpoint checkpoint) {
        // forgotten
    }

    @Override
    public Optional<byte[]> loadDocument(DatabaseGuid guid, String name) {
        return Optional.empty();
    }

    @Override
    public void saveDocument(DatabaseGuid guid, String name, byte[] content) {
        // forgotten
    }
}
