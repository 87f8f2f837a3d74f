package org.firebirdcdc.checkpoint;

import java.util.List;
import java.util.Optional;
import org.firebirdcdc.journal.DatabaseGuid;

/**
 * Keeps checkpoints and the documents that go with them, one set per database. Implementations are found in the Camel
 * registry; the default is {@link FileCheckpointStore}. One store may serve several consumers: what belongs to one
 * database is used by one thread at a time, what belongs to several by as many.
 */
public interface CheckpointStore {

    /**
     * Makes sure that nobody else uses the database's checkpoint, neither by this store nor by another, until the lock is
     * closed.
     *
     * @throws CheckpointException if somebody does, saying who and what to do
     */
    Lock lock(DatabaseGuid guid);

    /** The right to use the checkpoint of one database. */
    @FunctionalInterface
    interface Lock extends AutoCloseable {

        /** Gives the right back; does nothing the second time. */
        @Override
        void close();
    }

    /** Databases that have a checkpoint here. */
    List<DatabaseGuid> databases();

    /**
     * @return empty only if there has never been one
     * @throws CheckpointException if it cannot be read, is damaged or of a newer version
     */
    Optional<Checkpoint> load(DatabaseGuid guid);

    /**
     * Replaces the checkpoint; when this returns, the new one survives a loss of power.
     *
     * @throws CheckpointException if it cannot be written; the former one is still there then
     */
    void save(Checkpoint checkpoint);

    /**
     * A document kept beside the checkpoint, such as the history of the schema.
     *
     * @param name lower-case letters
     * @return empty only if there has never been one
     */
    Optional<byte[]> loadDocument(DatabaseGuid guid, String name);

    /** Replaces a document, as safely as {@link #save}. */
    void saveDocument(DatabaseGuid guid, String name, byte[] content);
}
