/** The quick start: recorded segments in, Kafka topics out, and a look at what came. */
package org.firebirdcdc.examples.quickstart;
