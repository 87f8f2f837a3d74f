/**
 * Metadata: what tables look like at which position of the journal. Catalogs come from a database or from files; record
 * formats say where the values of a record image stand.
 */
package org.firebirdcdc.schema;
