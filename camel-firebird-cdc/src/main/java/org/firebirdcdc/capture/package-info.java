/**
 * Ties directory, assembler, schema history and checkpoint together into "give me the next committed transaction" and "it
 * is done". The door for everybody who embeds capture without Camel.
 */
package org.firebirdcdc.capture;
