package org.firebirdcdc.schema;

/**
 * State of the publication RDB$DEFAULT (segment-format.md 6.1).
 *
 * @param active             whether changes are written to the journal at all
 * @param includesNewTables  whether tables created later enter it by themselves
 */
public record Publication(boolean active, boolean includesNewTables) {}
