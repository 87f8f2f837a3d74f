package org.firebirdcdc.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimeZonesTest {

    private static final TimeZones ZONES = TimeZones.builtIn();

    @Test
    void theBuiltInTableHasEveryRegionOfTheServers() {
        Set<String> names = new HashSet<>();
        for (int id = 65535; id >= 64898; id--) {
            names.add(ZONES.zone(id).orElseThrow().name());
        }
        assertThat(names).hasSize(638);
        assertThat(ZONES.zone(64897)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "65535, GMT",
        "65534, ACT",
        "65361, America/New_York",
        "65075, Europe/Kiev",
        "64909, UTC",
        "64900, Europe/Kyiv",
        "64899, America/Ciudad_Juarez",
        "64898, America/Coyhaique",
    })
    void idsCountDownFrom65535(int id, String name) {
        assertThat(ZONES.zone(id)).map(Zone::name).contains(name);
    }

    @Test
    void javaKnowsTheRulesOfEveryRegionOfTheStockServers() {
        for (int id = 65535; id >= 64899; id--) {
            Zone zone = ZONES.zone(id).orElseThrow();
            assertThat(zone.rules()).as(zone.name()).isPresent();
            assertThat(zone.offsetAt(Instant.EPOCH)).as(zone.name()).isPresent();
        }
    }

    @ParameterizedTest
    @CsvSource({
        // names that Java lacks, or takes for something else from Java 24 on
        "EST, -05:00",
        "MST, -07:00",
        "HST, -10:00",
        "Factory, Z",
        "SystemV/AST4, -04:00",
        "CST, America/Chicago",
        "IST, Asia/Kolkata",
        "CAT, Africa/Maputo",
        "ROC, Asia/Taipei",
        "US/Pacific-New, America/Los_Angeles",
        "Canada/East-Saskatchewan, America/Regina",
        "Europe/Berlin, Europe/Berlin",
    })
    void legacyNamesHaveTheRulesOfTheServersIcu(String name, String rules) {
        for (int id = 65535; id >= 64899; id--) {
            Zone zone = ZONES.zone(id).orElseThrow();
            if (zone.name().equals(name)) {
                assertThat(zone.rules()).contains(ZoneId.of(rules));
                return;
            }
        }
        assertThat(name).as("in the table").isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "0, -23:59",
        "599, -14:00",
        "1438, -00:01",
        "1439, +00:00",
        "1440, +00:01",
        "2279, +14:00",
        "2878, +23:59"
    })
    void smallIdsAreOffsetsInMinutes(int id, String name) {
        assertThat(ZONES.zone(id)).map(Zone::name).contains(name);
    }

    @Test
    void anOffsetThatJavaCannotHoldIsKnownByNameOnly() {
        assertThat(ZONES.zone(1439 + 18 * 60).orElseThrow().rules()).contains(ZoneOffset.ofHours(18));
        assertThat(ZONES.zone(1439 + 18 * 60 + 1).orElseThrow().rules()).isEmpty();
    }

    @Test
    void anIdBetweenOffsetsAndRegionsIsUnknown() {
        assertThat(ZONES.zone(2879)).isEmpty();
        assertThat(ZONES.zone(-1)).isEmpty();
        assertThat(ZONES.zone(65536)).isEmpty();
    }

    @Test
    void theListOfADatabaseWins() {
        TimeZones zones = ZONES.with(Map.of(65361, "Europe/Paris", 64000, "CST", 64001, "Mars/Olympus_Mons"));

        assertThat(zones.zone(65361)).map(Zone::name).contains("Europe/Paris");
        assertThat(zones.zone(64000).orElseThrow().rules()).contains(ZoneId.of("America/Chicago"));
        assertThat(zones.zone(64001).orElseThrow().rules()).isEmpty();
        assertThat(zones.zone(65535)).map(Zone::name).contains("GMT");
        assertThat(ZONES.zone(65361)).map(Zone::name).contains("America/New_York");
        assertThat(zones.zone(64500)).isEmpty();
    }

    @Test
    void anIdThatIsNoRegionIsRefusedInTheListOfADatabase() {
        assertThatThrownBy(() -> ZONES.with(Map.of(2878, "Europe/Paris"))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ZONES.with(Map.of(65536, "Europe/Paris")))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
