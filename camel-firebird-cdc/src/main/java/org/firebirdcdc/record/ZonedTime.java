package org.firebirdcdc.record;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.OffsetTime;
import java.time.ZoneOffset;
import java.util.Objects;
import java.util.Optional;

/**
 * A TIME WITH TIME ZONE, to 0.0001 s. For a region the server uses the rules in force on 2020-01-01 (segment-format.md
 * 7.11).
 *
 * @param utc    time of day in UTC
 * @param zone   the zone that was given with the value
 * @param offset offset of the local time; empty if Java does not know the zone's rules
 */
public record ZonedTime(LocalTime utc, Zone zone, Optional<ZoneOffset> offset) {

    private static final LocalDate RULES_DATE = LocalDate.of(2020, 1, 1);

    public ZonedTime {
        Objects.requireNonNull(utc, "utc");
        Objects.requireNonNull(zone, "zone");
        Objects.requireNonNull(offset, "offset");
    }

    static ZonedTime of(LocalTime utc, Zone zone) {
        Instant moment = RULES_DATE.atTime(utc).toInstant(ZoneOffset.UTC);
        return new ZonedTime(utc, zone, zone.offsetAt(moment));
    }

    /**
     * @throws DateTimeException if Java does not know the zone's rules
     */
    public LocalTime local() {
        return utc.plusSeconds(knownOffset().getTotalSeconds());
    }

    /**
     * @throws DateTimeException if Java does not know the zone's rules
     */
    public OffsetTime toOffsetTime() {
        return local().atOffset(knownOffset());
    }

    private ZoneOffset knownOffset() {
        return offset.orElseThrow(() -> new DateTimeException(TimeText.unknownRules(zone)));
    }

    /** Local time and zone name as the server prints them; UTC where Java does not know the zone's rules. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        TimeText.append(text, offset.isPresent() ? local() : utc);
        return TimeText.withZone(text, zone, offset).toString();
    }
}
