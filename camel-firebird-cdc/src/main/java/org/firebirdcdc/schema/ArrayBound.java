package org.firebirdcdc.schema;

/**
 * One dimension of an array column.
 *
 * @param lower index of the first element
 * @param upper index of the last element
 */
public record ArrayBound(int lower, int upper) {}
