package org.firebirdcdc.envelope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonFactoryBuilder;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class JsonOutputTest {

    private static final long NOON_AND_A_BIT = 452_961_234;

    private static final long DAY = 864_000_000;

    private final JsonOutput out =
            new JsonOutput(new JsonFactoryBuilder().rootValueSeparator("").build());

    JsonOutputTest() throws IOException {}

    static LongStream edgeNumbers() {
        LongStream powers = LongStream.range(0, 64)
                .map(bit -> 1L << bit)
                .flatMap(power -> LongStream.of(power - 1, power, power + 1, -power - 1, -power, -power + 1));
        return LongStream.concat(powers, LongStream.of(0, 5, -5, -12_345_600, Long.MIN_VALUE, Long.MAX_VALUE));
    }

    @ParameterizedTest
    @MethodSource("edgeNumbers")
    void decimalsOfALongAreThoseOfBigDecimal(long unscaled) throws IOException {
        for (int scale : new int[] {0, -1, -4, -9, -18, -38, -40, 2}) {
            BigDecimal expected = new BigDecimal(BigInteger.valueOf(unscaled), -scale);
            for (DecimalMode mode : DecimalMode.values()) {
                out.decimal(expected, mode);
                String text = text();
                assertThat(text).isEqualTo(expectedText(expected, mode));
                out.decimal(unscaled, scale, mode);
                assertThat(text()).isEqualTo(text);
            }
        }
        byte[] stored = new byte[18];
        for (int i = 0; i < 16; i++) {
            stored[1 + i] = (byte) (i < 8 ? unscaled >> 8 * i : unscaled >> 63);
        }
        out.decimalBase64(stored, 1, 16);
        assertThat(text()).isEqualTo(expectedText(BigDecimal.valueOf(unscaled), DecimalMode.PRECISE));
    }

    private static String expectedText(BigDecimal value, DecimalMode mode) {
        return switch (mode) {
            case PRECISE ->
                "\"" + Base64.getEncoder().encodeToString(value.unscaledValue().toByteArray()) + "\"";
            case STRING -> "\"" + value.toPlainString() + "\"";
            case DOUBLE -> String.valueOf(value.doubleValue());
        };
    }

    @Test
    void decimalsOfMoreThan64BitsAreExact() throws IOException {
        byte[] least = new byte[16];
        least[15] = (byte) 0x80;
        out.decimalBase64(least, 0, 16);
        assertThat(text()).isEqualTo("\"gAAAAAAAAAAAAAAAAAAAAA==\"");
        out.decimal(new BigDecimal(BigInteger.TWO.pow(127).negate(), 38), DecimalMode.STRING);
        assertThat(text()).isEqualTo("\"-1.70141183460469231731687303715884105728\"");
    }

    @Test
    void datesAreThoseOfTheProlepticGregorianCalendar() throws IOException {
        long first = LocalDate.of(1, 1, 1).toEpochDay();
        long last = LocalDate.of(9999, 12, 31).toEpochDay();
        for (long day = first; day <= last; day += 13) {
            out.date(day, TimeMode.FIREBIRD);
            assertThat(text()).isEqualTo("\"" + LocalDate.ofEpochDay(day) + "\"");
        }
        out.date(last, TimeMode.FIREBIRD);
        assertThat(text()).isEqualTo("\"9999-12-31\"");
        out.date(LocalDate.of(2000, 2, 29).toEpochDay(), TimeMode.ISOSTRING);
        assertThat(text()).isEqualTo("\"2000-02-29Z\"");
    }

    @ParameterizedTest
    @CsvSource(
            useHeadersInDisplayName = true,
            textBlock =
                    """
                    mode,                       date,           time,             timestamp
                    adaptive,                   19782,          45296123400,      1709210096123400
                    adaptive_time_microseconds, 19782,          45296123400,      1709210096123400
                    microseconds,               19782,          45296123400,      1709210096123400
                    nanoseconds,                19782,          45296123400000,   1709210096123400000
                    connect,                    19782,          45296123,         1709210096123
                    isostring,                  "2024-02-29Z",  "12:34:56.1234Z", "2024-02-29T12:34:56.1234Z"
                    firebird,                   "2024-02-29",   "12:34:56.1234",  "2024-02-29 12:34:56.1234"
                    """,
            quoteCharacter = '\'')
    void eachModeHasItsForm(String mode, String date, String time, String timestamp) throws IOException {
        TimeMode times = Choice.parse("times", mode, TimeMode.values());

        out.date(19782, times);
        assertThat(text()).isEqualTo(date);
        out.time(NOON_AND_A_BIT, times);
        assertThat(text()).isEqualTo(time);
        out.timestamp(19782 * DAY + NOON_AND_A_BIT, times);
        assertThat(text()).isEqualTo(timestamp);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 00:00:00, 00:00:00.0000",
        "1, 00:00:00.0001, 00:00:00.0001",
        "1200, 00:00:00.12, 00:00:00.1200",
        "863999999, 23:59:59.9999, 23:59:59.9999",
        "600000, 00:01:00, 00:01:00.0000"
    })
    void isoTimesCutTrailingZerosAndFirebirdsKeepFourDigits(long fractions, String iso, String firebird)
            throws IOException {
        out.time(fractions, TimeMode.ISOSTRING);
        assertThat(text()).isEqualTo("\"" + iso + "Z\"");
        out.time(fractions, TimeMode.FIREBIRD);
        assertThat(text()).isEqualTo("\"" + firebird + "\"");
    }

    @Test
    void millisecondsBefore1970AreCutDownwards() throws IOException {
        out.timestamp(-1, TimeMode.CONNECT);
        assertThat(text()).isEqualTo("-1");
        out.timestamp(-1, TimeMode.ADAPTIVE);
        assertThat(text()).isEqualTo("-100");
    }

    @Test
    void nanosecondsThatDoNotFitAreAnErrorAndNotAWrongNumber() {
        assertThatThrownBy(() -> out.timestamp(LocalDate.of(2300, 1, 1).toEpochDay() * DAY, TimeMode.NANOSECONDS))
                .isInstanceOf(UnencodableException.class)
                .hasMessageContaining("times=microseconds");
    }

    @ParameterizedTest
    @CsvSource({"0, Z", "180, +03:00", "-210, -03:30", "839, +13:59", "-1, -00:01"})
    void offsetsAreIso(int minutes, String text) throws IOException {
        LocalDateTime local = LocalDateTime.of(2024, 2, 29, 12, 34, 56, 123_400_000);
        ZoneOffset offset = ZoneOffset.ofTotalSeconds(60 * minutes);

        out.offsetTime(local.toLocalTime(), offset);
        assertThat(text()).isEqualTo("\"12:34:56.1234" + text + "\"");
        out.offsetTimestamp(local, offset);
        assertThat(text()).isEqualTo("\"2024-02-29T12:34:56.1234" + text + "\"");
    }

    @Test
    void localDatesBeyondTheCalendarHaveASign() throws IOException {
        out.offsetTimestamp(LocalDateTime.of(10000, 1, 1, 1, 0), ZoneOffset.ofHours(2));
        assertThat(text()).isEqualTo("\"+10000-01-01T01:00:00+02:00\"");
        out.offsetTimestamp(LocalDateTime.of(0, 12, 31, 23, 0), ZoneOffset.ofHours(-2));
        assertThat(text()).isEqualTo("\"0000-12-31T23:00:00-02:00\"");
    }

    @ParameterizedTest
    @EnumSource
    void eachBinaryModeHasItsForm(BinaryMode mode) throws IOException {
        byte[] bytes = {9, 0, 1, (byte) 0xFF, (byte) 0xFB, 9};

        out.binary(bytes, 1, 4, mode);

        String expected =
                switch (mode) {
                    case BYTES, BASE64 -> "AAH/+w==";
                    case BASE64_URL_SAFE -> "AAH_-w==";
                    case HEX -> "0001fffb";
                };
        assertThat(text()).isEqualTo("\"" + expected + "\"");
    }

    @Test
    void whatWasTakenIsNotGivenAgain() throws IOException {
        out.raw("<".getBytes(StandardCharsets.US_ASCII));
        out.json().writeNumber(1);
        out.raw(">".getBytes(StandardCharsets.US_ASCII));
        assertThat(text()).isEqualTo("<1>");
        out.json().writeNumber(2);
        assertThat(text()).isEqualTo("2");
    }

    private String text() throws IOException {
        return new String(out.take(), StandardCharsets.UTF_8);
    }
}
