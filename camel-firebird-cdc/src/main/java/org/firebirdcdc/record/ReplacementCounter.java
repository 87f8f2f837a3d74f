package org.firebirdcdc.record;

/** Told of each decoded value in which malformed text was replaced; may be called by several threads. */
@FunctionalInterface
public interface ReplacementCounter {

    ReplacementCounter NONE = () -> {};

    void increment();
}
