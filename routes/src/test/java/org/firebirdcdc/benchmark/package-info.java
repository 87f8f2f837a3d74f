/** How fast the product is, measured as ratios within one run: against the disk, Kafka's client and Kafka Connect's JSON. */
package org.firebirdcdc.benchmark;
