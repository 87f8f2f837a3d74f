/** What survives a restart: the position up to which everything is done, and what must be known to go on from there. */
package org.firebirdcdc.checkpoint;
