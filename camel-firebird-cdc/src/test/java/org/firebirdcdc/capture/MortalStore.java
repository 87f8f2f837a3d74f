package org.firebirdcdc.capture;

import org.firebirdcdc.checkpoint.Checkpoint;
import org.firebirdcdc.checkpoint.CheckpointStore;
import org.firebirdcdc.journal.DatabaseGuid;
import org.firebirdcdc.testing.ForwardingStore;

/** The process dies between two writes of its store: everything before has happened, nothing behind it. */
final class MortalStore extends ForwardingStore {

    /** The process is no more. */
    static final class Death extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private int writesLeft;

    /**
     * @param writes so many are done, the next one is not
     */
    MortalStore(CheckpointStore store, int writes) {
        super(store);
        this.writesLeft = writes;
    }

    private void live() {
        if (writesLeft-- <= 0) {
            writesLeft = 0;
            throw new Death();
        }
    }

    @Override
    public void save(Checkpoint checkpoint) {
        live();
        super.save(checkpoint);
    }

    @Override
    public void saveDocument(DatabaseGuid guid, String name, byte[] content) {
        live();
        super.saveDocument(guid, name, content);
    }
}
