package org.firebirdcdc.checkpoint;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import org.firebirdcdc.journal.DatabaseGuid;

/** A process of its own that takes the lock of a checkpoint, says so in one line, and perhaps waits to be killed. */
final class LockProcess {

    private LockProcess() {}

    /** Arguments: directory, GUID, and {@code hold} or {@code try}. */
    public static void main(String[] args) throws IOException {
        PrintStream out = System.out;
        try {
            CheckpointStore.Lock lock = new FileCheckpointStore(Path.of(args[0])).lock(DatabaseGuid.parse(args[1]));
            out.println("locked");
            if (args[2].equals("hold")) {
                // until the parent ends or kills it
                while (System.in.read() >= 0) {
                    // nothing is said to it
                }
            }
            lock.close();
        } catch (CheckpointException e) {
            out.println(e.getMessage());
        }
    }
}
