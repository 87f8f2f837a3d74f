package org.firebirdcdc.record;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Time zones by the number in record images (segment-format.md 7.11): offsets, and regions as in RDB$TIME_ZONES.
 * Immutable.
 *
 * <p>The built-in table (appendix B) is a resource of one region per line, the first of id 65535, each next one less. Where
 * Java does not know the region under the server's name the line has a second word, the Java zone of the same rules: the
 * server's ICU defines ACT, CST and the other three-letter names as links to regions (Java 24 changes some of them), EST,
 * MST, HST and SystemV zones without daylight saving as fixed offsets. A region that this Java does not know at all is
 * known by name, without rules.
 */
public final class TimeZones {

    private static final int GREATEST_ID = 65535;
    /** Id of offset 0: ids of offsets are minutes + 1439. */
    private static final int ZERO_OFFSET_ID = 1439;

    private static final int GREATEST_OFFSET_ID = 2 * ZERO_OFFSET_ID;
    private static final int MINUTES_PER_HOUR = 60;
    private static final int SECONDS_PER_MINUTE = 60;
    private static final int GREATEST_JAVA_OFFSET_MINUTES = 18 * MINUTES_PER_HOUR;

    private static final Zone[] OFFSETS = new Zone[GREATEST_OFFSET_ID + 1];

    static {
        for (int id = 0; id < OFFSETS.length; id++) {
            OFFSETS[id] = offsetZone(id);
        }
    }

    private static final TimeZones BUILT_IN = new TimeZones(readTable());

    /** Regions by {@code 65535 - id}; null where there is none. */
    private final Zone[] regions;

    private TimeZones(Zone[] regions) {
        this.regions = regions;
    }

    /** The regions of appendix B. */
    public static TimeZones builtIn() {
        return BUILT_IN;
    }

    /**
     * These zones and others, which win: what a database has in RDB$TIME_ZONES.
     *
     * @param names region names by id
     * @throws IllegalArgumentException if an id is not one of a region
     */
    public TimeZones with(Map<Integer, String> names) {
        int lowest = names.keySet().stream().mapToInt(Integer::intValue).min().orElse(GREATEST_ID);
        Zone[] all = Arrays.copyOf(regions, Math.max(regions.length, GREATEST_ID - lowest + 1));
        names.forEach((id, name) -> {
            if (id > GREATEST_ID || id <= GREATEST_OFFSET_ID) {
                throw new IllegalArgumentException("time zone id " + id + " is not one of a region");
            }
            Zone known = all[GREATEST_ID - id];
            if (known == null || !known.name().equals(name)) {
                all[GREATEST_ID - id] = new Zone(id, name, rulesOf(name));
            }
        });
        return new TimeZones(all);
    }

    /** The built-in table may know what Java calls a region of this name. */
    private static Optional<ZoneId> rulesOf(String name) {
        return Arrays.stream(BUILT_IN.regions)
                .filter(zone -> zone.name().equals(name))
                .findFirst()
                .map(Zone::rules)
                .orElseGet(() -> javaZone(name));
    }

    /** Empty for an id that is neither an offset nor a known region. */
    public Optional<Zone> zone(int id) {
        return Optional.ofNullable(find(id));
    }

    boolean isKnown(int id) {
        return find(id) != null;
    }

    private Zone find(int id) {
        if (isOffset(id)) {
            return OFFSETS[id];
        }
        int index = GREATEST_ID - id;
        return index >= 0 && index < regions.length ? regions[index] : null;
    }

    private static boolean isOffset(int id) {
        return id >= 0 && id <= GREATEST_OFFSET_ID;
    }

    private static Zone offsetZone(int id) {
        int minutes = id - ZERO_OFFSET_ID;
        int size = Math.abs(minutes);
        String name = (minutes < 0 ? "-" : "+") + twoDigits(size / MINUTES_PER_HOUR) + ":"
                + twoDigits(size % MINUTES_PER_HOUR);
        // the server allows -14:00 to +14:00, the number could say more than Java can
        Optional<ZoneId> rules = size <= GREATEST_JAVA_OFFSET_MINUTES
                ? Optional.of(ZoneOffset.ofTotalSeconds(minutes * SECONDS_PER_MINUTE))
                : Optional.empty();
        return new Zone(id, name, rules);
    }

    private static String twoDigits(int number) {
        return (number < 10 ? "0" : "") + number;
    }

    private static Optional<ZoneId> javaZone(String name) {
        try {
            return Optional.of(ZoneId.of(name).normalized());
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    private static Zone[] readTable() {
        try (InputStream in = TimeZones.class.getResourceAsStream("time-zones.txt");
                BufferedReader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.US_ASCII))) {
            List<String> lines = reader.lines().toList();
            Zone[] table = new Zone[lines.size()];
            for (int i = 0; i < table.length; i++) {
                String[] words = lines.get(i).split(" ");
                table[i] = new Zone(GREATEST_ID - i, words[0], javaZone(words[words.length - 1]));
            }
            return table;
        } catch (IOException e) {
            throw new UncheckedIOException("the table of time zones cannot be read from the program's own files", e);
        }
    }
}
