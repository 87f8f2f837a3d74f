/**
 * From blocks to committed transactions: assembling, savepoints, undo, blobs over block borders, and the lazy bodies that
 * give the surviving changes.
 */
package org.firebirdcdc.transaction;
