/**
 * Outer forms of events: what goes out as topic, key bytes and value bytes (formats.md). Profiles are sets of default
 * values of knobs; knows nothing of files and nothing of Camel.
 */
package org.firebirdcdc.envelope;
