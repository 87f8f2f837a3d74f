package org.firebirdcdc.record;

/** A record image read through its format. */
public final class Row {}
