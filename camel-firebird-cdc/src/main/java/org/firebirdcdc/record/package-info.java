/** Record images read through a record format: rows with typed access to each column. */
package org.firebirdcdc.record;
