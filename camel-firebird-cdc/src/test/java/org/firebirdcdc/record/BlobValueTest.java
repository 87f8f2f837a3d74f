package org.firebirdcdc.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.firebirdcdc.record.TestTable.blob;

import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.io.StringWriter;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import org.firebirdcdc.schema.ValueType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BlobValueTest {

    private static final ValueType TEXT = blob(1, 4);
    private static final ValueType BINARY = blob(0, 0);
    /** Relation 128, number 1: 80:1. */
    private static final String ID = "80000000 01000000";

    private static final long ID_NUMBER = 0x80_0000_0001L;

    private static Row row(ValueType type, RecordDecoding decoding, BlobContent content) {
        BlobSource source = id -> id == ID_NUMBER ? Optional.of(content) : Optional.empty();
        return TestTable.of(type).row(decoding, source, ID);
    }

    private static Row row(ValueType type, BlobContent content) {
        return row(type, RecordDecoding.DEFAULT, content);
    }

    private static BlobContent content(boolean streamed, byte[] bytes) {
        return streamed ? TestBlob.streamed(bytes) : TestBlob.inMemory(bytes);
    }

    private static String readAll(BlobValue blob) throws IOException {
        try (Reader reader = blob.reader()) {
            StringWriter text = new StringWriter();
            reader.transferTo(text);
            return text.toString();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void contentIsGivenAsBytesTextStreamAndReader(boolean streamed) throws IOException {
        String text = "Привет, 日本語, 😀 ".repeat(2000);
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        BlobValue blob = row(TEXT, content(streamed, bytes)).getBlob(0);

        assertThat(blob.id()).isEqualTo(ID_NUMBER);
        assertThat(blob.isText()).isTrue();
        assertThat(blob.bytes()).isEqualTo(bytes).isNotSameAs(bytes);
        assertThat(blob.text()).isEqualTo(text);
        assertThat(readAll(blob)).isEqualTo(text);
        try (InputStream in = blob.open()) {
            assertThat(in.readAllBytes()).isEqualTo(bytes);
        }
    }

    @ParameterizedTest
    @CsvSource({"52, windows-1251, Справка", "5, windows-31j, 日本語", "69, GB18030, 😀日", "38, ISO-8859-8, אב"})
    void textIsReadInTheBlobsOwnCharset(int charsetId, Charset charset, String text) throws IOException {
        BlobValue blob = row(blob(1, charsetId), TestBlob.streamed(text.getBytes(charset)))
                .getBlob(0);
        assertThat(blob.text()).isEqualTo(text);
        assertThat(readAll(blob)).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7})
    void pairsOfSurrogatesInUnicodeFssMayLieAcrossTheReadersBuffer(int before) throws IOException {
        byte[] emoji = HexFormat.of().parseHex("eda0bdedb880");
        byte[] bytes = new byte[before + 5000 * emoji.length];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = i < before ? (byte) 'x' : emoji[(i - before) % emoji.length];
        }
        String text = "x".repeat(before) + "😀".repeat(5000);
        BlobValue blob = row(blob(1, 3), TestBlob.streamed(bytes)).getBlob(0);
        assertThat(blob.text()).isEqualTo(text);
        assertThat(readAll(blob)).isEqualTo(text);
    }

    @Test
    void textOfCharsetNoneIsReadInTheCharsetOfTheSettings() throws IOException {
        RecordDecoding decoding = RecordDecoding.DEFAULT.withNoneCharset(Charset.forName("windows-1251"));
        BlobContent content = TestBlob.inMemory("Да".getBytes(Charset.forName("windows-1251")));
        assertThat(row(blob(1, 0), decoding, content).getBlob(0).text()).isEqualTo("Да");
        assertThat(readAll(row(blob(1, 0), decoding, content).getBlob(0))).isEqualTo("Да");
    }

    @Test
    void malformedTextIsAnErrorThatNamesTheColumn() {
        byte[] malformed = {'a', (byte) 0xFF, 'b'};
        Row row = row(TEXT, TestBlob.inMemory(malformed));
        assertThatThrownBy(row::verify)
                .isInstanceOf(RecordDecodeException.class)
                .hasMessageContaining("column C0");
        assertThatThrownBy(() -> row.getBlob(0).text()).isInstanceOf(RecordDecodeException.class);

        Row streamed = row(TEXT, TestBlob.streamed(malformed));
        streamed.verify();
        assertThatThrownBy(() -> readAll(streamed.getBlob(0)))
                .isInstanceOf(RecordDecodeException.class)
                .hasMessageContaining("column C0");
    }

    @Test
    void textThatIsNotInMemoryIsVerifiedUpToTheLengthThatIsAskedFor() {
        BlobContent malformed = TestBlob.streamed(new byte[] {'a', (byte) 0xFF, 'b'});
        row(TEXT, RecordDecoding.DEFAULT.withCheckedBlobs(2), malformed).verify();
        Row checked = row(TEXT, RecordDecoding.DEFAULT.withCheckedBlobs(3), malformed);
        assertThatThrownBy(checked::verify)
                .isInstanceOf(RecordDecodeException.class)
                .hasMessageContaining("column C0");

        LongAdder replaced = new LongAdder();
        RecordDecoding replacing = RecordDecoding.DEFAULT
                .withMalformedText(MalformedText.REPLACE, replaced::increment)
                .withCheckedBlobs(3);
        row(TEXT, replacing, malformed).verify();
        assertThat(replaced.sum()).isZero();
    }

    @Test
    void textThatEndsInsideACharacterIsMalformed() {
        Row row = row(TEXT, TestBlob.streamed(new byte[] {'a', (byte) 0xC3}));
        assertThatThrownBy(() -> readAll(row.getBlob(0))).isInstanceOf(RecordDecodeException.class);
    }

    @ParameterizedTest
    @CsvSource({"4, 61ff62c3", "37, 61a462a4", "69, 61ff62ff"})
    void replacedTextIsCountedOncePerReading(int charsetId, String hex) throws IOException {
        LongAdder replaced = new LongAdder();
        RecordDecoding decoding = RecordDecoding.DEFAULT.withMalformedText(MalformedText.REPLACE, replaced::increment);
        byte[] bytes = HexFormat.of().parseHex(hex);
        Row row = row(blob(1, charsetId), decoding, TestBlob.streamed(bytes));

        row.verify();
        assertThat(row.getBlob(0).text()).isEqualTo("a\uFFFDb\uFFFD");
        assertThat(replaced.sum()).isEqualTo(1);
        assertThat(readAll(row.getBlob(0))).isEqualTo("a\uFFFDb\uFFFD");
        assertThat(replaced.sum()).isEqualTo(2);
    }

    @Test
    void binaryBlobsAreNotText() throws IOException {
        BlobValue blob =
                row(BINARY, TestBlob.inMemory(new byte[] {(byte) 0xFF})).getBlob(0);
        assertThat(blob.isText()).isFalse();
        assertThat(blob.bytes()).containsExactly(0xFF);
        assertThatThrownBy(blob::text).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(blob::reader).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aSubTypeOfTheUserIsBinaryAndItsNumberIsTold() {
        BlobValue blob = row(blob(-7, 0), TestBlob.inMemory(new byte[0])).getBlob(0);
        assertThat(blob.isText()).isFalse();
        assertThat(blob.subType()).isEqualTo(-7);
    }

    @Test
    void idZeroThatIsNotNullIsTheEmptyBlob() throws IOException {
        Row row = TestTable.of(TEXT).row(RecordDecoding.DEFAULT, id -> Optional.empty(), "00");
        row.verify();
        assertThat(row.getBlob(0).text()).isEmpty();
        assertThat(row.getBlob(0).bytes()).isEmpty();
        assertThat(row.getBlob(0).open().read()).isEqualTo(-1);
    }

    @Test
    void aNewRowWithoutTheContentOfItsBlobIsAnError() {
        Row row = TestTable.of(TEXT).row(RecordDecoding.DEFAULT, id -> Optional.empty(), ID);
        assertThatThrownBy(row::verify)
                .isInstanceOf(RecordDecodeException.class)
                .hasMessageContaining("80:1");
        assertThatThrownBy(() -> row.value(0)).isInstanceOf(RecordDecodeException.class);
    }

    @Test
    void anOldRowHasTheIdOnly() {
        Row row = TestTable.of(TEXT).row(ID);
        row.verify();
        assertThat(row.getBlob(0).content()).isEmpty();
        assertThat(row.getBlob(0).id()).isEqualTo(ID_NUMBER);
        assertThatThrownBy(() -> row.getBlob(0).text())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("80:1");
    }

    @Test
    void printingABlobShowsNoContent() {
        assertThat(row(TEXT, TestBlob.inMemory(new byte[] {'a'})).getBlob(0)).hasToString("blob 80:1 of 1 bytes");
    }
}
