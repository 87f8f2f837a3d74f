package org.firebirdcdc.envelope;

import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.SerializedString;
import org.firebirdcdc.journal.SegmentName;

/**
 * Name of the database in records: the one that the metadata tells, else that of the database file as the name of the
 * event's segment tells it. Catalog files need not hold a name.
 */
final class DatabaseName {

    private final boolean known;
    private volatile Named last;

    /** A segment file, and the database that its name tells. */
    private record Named(String file, SerializableString database) {}

    /**
     * @param name from the metadata; empty where that has none
     */
    DatabaseName(String name) {
        this.known = !name.isEmpty();
        this.last = new Named("", new SerializedString(name));
    }

    /**
     * @param file name of the event's segment file
     */
    SerializableString of(String file) {
        Named named = last;
        if (!known && !named.file().equals(file)) {
            named = new Named(
                    file,
                    new SerializedString(
                            SegmentName.parse(file).map(SegmentName::database).orElse("")));
            last = named;
        }
        return named.database();
    }
}
