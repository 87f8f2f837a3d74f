package org.firebirdcdc.envelope;

import java.io.IOException;
import org.firebirdcdc.record.Row;

/** Writes the values of one column: worked out once per version of a table. */
@FunctionalInterface
interface ColumnWriter {

    /**
     * Writes a value that is not NULL.
     *
     * @throws UnencodableException if the options give it no form
     * @throws IOException          if its content cannot be read from the journal any more
     */
    void write(JsonOutput out, Row row) throws IOException;
}
