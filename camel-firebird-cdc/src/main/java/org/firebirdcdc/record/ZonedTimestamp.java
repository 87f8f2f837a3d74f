package org.firebirdcdc.record;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Objects;
import java.util.Optional;

/**
 * A TIMESTAMP WITH TIME ZONE, to 0.0001 s.
 *
 * @param utc    date and time in UTC
 * @param zone   the zone that was given with the value
 * @param offset offset of the local time; empty if Java does not know the zone's rules
 */
public record ZonedTimestamp(LocalDateTime utc, Zone zone, Optional<ZoneOffset> offset) {

    public ZonedTimestamp {
        Objects.requireNonNull(utc, "utc");
        Objects.requireNonNull(zone, "zone");
        Objects.requireNonNull(offset, "offset");
    }

    static ZonedTimestamp of(LocalDateTime utc, Zone zone) {
        return new ZonedTimestamp(utc, zone, zone.offsetAt(utc.toInstant(ZoneOffset.UTC)));
    }

    public Instant toInstant() {
        return utc.toInstant(ZoneOffset.UTC);
    }

    /**
     * @throws DateTimeException if Java does not know the zone's rules
     */
    public LocalDateTime local() {
        return utc.plusSeconds(knownOffset().getTotalSeconds());
    }

    /**
     * @throws DateTimeException if Java does not know the zone's rules
     */
    public OffsetDateTime toOffsetDateTime() {
        return local().atOffset(knownOffset());
    }

    /**
     * The same instant in Java's zone of these rules, which may have another name than {@link #zone()}.
     *
     * @throws DateTimeException if Java does not know the zone's rules
     */
    public ZonedDateTime toZonedDateTime() {
        ZoneId rules = zone.rules().orElseThrow(() -> new DateTimeException(TimeText.unknownRules(zone)));
        return toInstant().atZone(rules);
    }

    private ZoneOffset knownOffset() {
        return offset.orElseThrow(() -> new DateTimeException(TimeText.unknownRules(zone)));
    }

    /** Local date, time and zone name as the server prints them; UTC where Java does not know the zone's rules. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        LocalDateTime shown = offset.isPresent() ? local() : utc;
        text.append(shown.toLocalDate()).append(' ');
        TimeText.append(text, shown.toLocalTime());
        return TimeText.withZone(text, zone, offset).toString();
    }
}
