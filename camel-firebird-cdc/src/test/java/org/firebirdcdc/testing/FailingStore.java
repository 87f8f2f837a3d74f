package org.firebirdcdc.capture;

import java.util.List;
import java.util.Optional;
import org.firebirdcdc.checkpoint.Checkpoint;
import org.firebirdcdc.checkpoint.CheckpointException;
import org.firebirdcdc.checkpoint.CheckpointStore;
import org.firebirdcdc.journal.DatabaseGuid;

/** A store on a disk that is full at times. */
final class FailingStore implements CheckpointStore {

    private final CheckpointStore store;
    private boolean failing;

    FailingStore(CheckpointStore store) {
        this.store = store;
    }

    void fail(boolean value) {
        failing = value;
    }

    @Override
    public Lock lock(DatabaseGuid guid) {
        return store.lock(guid);
    }

    @Override
    public List<DatabaseGuid> databases() {
        return store.databases();
    }

    @Override
    public Optional<Checkpoint> load(DatabaseGuid guid) {
        return store.load(guid);
    }

    @Override
    public void save(Checkpoint checkpoint) {
        if (failing) {
            throw new CheckpointException("no space left");
        }
        store.save(checkpoint);
    }

    @Override
    public Optional<byte[]> loadDocument(DatabaseGuid guid, String name) {
        return store.loadDocument(guid, name);
    }

    @Override
    public void saveDocument(DatabaseGuid guid, String name, byte[] content) {
        store.saveDocument(guid, name, content);
    }
}
