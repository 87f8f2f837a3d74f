package org.firebirdcdc.record;

import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.Optional;

/** The server's text form of times. */
final class TimeText {

    private static final int NANOS_PER_TICK = 100_000;

    private TimeText() {}

    /** {@code HH:MM:SS.FFFF}. */
    static void append(StringBuilder out, LocalTime time) {
        digits(out, time.getHour(), 2);
        out.append(':');
        digits(out, time.getMinute(), 2);
        out.append(':');
        digits(out, time.getSecond(), 2);
        out.append('.');
        digits(out, time.getNano() / NANOS_PER_TICK, 4);
    }

    private static void digits(StringBuilder out, int number, int width) {
        String digits = Integer.toString(number);
        out.append("0".repeat(width - digits.length())).append(digits);
    }

    static StringBuilder withZone(StringBuilder text, Zone zone, Optional<ZoneOffset> offset) {
        text.append(' ').append(zone.name());
        return offset.isPresent() ? text : text.append(" (UTC)");
    }

    static String unknownRules(Zone zone) {
        return "time zone " + zone.name() + " (id " + zone.id()
                + ") is not in this Java's time zone data: only the UTC value is known; update the Java runtime";
    }
}
