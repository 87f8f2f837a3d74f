package org.firebirdcdc.envelope;

/** How dates and times go out (formats.md 1, 2.5, 2.6). Values with a time zone are ISO text in all modes but {@link #FIREBIRD}. */
public enum TimeMode implements Choice {
    /** Days; microseconds, since Firebird has 1/10000 s. */
    ADAPTIVE("adaptive"),
    /** The same as {@link #ADAPTIVE} for Firebird's types. */
    ADAPTIVE_TIME_MICROSECONDS("adaptive_time_microseconds"),
    /** Days; milliseconds, cut; schemas are logical types of Kafka Connect. */
    CONNECT("connect"),
    /** ISO 8601 text at offset Z. */
    ISOSTRING("isostring"),
    /** Days; microseconds. */
    MICROSECONDS("microseconds"),
    /** Days; nanoseconds; timestamps from 1677-09-21 to 2262-04-11 only. */
    NANOSECONDS("nanoseconds"),
    /** Firebird's own text, four digits of the second's fraction, zone name behind a blank. */
    FIREBIRD("firebird");

    private final String text;

    TimeMode(String text) {
        this.text = text;
    }

    /** As users write it. */
    @Override
    public String text() {
        return text;
    }
}
