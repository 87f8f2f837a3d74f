package org.firebirdcdc.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.HexFormat;
import org.firebirdcdc.record.DecFloat.Kind;
import org.firebirdcdc.schema.DataType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DecFloatTest {

    /** decimal64 of exponent 0 with these 50 bits of coefficient. */
    private static DecFloat decimal64(long combination, long continuation, long coefficient) {
        return read16(combination << 58 | continuation << 50 | coefficient);
    }

    private static DecFloat read16(long bits) {
        byte[] bytes = new byte[8];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (bits >>> 8 * i);
        }
        return DecFloat.read16(bytes, 0);
    }

    private static DecFloat read34(String hexMostSignificantFirst) {
        byte[] bytes = HexFormat.of().parseHex(hexMostSignificantFirst);
        byte[] stored = new byte[16];
        for (int i = 0; i < stored.length; i++) {
            stored[i] = bytes[15 - i];
        }
        return DecFloat.read34(stored, 0);
    }

    @Test
    void theExampleOfTheFormatDocument() {
        DecFloat value = DecFloat.read16(HexFormat.of().parseHex("568ee2c1b934fd25"), 0);
        assertThat(value).hasToString("1.234567890123456");
        assertThat(value.toBigDecimal()).contains(new BigDecimal("1.234567890123456"));
    }

    @Test
    void everyDecletIsTheThreeDigitsThatItEncodes() {
        for (int number = 0; number < 1000; number++) {
            // bias 398: high exponent bits 01, continuation 10001110
            DecFloat value = decimal64(0b01000, 0b10001110, encode(number / 100, number / 10 % 10, number % 10));
            assertThat(value.coefficient()).isEqualTo(BigInteger.valueOf(number));
            assertThat(value.exponent()).isZero();
        }
    }

    /** The encoding side of IEEE 754-2008 table 3.4, written from the digits' bits abcd efgh ijkm. */
    private static int encode(int d1, int d2, int d3) {
        int bcd = d1 & 7;
        int fgh = d2 & 7;
        int jkm = d3 & 7;
        int d = d1 & 1;
        int h = d2 & 1;
        int m = d3 & 1;
        int jk = d3 & 6;
        int fg = d2 & 6;
        return switch ((d1 >> 3) << 2 | (d2 >> 3) << 1 | d3 >> 3) {
            case 0b000 -> bcd << 7 | fgh << 4 | jkm;
            case 0b001 -> bcd << 7 | fgh << 4 | 0b1000 | m;
            case 0b010 -> bcd << 7 | (jk | h) << 4 | 0b1010 | m;
            case 0b100 -> (jk | d) << 7 | fgh << 4 | 0b1100 | m;
            case 0b110 -> (jk | d) << 7 | h << 4 | 0b1110 | m;
            case 0b101 -> (fg | d) << 7 | (0b010 | h) << 4 | 0b1110 | m;
            case 0b011 -> bcd << 7 | (0b100 | h) << 4 | 0b1110 | m;
            default -> d << 7 | (0b110 | h) << 4 | 0b1110 | m;
        };
    }

    @Test
    void theSixteenthDigitStandsInTheCombinationField() {
        // 11eec: exponent bits 01, leading digit 8 + 1
        DecFloat value = decimal64(0b11011, 0b10001110, 0);
        assertThat(value.toBigDecimal()).contains(new BigDecimal("9000000000000000"));
    }

    @ParameterizedTest
    @CsvSource({
        // NaN, quiet with payload 7, signalling, negative
        "7c000000000000000000000000000000, NaN",
        "7c000000000000000000000000000007, NaN7",
        "7e000000000000000000000000000000, sNaN",
        "fc000000000000000000000000000000, -NaN",
        "78000000000000000000000000000000, Infinity",
        "f8000000000000000000000000000000, -Infinity",
        // exponent -6176, the smallest subnormal
        "00000000000000000000000000000001, 1E-6176",
        "80000000000000000000000000000000, -0E-6176",
        // exponent 0
        "22080000000000000000000000000000, 0",
        "a2080000000000000000000000000000, -0",
        // exponent -2 and coefficient 100
        "22078000000000000000000000000080, 1.00",
        // exponent 5
        "22094000000000000000000000000000, 0E+5",
        // the greatest: every declet 999 (0011111111), leading digit 9
        "77ffcff3fcff3fcff3fcff3fcff3fcff, 9.999999999999999999999999999999999E+6144",
    })
    void decimal128IsReadAndPrintedAsTheServerDoes(String hex, String expected) {
        assertThat(read34(hex)).hasToString(expected);
    }

    @Test
    void theDigitsAcrossBothHalvesKeepTheirPlaces() {
        // coefficient 10^20: declet 6, which lies across the border of the two 64-bit halves, is 100
        String bits = new BigInteger("2208", 16)
                .shiftLeft(112)
                .or(BigInteger.valueOf(encode(1, 0, 0)).shiftLeft(60))
                .toString(16);
        assertThat(read34(bits).toBigDecimal()).contains(new BigDecimal("100000000000000000000"));
    }

    @Test
    void kindsAreTold() {
        assertThat(read34("78000000000000000000000000000000").kind()).isEqualTo(Kind.INFINITE);
        assertThat(read34("7c000000000000000000000000000000").kind()).isEqualTo(Kind.NAN);
        assertThat(read34("7e000000000000000000000000000000").kind()).isEqualTo(Kind.SIGNALING_NAN);
        assertThat(read34("7e000000000000000000000000000000").toBigDecimal()).isEmpty();
        assertThat(read34("a2080000000000000000000000000000").kind()).isEqualTo(Kind.FINITE);
        assertThat(read34("a2080000000000000000000000000000").isNegative()).isTrue();
    }

    @Test
    void asDoubleTheSpecialValuesStaySpecial() {
        assertThat(read34("f8000000000000000000000000000000").doubleValue()).isEqualTo(Double.NEGATIVE_INFINITY);
        assertThat(read34("7e000000000000000000000000000000").doubleValue()).isNaN();
        assertThat(1 / read34("a2080000000000000000000000000000").doubleValue()).isEqualTo(Double.NEGATIVE_INFINITY);
        assertThat(read34("77ffcff3fcff3fcff3fcff3fcff3fcff").doubleValue()).isEqualTo(Double.POSITIVE_INFINITY);
    }

    @Test
    void trailingZerosMakeADifferentValue() {
        DecFloat one = read34("22080000000000000000000000000001");
        DecFloat oneAgain = read34("22080000000000000000000000000001");
        DecFloat oneWithZeros = read34("22078000000000000000000000000080");
        assertThat(one).isEqualTo(oneAgain).hasSameHashCodeAs(oneAgain).isNotEqualTo(oneWithZeros);
    }

    @Test
    void rowsGiveDecFloatForBothWidths() {
        Row row = TestTable.of(TestTable.type(DataType.DECFLOAT16, 8), TestTable.type(DataType.DECFLOAT34, 16))
                .row("568ee2c1b934fd25", "0000000000000000000000000000007c");
        assertThat(row.getDecFloat(0)).hasToString("1.234567890123456");
        assertThat(row.value(1)).hasToString("NaN");
    }
}
