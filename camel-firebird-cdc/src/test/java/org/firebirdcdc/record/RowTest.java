package org.firebirdcdc.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.firebirdcdc.record.TestTable.blob;
import static org.firebirdcdc.record.TestTable.character;
import static org.firebirdcdc.record.TestTable.numeric;
import static org.firebirdcdc.record.TestTable.type;
import static org.firebirdcdc.record.TestTable.varchar;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.AbstractMap;
import java.util.Collections;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.firebirdcdc.schema.DataType;
import org.firebirdcdc.schema.ValueType;
import org.firebirdcdc.schema.VersionColumn;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class RowTest {

    private static final ValueType SMALLINT = type(DataType.SMALLINT, 2);
    private static final ValueType INTEGER = type(DataType.INTEGER, 4);
    private static final ValueType BIGINT = type(DataType.BIGINT, 8);

    @Test
    void valuesAreFoundByOrdinalAndByName() {
        Row row = TestTable.of(SMALLINT, INTEGER, BIGINT, numeric(DataType.BIGINT, 8, -2))
                .row("0100", "02000000", "03", "2c01");

        assertThat(row.getShort("C0")).isEqualTo((short) 1);
        assertThat(row.getInt(0)).isEqualTo(1);
        assertThat(row.getInt("C1")).isEqualTo(2);
        assertThat(row.getLong("C2")).isEqualTo(3);
        assertThat(row.getLong(1)).isEqualTo(2);
        assertThat(row.getBigInteger("C2")).isEqualTo(BigInteger.valueOf(3));
        assertThat(row.getBigDecimal("C3")).isEqualTo(new BigDecimal("3.00"));
        assertThat(row.getBigDecimal(1)).isEqualTo(new BigDecimal("2"));
        assertThat(row.unscaledValue(3)).isEqualTo(300);
        assertThat(row.value("C3")).isEqualTo(new BigDecimal("3.00"));
    }

    @Test
    void toMapHasEveryColumnInOrderAndNullForNull() {
        Row row = TestTable.of(INTEGER, varchar(4, 5), INTEGER).row("01000000", null, "02000000");
        assertThat(row.toMap()).containsExactly(entry("C0", 1), entry("C1", null), entry("C2", 2));
    }

    private static Map.Entry<String, Object> entry(String name, Object value) {
        return new AbstractMap.SimpleEntry<>(name, value);
    }

    @Test
    void nullIsTheBitOfTheFieldIdWhateverTheBytes() {
        ValueType[] types = Collections.nCopies(70, SMALLINT).toArray(ValueType[]::new);
        String[] values = Collections.nCopies(70, "0100").toArray(String[]::new);
        for (int at : new int[] {0, 7, 8, 31, 32, 63, 64, 69}) {
            values[at] = null;
            Row row = TestTable.of(types).row(values);
            for (int i = 0; i < types.length; i++) {
                assertThat(row.isNull(i)).as("%d", i).isEqualTo(values[i] == null);
            }
        }
    }

    @Test
    void nullIsNullForObjectsAndAnErrorForPrimitives() {
        Row row = TestTable.of(INTEGER, type(DataType.DATE, 4), varchar(4, 5), blob(1, 4), type(DataType.BOOLEAN, 1))
                .row(new String[5]);

        assertThat(row.isNull("C0")).isTrue();
        assertThat(row.getBigDecimal(0)).isNull();
        assertThat(row.getLocalDate(1)).isNull();
        assertThat(row.getString(2)).isNull();
        assertThat(row.getBytes(2)).isNull();
        assertThat(row.getBlob(3)).isNull();
        assertThat(row.value(4)).isNull();
        assertThatThrownBy(() -> row.getInt("C0"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("C0")
                .hasMessageContaining("NULL");
        assertThatThrownBy(() -> row.getBoolean(4)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void anUnknownColumnIsAnErrorThatListsTheColumns() {
        Row row = TestTable.of(INTEGER, INTEGER).row("00", "00");
        assertThatThrownBy(() -> row.getInt("ID"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("table T has no column ID")
                .hasMessageContaining("C0, C1");
        assertThatThrownBy(() -> row.isNull("c0")).isInstanceOf(IllegalArgumentException.class);
    }

    private static Stream<Arguments> wrongGetters() {
        return Stream.of(
                wrong(BIGINT, row -> row.getInt(0)),
                wrong(INTEGER, row -> row.getShort(0)),
                wrong(numeric(DataType.INTEGER, 4, -2), row -> row.getInt(0)),
                wrong(numeric(DataType.BIGINT, 8, -2), row -> row.getLong(0)),
                wrong(numeric(DataType.INT128, 16, -2), row -> row.getBigInteger(0)),
                wrong(type(DataType.INT128, 16), row -> row.getLong(0)),
                wrong(type(DataType.INT128, 16), row -> row.unscaledValue(0)),
                wrong(type(DataType.DOUBLE, 8), row -> row.getFloat(0)),
                wrong(type(DataType.DOUBLE, 8), row -> row.getBigDecimal(0)),
                wrong(INTEGER, row -> row.getDouble(0)),
                wrong(INTEGER, row -> row.getBoolean(0)),
                wrong(INTEGER, row -> row.getDecFloat(0)),
                wrong(type(DataType.TIMESTAMP, 8), row -> row.getLocalDate(0)),
                wrong(type(DataType.TIMESTAMP, 8), row -> row.getLocalTime(0)),
                wrong(type(DataType.TIMESTAMP_TZ, 12), row -> row.getLocalDateTime(0)),
                wrong(type(DataType.TIMESTAMP_TZ, 12), row -> row.getOffsetTime(0)),
                wrong(type(DataType.TIME_TZ, 8), row -> row.getOffsetDateTime(0)),
                wrong(type(DataType.TIMESTAMP, 8), row -> row.epochDay(0)),
                wrong(type(DataType.DATE, 4), row -> row.timestampTicks(0)),
                wrong(type(DataType.DATE, 4), row -> row.timeTicks(0)),
                wrong(character(1, 4), row -> row.getString(0)),
                wrong(character(1, 4), row -> row.utf8Span(0, false)),
                wrong(character(1, 4), row -> row.text(0, false)),
                wrong(blob(1, 4), row -> row.getString(0)),
                wrong(blob(0, 0), row -> row.getBytes(0)),
                wrong(INTEGER, row -> row.getBlob(0)),
                wrong(blob(0, 0), row -> row.getArray(0)),
                wrong(INTEGER, row -> row.bytesSpan(0)));
    }

    private static Arguments wrong(ValueType type, Function<Row, Object> getter) {
        return Arguments.of(type, getter);
    }

    @ParameterizedTest
    @MethodSource("wrongGetters")
    void aGetterOfAnotherTypeIsAnErrorEvenIfTheValueIsNull(ValueType type, Function<Row, Object> getter) {
        for (String value : new String[] {"00", null}) {
            Row row = TestTable.of(type).row(value);
            assertThatThrownBy(() -> getter.apply(row))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("column C0 of table T is " + type.type());
        }
    }

    @Test
    void anImageOfAnotherLengthIsNoRecordOfTheFormat() {
        TestTable table = TestTable.of(INTEGER);
        assertThatThrownBy(() -> new Row(
                        table.version(),
                        new byte[20],
                        0,
                        9,
                        BlobSource.NONE,
                        RecordDecoding.DEFAULT,
                        TestTable.CONTEXT))
                .isInstanceOfSatisfying(
                        RecordDecodeException.class, e -> assertThat(e.column()).isEmpty())
                .hasMessageStartingWith(
                        "segment 7, offset 1234 (t.fdb.journal-000000007): table T: a record of 9 bytes");
    }

    @Test
    void verifyLooksAtNoValueThatIsNull() {
        TestTable table = TestTable.of(type(DataType.BOOLEAN, 1), varchar(19, 4), type(DataType.DATE, 4));
        Row row = table.row(new String[3]);
        row.verify();
        assertThat(row.toMap().values()).containsOnlyNulls();
    }

    @Test
    void binaryValuesAreGivenAsCopyAndAsSpan() {
        Row row = TestTable.of(varchar(1, 4)).row("0200 00ff 7777");
        long span = row.bytesSpan(0);
        assertThat(row.getBytes(0)).containsExactly(0, 0xFF);
        assertThat(Row.spanLength(span)).isEqualTo(2);
        assertThat(row.image()[Row.spanStart(span) + 1]).isEqualTo((byte) 0xFF);
        assertThat(Row.spanStart(span)).isEqualTo(row.valueOffset(0) + 2);
    }

    // ------------------------------------------------------------------------------------------------ comparison

    private static Stream<Arguments> sameValues() {
        return Stream.of(
                // bytes behind the counted ones, behind the n characters, behind the NUL, behind the zone
                Arguments.of(varchar(4, 3), "0100 6100", "0100 6178"),
                Arguments.of(character(4, 1), "c3a42020", "c3a40000"),
                Arguments.of(new ValueType(DataType.CSTRING, 4, 0, 0, 0, 52, 4), "61007878", "61000000"),
                Arguments.of(type(DataType.TIME_TZ, 8), "01000000 ffff 0000", "01000000 ffff beef"),
                Arguments.of(
                        type(DataType.TIMESTAMP_TZ, 12), "01000000 01000000 ffff 0000", "01000000 01000000 ffff beef"),
                // NaN of another bit pattern
                Arguments.of(type(DataType.DOUBLE, 8), "000000000000f87f", "010000000000f87f"),
                Arguments.of(type(DataType.FLOAT, 4), "0000c07f", "0100c0ff"),
                Arguments.of(blob(1, 4), "8000000001000000", "8000000001000000"));
    }

    @ParameterizedTest
    @MethodSource("sameValues")
    void bytesWithoutMeaningMakeNoChange(ValueType type, String before, String after) {
        TestTable table = TestTable.of(type);
        assertThat(Row.changedColumns(table.row(before), table.row(after))).isEmpty();
    }

    private static Stream<Arguments> differentValues() {
        return Stream.of(
                Arguments.of(INTEGER, "00", null),
                Arguments.of(INTEGER, null, "00"),
                Arguments.of(INTEGER, "00000000", "00000001"),
                Arguments.of(type(DataType.INT128, 16), "00", "00000000000000000000000000000001"),
                Arguments.of(varchar(4, 3), "0100 61", "0200 6120"),
                Arguments.of(character(4, 2), "6161202020202020", "6120202020202020"),
                Arguments.of(type(DataType.DOUBLE, 8), "00", "0000000000000080"),
                Arguments.of(type(DataType.FLOAT, 4), "00", "00000080"),
                Arguments.of(type(DataType.TIME_TZ, 8), "01000000 ffff", "01000000 feff"),
                Arguments.of(type(DataType.TIMESTAMP_TZ, 12), "01000000 01000000 ffff", "01000000 01000000 feff"),
                Arguments.of(type(DataType.TIMESTAMP, 8), "01000000 01000000", "01000000 02000000"),
                Arguments.of(type(DataType.BOOLEAN, 1), "00", "01"),
                Arguments.of(blob(1, 4), "8000000001000000", "8000000002000000"));
    }

    @ParameterizedTest
    @MethodSource("differentValues")
    void anotherValueIsAChange(ValueType type, String before, String after) {
        TestTable table = TestTable.of(type);
        assertThat(Row.changedColumns(table.row(before), table.row(after))).hasSize(1);
    }

    @Test
    void changedColumnsAreInOrder() {
        TestTable table = TestTable.of(INTEGER, INTEGER, varchar(4, 2), INTEGER);
        Row before = table.row("00", "00", "0100 61", null);
        Row after = table.row("01", "00", "0100 62", "00");
        assertThat(Row.changedColumns(before, after))
                .extracting(VersionColumn::name)
                .containsExactly("C0", "C2", "C3");
        assertThat(before.sameValue(1, after)).isTrue();
    }

    @Test
    void rowsOfDifferentVersionsCannotBeCompared() {
        Row one = TestTable.of(INTEGER).row("00");
        Row other = TestTable.of(INTEGER).row("00");
        assertThatThrownBy(() -> one.sameValue(0, other)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void printingARowShowsNoValues() {
        assertThat(TestTable.of(varchar(4, 6)).row("0600 736563726574")).hasToString("row of T format 1 at 7:1234");
    }
}
