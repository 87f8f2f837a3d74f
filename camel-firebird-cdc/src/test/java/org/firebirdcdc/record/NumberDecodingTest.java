package org.firebirdcdc.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.firebirdcdc.record.TestTable.numeric;
import static org.firebirdcdc.record.TestTable.type;
import static org.firebirdcdc.record.TestTable.value;

import java.math.BigDecimal;
import java.math.BigInteger;
import org.firebirdcdc.schema.DataType;
import org.firebirdcdc.schema.ValueType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NumberDecodingTest {

    @ParameterizedTest
    @CsvSource({
        "SMALLINT, 2, 0080, -32768",
        "SMALLINT, 2, ff7f, 32767",
        "INTEGER, 4, 00000080, -2147483648",
        "INTEGER, 4, 01020304, 67305985",
        "BIGINT, 8, 0000000000000080, -9223372036854775808",
        "BIGINT, 8, ffffffffffffff7f, 9223372036854775807",
        "INT128, 16, ffffffffffffffffffffffffffffffff, -1",
        "INT128, 16, ffffffffffffff7f0000000000000000, 9223372036854775807",
        "INT128, 16, 00000000000000800000000000000000, 9223372036854775808",
        "INT128, 16, 00000000000000000100000000000000, 18446744073709551616",
        "INT128, 16, ffffffffffffffffffffffffffffff7f, 170141183460469231731687303715884105727",
        "INT128, 16, 00000000000000000000000000000080, -170141183460469231731687303715884105728",
        // two halves of 32 bits, the high one first
        "QUAD, 8, 01000000ffffffff, 8589934591",
    })
    void integersAreLittleEndianTwosComplement(DataType type, int length, String hex, String expected) {
        assertThat(value(type(type, length), hex)).hasToString(expected);
        assertThat(TestTable.of(type(type, length)).row(hex).getBigInteger(0)).isEqualTo(new BigInteger(expected));
    }

    @Test
    void plainIntegersHaveTheJavaTypeOfTheirWidth() {
        assertThat(value(type(DataType.SMALLINT, 2), "0100")).isEqualTo((short) 1);
        assertThat(value(type(DataType.INTEGER, 4), "01000000")).isEqualTo(1);
        assertThat(value(type(DataType.BIGINT, 8), "0100000000000000")).isEqualTo(1L);
        assertThat(value(type(DataType.INT128, 16), "01")).isEqualTo(BigInteger.ONE);
    }

    @ParameterizedTest
    @CsvSource({
        "SMALLINT, 2, -2, 0000, 0.00",
        "SMALLINT, 2, -2, 0080, -327.68",
        "INTEGER, 4, -3, 01000000, 0.001",
        "INTEGER, 4, 0, 0a000000, 10",
        "BIGINT, 8, -18, ffffffffffffff7f, 9.223372036854775807",
        "INT128, 16, -38, ffffffffffffffffffffffffffffff7f, 1.70141183460469231731687303715884105727",
        "QUAD, 8, -1, 000000000f000000, 1.5",
    })
    void numericAndDecimalKeepTheirScale(DataType type, int length, int scale, String hex, BigDecimal expected) {
        assertThat(value(numeric(type, length, scale), hex)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "00000000, 0.0",
        "00000080, -0.0",
        "0000807f, Infinity",
        "000080ff, -Infinity",
        "0000c07f, NaN",
        "01000000, 1.4E-45",
        "ffff7f7f, 3.4028235E38",
    })
    void floatIsBinary32(String hex, float expected) {
        assertThat(value(type(DataType.FLOAT, 4), hex)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "0000000000000080, -0.0",
        "000000000000f07f, Infinity",
        "000000000000f0ff, -Infinity",
        "000000000000f87f, NaN",
        "0100000000000000, 4.9E-324",
        "9a9999999999b93f, 0.1",
    })
    void doubleIsBinary64(String hex, double expected) {
        assertThat(value(type(DataType.DOUBLE, 8), hex)).isEqualTo(expected);
    }

    @Test
    void booleanIsZeroOrOneAndNothingElse() {
        ValueType type = type(DataType.BOOLEAN, 1);
        assertThat(value(type, "00")).isEqualTo(false);
        assertThat(value(type, "01")).isEqualTo(true);

        Row row = TestTable.of(type).row("02");
        assertThatThrownBy(row::verify).isInstanceOf(RecordDecodeException.class);
        assertThatThrownBy(() -> row.getBoolean(0)).isInstanceOf(RecordDecodeException.class);
    }
}
