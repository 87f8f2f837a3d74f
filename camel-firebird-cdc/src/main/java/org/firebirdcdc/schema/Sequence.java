package org.firebirdcdc.schema;

import java.util.Objects;
import org.firebirdcdc.journal.ObjectName;

/**
 * A sequence (generator), those of identity columns included.
 *
 * @param name      its name
 * @param id        RDB$GENERATOR_ID
 * @param initial   initial value
 * @param increment step
 */
public record Sequence(ObjectName name, int id, long initial, long increment) {

    public Sequence {
        Objects.requireNonNull(name, "name");
    }
}
