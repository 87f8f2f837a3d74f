/**
 * Random tables and random transactions on a real server: what capture makes of its journal, applied to empty tables, must
 * be what the server answers.
 */
package org.firebirdcdc.differential;
