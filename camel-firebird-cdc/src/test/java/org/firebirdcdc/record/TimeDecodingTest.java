package org.firebirdcdc.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.firebirdcdc.record.TestTable.type;
import static org.firebirdcdc.record.TestTable.value;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import org.firebirdcdc.schema.DataType;
import org.firebirdcdc.schema.ValueType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimeDecodingTest {

    private static final ValueType DATE = type(DataType.DATE, 4);
    private static final ValueType TIME = type(DataType.TIME, 4);
    private static final ValueType TIMESTAMP = type(DataType.TIMESTAMP, 8);
    private static final ValueType TIME_TZ = type(DataType.TIME_TZ, 8);
    private static final ValueType TIMESTAMP_TZ = type(DataType.TIMESTAMP_TZ, 12);

    private static String i32(long number) {
        return String.format("%08x", Integer.reverseBytes((int) number));
    }

    private static String u16(int number) {
        return String.format("%04x", Short.toUnsignedInt(Short.reverseBytes((short) number)));
    }

    private static long ticks(String time) {
        return LocalTime.parse(time).toNanoOfDay() / 100_000;
    }

    private static long day(String date) {
        return LocalDate.parse(date).toEpochDay() + 40_587;
    }

    @ParameterizedTest
    @CsvSource({
        "-678575, 0001-01-01",
        "-1, 1858-11-16",
        "0, 1858-11-17",
        "40587, 1970-01-01",
        "2973483, 9999-12-31",
    })
    void datesAreDaysSince18581117(int number, LocalDate expected) {
        assertThat(value(DATE, i32(number))).isEqualTo(expected);
        assertThat(TestTable.of(DATE).row(i32(number)).epochDay(0)).isEqualTo((int) expected.toEpochDay());
    }

    @ParameterizedTest
    @CsvSource({"-678576", "2973484", "-2147483648", "2147483647"})
    void aDateOutsideTheYears1To9999IsAnError(int number) {
        assertUndecodable(DATE, i32(number), "day number " + number);
        assertUndecodable(TIMESTAMP, i32(number) + i32(0), "day number " + number);
        assertUndecodable(TIMESTAMP_TZ, i32(number) + i32(0) + u16(65535), "day number " + number);
    }

    @Test
    void timesCountTenThousandthsOfASecond() {
        assertThat(value(TIME, i32(0))).isEqualTo(LocalTime.MIDNIGHT);
        assertThat(value(TIME, i32(1))).isEqualTo(LocalTime.of(0, 0, 0, 100_000));
        assertThat(value(TIME, i32(863_999_999))).isEqualTo(LocalTime.parse("23:59:59.9999"));
        assertThat(TestTable.of(TIME).row(i32(863_999_999)).timeTicks(0)).isEqualTo(863_999_999);
    }

    @ParameterizedTest
    @CsvSource({"864000000", "4294967295"})
    void aTimeOfADayOrMoreIsAnError(long number) {
        assertUndecodable(TIME, i32(number), "a time of " + number);
        assertUndecodable(TIMESTAMP, i32(0) + i32(number), "a time of " + number);
        assertUndecodable(TIME_TZ, i32(number) + u16(65535), "a time of " + number);
        assertUndecodable(TIMESTAMP_TZ, i32(0) + i32(number) + u16(65535), "a time of " + number);
    }

    @Test
    void timestampsAreADateAndATime() {
        String hex = i32(day("1969-12-31")) + i32(ticks("23:59:59.9999"));
        assertThat(value(TIMESTAMP, hex)).isEqualTo(LocalDateTime.parse("1969-12-31T23:59:59.9999"));
        assertThat(TestTable.of(TIMESTAMP).row(hex).timestampTicks(0)).isEqualTo(-1);
    }

    @ParameterizedTest
    @CsvSource({
        // minutes + 1439
        "1439, 10:00:00.0000 +00:00, 10:00Z",
        "1619, 13:00:00.0000 +03:00, 13:00+03:00",
        "1259, 07:00:00.0000 -03:00, 07:00-03:00",
        "2279, 00:00:00.0000 +14:00, 00:00+14:00",
        "65535, 10:00:00.0000 GMT, 10:00Z",
        // 65535 - 460: Europe/Kiev by the rules of 2020-01-01, without daylight saving
        "65075, 12:00:00.0000 Europe/Kiev, 12:00+02:00",
        // New York in January
        "65361, 05:00:00.0000 America/New_York, 05:00-05:00",
    })
    void aZonedTimeIsUtcAndAZone(int zone, String printed, OffsetTime expected) {
        Row row = TestTable.of(TIME_TZ).row(i32(ticks("10:00")) + u16(zone) + "beef");
        row.verify();
        ZonedTime value = row.getZonedTime(0);
        assertThat(value.utc()).isEqualTo(LocalTime.of(10, 0));
        assertThat(value.zone().id()).isEqualTo(zone);
        assertThat(value).hasToString(printed);
        assertThat(row.getOffsetTime(0)).isEqualTo(expected);
        assertThat(row.value(0)).isEqualTo(value);
    }

    @ParameterizedTest
    @CsvSource({
        // both sides of the hour that America/New_York has twice
        "2024-11-03, 05:30, 65361, 2024-11-03T01:30-04:00, 2024-11-03 01:30:00.0000 America/New_York",
        "2024-11-03, 06:30, 65361, 2024-11-03T01:30-05:00, 2024-11-03 01:30:00.0000 America/New_York",
        "2024-06-30, 22:15, 1784, 2024-07-01T04:00+05:45, 2024-07-01 04:00:00.0000 +05:45",
        "9999-12-31, 23:59:59.9999, 65535, 9999-12-31T23:59:59.9999Z, 9999-12-31 23:59:59.9999 GMT",
        // local mean time of Moscow was 2:30:17, the server cuts offsets to minutes
        "1800-01-01, 00:00, 65064, 1800-01-01T02:30+02:30, 1800-01-01 02:30:00.0000 Europe/Moscow",
    })
    void aZonedTimestampIsUtcAndAZone(String date, String time, int zone, OffsetDateTime expected, String printed) {
        Row row = TestTable.of(TIMESTAMP_TZ).row(i32(day(date)) + i32(ticks(time)) + u16(zone) + "beef");
        row.verify();
        ZonedTimestamp value = row.getZonedTimestamp(0);
        assertThat(value.utc()).isEqualTo(LocalDateTime.of(LocalDate.parse(date), LocalTime.parse(time)));
        assertThat(value.toInstant()).isEqualTo(expected.toInstant());
        assertThat(row.getOffsetDateTime(0)).isEqualTo(expected);
        assertThat(value).hasToString(printed);
        assertThat(value.toZonedDateTime().toInstant()).isEqualTo(expected.toInstant());
        assertThat(row.timestampTicks(0))
                .isEqualTo(Instant.EPOCH.until(value.toInstant(), ChronoUnit.MILLIS) * 10
                        + value.utc().getNano() / 100_000 % 10);
    }

    @Test
    void anUnknownZoneIsAnErrorThatNamesItsId() {
        assertUndecodable(TIME_TZ, i32(0) + u16(2879), "time zone id 2879");
        assertUndecodable(TIMESTAMP_TZ, i32(0) + i32(0) + u16(60000), "time zone id 60000");
    }

    @Test
    void aZoneWhoseRulesJavaLacksGivesUtcAndNameButNoLocalTime() {
        RecordDecoding decoding =
                RecordDecoding.DEFAULT.withTimeZones(TimeZones.builtIn().with(Map.of(60000, "Mars/Olympus_Mons")));
        Row row = TestTable.of(TIMESTAMP_TZ, TIME_TZ)
                .row(
                        decoding,
                        BlobSource.NONE,
                        i32(day("2024-07-01")) + i32(ticks("10:00")) + u16(60000),
                        i32(ticks("11:00")) + u16(60000));

        row.verify();
        assertThat(row.getZonedTimestamp(0).utc()).isEqualTo(LocalDateTime.parse("2024-07-01T10:00"));
        assertThat(row.getZonedTimestamp(0)).hasToString("2024-07-01 10:00:00.0000 Mars/Olympus_Mons (UTC)");
        assertThat(row.getZonedTime(1)).hasToString("11:00:00.0000 Mars/Olympus_Mons (UTC)");
        assertThatThrownBy(() -> row.getOffsetDateTime(0))
                .isInstanceOf(RecordDecodeException.class)
                .hasMessageContaining("Mars/Olympus_Mons")
                .hasMessageContaining("column C0");
        assertThatThrownBy(() -> row.getOffsetTime(1))
                .isInstanceOf(RecordDecodeException.class)
                .hasMessageContaining("Mars/Olympus_Mons");
    }

    @Test
    void extendedZonedTypesBringTheirOffset() {
        // UTC-05:00 given as offset, whatever the rules of the zone say
        String zoneAndOffset = u16(65064) + u16(-300);
        Row row = TestTable.of(type(DataType.EX_TIME_TZ, 8), type(DataType.EX_TIMESTAMP_TZ, 12))
                .row(i32(ticks("10:00")) + zoneAndOffset, i32(day("2024-07-01")) + i32(ticks("10:00")) + zoneAndOffset);
        row.verify();
        assertThat(row.getOffsetTime(0)).isEqualTo(OffsetTime.parse("05:00-05:00"));
        assertThat(row.getOffsetDateTime(1)).isEqualTo(OffsetDateTime.parse("2024-07-01T05:00-05:00"));
    }

    @Test
    void theExtendedOffsetMustBeOne() {
        assertUndecodable(type(DataType.EX_TIME_TZ, 8), i32(0) + u16(65535) + u16(1081), "1081 minutes");
    }

    private static void assertUndecodable(ValueType type, String hex, String problem) {
        Row row = TestTable.of(type).row(hex);
        assertThatThrownBy(row::verify)
                .isInstanceOf(RecordDecodeException.class)
                .hasMessageContaining(problem);
        assertThatThrownBy(() -> row.value(0))
                .isInstanceOf(RecordDecodeException.class)
                .hasMessageContaining(problem);
    }
}
