package org.firebirdcdc.testing;

import org.firebirdcdc.checkpoint.Checkpoint;
import org.firebirdcdc.checkpoint.CheckpointException;
import org.firebirdcdc.checkpoint.CheckpointStore;

/** A store on a disk that is full at times. */
public final class FailingStore extends ForwardingStore {

    private volatile boolean failing;

    public FailingStore(CheckpointStore store) {
        super(store);
    }

    public void fail(boolean value) {
        failing = value;
    }

    @Override
    public void save(Checkpoint checkpoint) {
        if (failing) {
            throw new CheckpointException("no space left");
        }
        super.save(checkpoint);
    }
}
