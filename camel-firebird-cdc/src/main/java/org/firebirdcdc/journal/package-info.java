/**
 * Reads Firebird's replication journal segments: names, headers, blocks and operations, each with its position.
 *
 * <p>Knows bytes and files, nothing of transactions, tables' columns or Camel. All integers of the format are
 * little-endian. The facts come from {@code docs/segment-format.md}; sections are cited where they are used.
 */
package org.firebirdcdc.journal;
