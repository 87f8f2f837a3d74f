package org.firebirdcdc.routes;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.firebirdcdc.testing.Captures;
import org.firebirdcdc.testing.Corpus.Recording;
import org.firebirdcdc.testing.MemoryCheckpointStore;
import org.firebirdcdc.transaction.ChangeEvent;
import org.firebirdcdc.transaction.JournalEvent;
import org.firebirdcdc.transaction.JournalTransaction;

/** Row changes in segments of a recording, as a capture without Camel gives them. */
final class RecordedChanges {

    private RecordedChanges() {}

    /**
     * A change.
     *
     * @param topic where it is due, without the prefix
     * @param id    identity of the event
     */
    record Change(String topic, String id) {}

    /** The changes of each transaction that has any, in commit order. */
    static List<List<Change>> transactions(Recording recording, Path segments) {
        List<List<Change>> transactions = new ArrayList<>();
        try (var capture = Captures.open(segments, recording.catalogs(), new MemoryCheckpointStore())) {
            for (JournalTransaction transaction : Captures.drain(capture)) {
                List<Change> changes = new ArrayList<>();
                for (JournalEvent event : transaction) {
                    if (event instanceof ChangeEvent change) {
                        changes.add(new Change(topic(change), change.id()));
                    }
                }
                if (!changes.isEmpty()) {
                    transactions.add(changes);
                }
            }
        }
        return transactions;
    }

    private static String topic(ChangeEvent change) {
        return change.table().toString().replaceAll("[^A-Za-z0-9._-]", "_");
    }

    /** Identities by topic, in order. */
    static Map<String, List<String>> byTopic(String topicPrefix, List<List<Change>> transactions) {
        Map<String, List<String>> ids = new TreeMap<>();
        transactions.forEach(changes ->
                changes.forEach(change -> ids.computeIfAbsent(topicPrefix + change.topic(), t -> new ArrayList<>())
                        .add(change.id())));
        return ids;
    }
}
