package org.firebirdcdc.schema;

/**
 * When a catalog was read, told in terms of the journal: it shows all that was committed in segments before
 * {@code firstSegment}, and nothing of segments behind {@code lastSegment} or of transactions with a higher number than
 * {@code transaction} (segment-format.md 1.5, 9).
 *
 * @param firstSegment segment that was written to before the catalog was read; 0 if there was none yet
 * @param lastSegment  segment that was written to after it was read
 * @param transaction  number of the snapshot transaction that read it
 */
public record CatalogMoment(long firstSegment, long lastSegment, long transaction) {}
