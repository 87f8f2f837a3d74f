package org.firebirdcdc.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import org.firebirdcdc.testing.SegmentBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SegmentHeaderTest {

    private static final String FILE = "demo.fdb.journal-000000007";

    private final byte[] bytes = SegmentBuilder.segment(7).commit(1).bytes();

    @Test
    void fieldsAreReadLittleEndian() {
        SegmentHeader header = SegmentHeader.parse(FILE, 7, bytes);
        assertThat(header).isEqualTo(new SegmentHeader(SegmentState.ARCHIVED, SegmentBuilder.GUID, 7, bytes.length));
    }

    @Test
    void theGuidIsPrintedAsTheServerPrintsIt() {
        byte[] guid = HexFormat.of().parseHex("b76fa62d24704c4f839fcbdd2dc5842a");
        System.arraycopy(guid, 0, bytes, 16, 16);
        assertThat(SegmentHeader.parse(FILE, 7, bytes).guid()).hasToString("{2DA66FB7-7024-4F4C-839F-CBDD2DC5842A}");
    }

    @Test
    void aGuidIsParsedWithAndWithoutBracesInAnyCase() {
        DatabaseGuid guid = DatabaseGuid.parse("{2DA66FB7-7024-4F4C-839F-CBDD2DC5842A}");
        assertThat(DatabaseGuid.parse("2da66fb7-7024-4f4c-839f-cbdd2dc5842a")).isEqualTo(guid);
        assertThatThrownBy(() -> DatabaseGuid.parse("{2DA66FB7-7024-4F4C-839F-CBDD2DC5842A"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> DatabaseGuid.parse("2DA66FB7-7024-4F4C-839F-1"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aLengthBeyondAnyFileIsNoError() {
        putLong(40, 1L << 63 | 48);
        assertThat(SegmentHeader.parse(FILE, 7, bytes).length()).isEqualTo(Long.MAX_VALUE);
    }

    @ParameterizedTest
    @CsvSource({
        "0,  41, 0,  signature",
        "11, 01, 0,  signature",
        "12, 02, 12, version 2",
        "14, 04, 14, state 4",
        "15, 01, 14, state 259",
        "39, 80, 32, sequence",
        "40, 2f00000000000000, 40, length of 47"
    })
    void aWrongFieldIsNamedWithItsOffset(int offset, String hex, long where, String what) {
        byte[] wrong = HexFormat.of().parseHex(hex);
        System.arraycopy(wrong, 0, bytes, offset, wrong.length);
        assertThatThrownBy(() -> SegmentHeader.parse(FILE, 7, bytes))
                .isInstanceOfSatisfying(JournalFormatException.class, e -> assertThat(e.position())
                        .isEqualTo(new JournalPosition(7, where)))
                .hasMessageContaining(FILE)
                .hasMessageContaining(what)
                .hasMessageContaining("offset " + where);
    }

    @Test
    void sequenceZeroIsNoSegment() {
        putLong(32, 0);
        assertThatThrownBy(() -> SegmentHeader.parse(FILE, 7, bytes))
                .isInstanceOf(JournalFormatException.class)
                .hasMessageContaining("sequence 0");
    }

    private void putLong(int offset, long value) {
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putLong(offset, value);
    }
}
