package org.firebirdcdc.testing;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.firebirdcdc.checkpoint.Checkpoint;
import org.firebirdcdc.checkpoint.CheckpointStore;
import org.firebirdcdc.journal.DatabaseGuid;

/** Keeps checkpoints in memory, over restarts of a capture within one test. */
public final class MemoryCheckpointStore implements CheckpointStore {

    private final Map<DatabaseGuid, Checkpoint> checkpoints = new ConcurrentHashMap<>();
    private final Map<String, byte[]> documents = new ConcurrentHashMap<>();

    @Override
    public Lock lock(DatabaseGuid guid) {
        // one test, one consumer
        return () -> {};
    }

    @Override
    public List<DatabaseGuid> databases() {
        return List.copyOf(checkpoints.keySet());
    }

    @Override
    public Optional<Checkpoint> load(DatabaseGuid guid) {
        return Optional.ofNullable(checkpoints.get(guid));
    }

    @Override
    public void save(Checkpoint checkpoint) {
        checkpoints.put(checkpoint.guid(), checkpoint);
    }

    @Override
    public Optional<byte[]> loadDocument(DatabaseGuid guid, String name) {
        return Optional.ofNullable(documents.get(guid + name));
    }

    @Override
    public void saveDocument(DatabaseGuid guid, String name, byte[] content) {
        documents.put(guid + name, content);
    }
}
