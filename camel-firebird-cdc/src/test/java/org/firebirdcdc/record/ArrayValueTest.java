package org.firebirdcdc.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.firebirdcdc.record.TestTable.character;
import static org.firebirdcdc.record.TestTable.numeric;
import static org.firebirdcdc.record.TestTable.type;
import static org.firebirdcdc.record.TestTable.varchar;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.firebirdcdc.record.ArrayValue.Dimension;
import org.firebirdcdc.schema.DataType;
import org.firebirdcdc.schema.ValueType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ArrayValueTest {

    private static final String ID = "80000000 01000000";

    /** INTEGER[1:4] = {11, 22, 33, 44}, the example of segment-format.md 7.9. */
    private static final String EXAMPLE = "01 01 0100 0400 2800 04000000 10000000"
            + "090004000000000000000000 01000000 01000000 04000000"
            + "0b000000 16000000 21000000 2c000000";

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex.replace(" ", ""));
    }

    private static Row row(ValueType element, byte[] content) {
        return TestTable.ofArray(element)
                .row(RecordDecoding.DEFAULT, id -> Optional.of(TestBlob.streamed(content)), ID);
    }

    private static ArrayValue array(ValueType element, String hex) {
        Row row = row(element, bytes(hex));
        row.verify();
        return row.getArray(0);
    }

    /** The head of an array; descriptors of further dimensions hold garbage. */
    private static String head(int elementLength, int elements, int... bounds) {
        StringBuilder hex = new StringBuilder("01");
        int dimensions = bounds.length / 2;
        hex.append(u8(dimensions)).append("0100").append(u16(elementLength)).append(u16(16 + 24 * dimensions));
        hex.append(i32(elements)).append(i32(elements * elementLength));
        for (int i = 0; i < bounds.length; i += 2) {
            hex.append("deadbeefdeadbeefdeadbeef").append("deadbeef");
            hex.append(i32(bounds[i])).append(i32(bounds[i + 1]));
        }
        return hex.toString();
    }

    private static String u8(int number) {
        return String.format("%02x", number);
    }

    private static String u16(int number) {
        return String.format("%04x", Short.toUnsignedInt(Short.reverseBytes((short) number)));
    }

    private static String i32(int number) {
        return String.format("%08x", Integer.reverseBytes(number));
    }

    @Test
    void theExampleOfTheFormatDocument() {
        ArrayValue array = array(type(DataType.INTEGER, 4), EXAMPLE);
        assertThat(array.dimensions()).containsExactly(new Dimension(1, 4));
        assertThat(array.nested()).isEqualTo(List.of(11, 22, 33, 44));
        assertThat(array.elements()).isEqualTo(array.nested());
        assertThat(array.element(3)).isEqualTo(33);
    }

    @Test
    void theLastIndexRunsFastest() {
        ArrayValue array = array(
                type(DataType.SMALLINT, 2),
                head(2, 12, -1, 0, 0, 1, 5, 7) + "0100 0200 0300 0400 0500 0600 0700 0800 0900 0a00 0b00 0c00");
        short[] n = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
        assertThat(array.nested())
                .isEqualTo(List.of(
                        List.of(List.of(n[0], n[1], n[2]), List.of(n[3], n[4], n[5])),
                        List.of(List.of(n[6], n[7], n[8]), List.of(n[9], n[10], n[11]))));
        assertThat(array.element(-1, 1, 5)).isEqualTo(n[3]);
        assertThat(array.element(0, 1, 7)).isEqualTo(n[11]);
        assertThatThrownBy(() -> array.element(1, 1, 7)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> array.element(0, 1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void charsetAndScaleOfTheElementsComeFromTheCatalog() {
        assertThat(array(character(4, 2), head(8, 1, 1, 1) + "c3a4202020202020").elements())
                .isEqualTo(List.of("ä "));
        assertThat(array(varchar(52, 3), head(5, 2, 1, 2) + "0200c4e000 0000000000")
                        .elements())
                .isEqualTo(List.of("Да", ""));
        assertThat(array(numeric(DataType.INTEGER, 4, -2), head(4, 1, 0, 0) + "06ffffff")
                        .elements())
                .isEqualTo(List.of(new BigDecimal("-2.50")));
    }

    @ParameterizedTest
    @CsvSource({
        // offset of a byte, what it becomes
        "0, 2, version",
        "1, 0, dimensions",
        "1, 17, dimensions",
        "1, 2, header",
        "4, 5, elements",
        "6, 41, header",
        "8, 5, 5",
        "8, 3, 3",
        "11, 127, elements",
        "12, 15, elements",
        "15, 255, elements",
        "32, 2, bounds",
        "36, 3, bounds",
        "39, 127, bounds",
        "35, 128, bounds",
    })
    void aHeaderThatContradictsItselfOrTheCatalogIsAnError(int at, int value, String problem) {
        byte[] content = bytes(EXAMPLE);
        content[at] = (byte) value;
        Row row = row(type(DataType.INTEGER, 4), content);
        assertThatThrownBy(row::verify)
                .isInstanceOf(RecordDecodeException.class)
                .hasMessageContaining("column C0")
                .hasMessageContaining(problem);
        assertThatThrownBy(() -> row.getArray(0)).isInstanceOf(RecordDecodeException.class);
    }

    @Test
    void everyCutContentIsAnError() {
        byte[] content = bytes(EXAMPLE);
        for (int length = 0; length < content.length; length++) {
            Row row = row(type(DataType.INTEGER, 4), Arrays.copyOf(content, length));
            assertThatThrownBy(row::verify).as("%d bytes", length).isInstanceOf(RecordDecodeException.class);
        }
    }

    @Test
    void aMalformedElementIsAnError() {
        Row row = row(type(DataType.BOOLEAN, 1), bytes(head(1, 2, 1, 2) + "0102"));
        assertThatThrownBy(row::verify)
                .isInstanceOf(RecordDecodeException.class)
                .hasMessageContaining("BOOLEAN");
    }

    @Test
    void anOldRowHasTheIdOnly() {
        Row row = TestTable.ofArray(type(DataType.INTEGER, 4)).row(ID);
        row.verify();
        assertThat(row.value(0)).isInstanceOf(BlobValue.class);
        assertThatThrownBy(() -> row.getArray(0)).isInstanceOf(IllegalStateException.class);
    }

    /** Which is so only of a column that was dropped. */
    @Test
    void withoutElementTypeInTheMetadataThereAreBytesOnly() {
        Row row = TestTable.of(type(DataType.ARRAY, 8))
                .row(RecordDecoding.DEFAULT, id -> Optional.of(TestBlob.inMemory(bytes(EXAMPLE))), ID);
        row.verify();
        assertThat(row.value(0)).isInstanceOfSatisfying(BlobValue.class, blob -> {
            assertThat(blob.isText()).isFalse();
            assertThat(blob.bytes()).isEqualTo(bytes(EXAMPLE));
        });
        assertThatThrownBy(() -> row.getArray(0))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("dropped");
    }

    /** A content that should be there and is not, is damage whatever the column. */
    @Test
    void withoutElementTypeTheContentMustBeThereAllTheSame() {
        Row row = TestTable.of(type(DataType.ARRAY, 8)).row(RecordDecoding.DEFAULT, id -> Optional.empty(), ID);
        assertThatThrownBy(row::verify).isInstanceOf(RecordDecodeException.class);
    }

    @Test
    void printingAnArrayShowsNoValues() {
        assertThat(array(type(DataType.INTEGER, 4), EXAMPLE)).hasToString("array of INTEGER [1:4]");
    }
}
