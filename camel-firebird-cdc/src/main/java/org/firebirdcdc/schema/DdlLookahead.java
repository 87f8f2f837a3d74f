package org.firebirdcdc.schema;

/**
 * Looks for DDL in segments that are complete but have not been read yet: needed where a catalog shows the table as it
 * became later.
 */
@FunctionalInterface
public interface DdlLookahead {

    /** Sees nothing. */
    DdlLookahead NONE = history -> true;

    /**
     * Reports committed DDL to {@link SchemaHistory#committed} and the highest transaction number to
     * {@link SchemaHistory#met}. Must not wait for anything that waits for the history.
     *
     * @return false if it is not known yet where to begin
     */
    boolean scan(SchemaHistory history);
}
