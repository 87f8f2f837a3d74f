package org.firebirdcdc.capture;

import java.util.List;
import java.util.Optional;
import org.firebirdcdc.checkpoint.Checkpoint;
import org.firebirdcdc.checkpoint.CheckpointStore;
import org.firebirdcdc.journal.DatabaseGuid;

/** The process dies between two writes of its store: everything before has happened, nothing behind it. */
final class MortalStore implements CheckpointStore {

    /** The process is no more. */
    static final class Death extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private final CheckpointStore store;
    private int writesLeft;

    /**
     * @param writes so many are done, the next one is not
     */
    MortalStore(CheckpointStore store, int writes) {
        this.store = store;
        this.writesLeft = writes;
    }

    private void live() {
        if (writesLeft-- <= 0) {
            writesLeft = 0;
            throw new Death();
        }
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
        live();
        store.save(checkpoint);
    }

    @Override
    public Optional<byte[]> loadDocument(DatabaseGuid guid, String name) {
        return store.loadDocument(guid, name);
    }

    @Override
    public void saveDocument(DatabaseGuid guid, String name, byte[] content) {
        live();
        store.saveDocument(guid, name, content);
    }
}
