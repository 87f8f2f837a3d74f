package org.firebirdcdc.testing;

import java.util.List;
import java.util.Optional;
import org.firebirdcdc.checkpoint.Checkpoint;
import org.firebirdcdc.checkpoint.CheckpointStore;
import org.firebirdcdc.journal.DatabaseGuid;

/** Hands everything on to another store; those that are made of it let something go wrong on the way. */
public abstract class ForwardingStore implements CheckpointStore {

    private final CheckpointStore store;

    protected ForwardingStore(CheckpointStore store) {
        this.store = store;
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
