package org.firebirdcdc.record;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Objects;
import java.util.Optional;

/**
 * A time zone of the server: a fixed offset or a region.
 *
 * @param id    the number in record images (segment-format.md 7.11)
 * @param name  as the server prints it: {@code +03:00}, {@code Europe/Kyiv}
 * @param rules how Java knows it; empty if this Java's time zone data lacks it. May have another name
 */
public record Zone(int id, String name, Optional<ZoneId> rules) {

    private static final int SECONDS_PER_MINUTE = 60;

    public Zone {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(rules, "rules");
    }

    /**
     * Offset from UTC that the server applies at a moment: like the server's, cut to whole minutes (local mean times of
     * the nineteenth century have seconds). Java's time zone data decides, which may be older or newer than the server's.
     *
     * @return empty without {@link #rules()}
     */
    public Optional<ZoneOffset> offsetAt(Instant moment) {
        if (rules.isEmpty()) {
            return Optional.empty();
        }
        if (rules.get() instanceof ZoneOffset fixed) {
            return Optional.of(fixed);
        }
        int seconds = rules.get().getRules().getOffset(moment).getTotalSeconds();
        return Optional.of(ZoneOffset.ofTotalSeconds(seconds - seconds % SECONDS_PER_MINUTE));
    }
}
