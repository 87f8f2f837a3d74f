package org.firebirdcdc.envelope;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.firebirdcdc.envelope.Samples.after;
import static org.firebirdcdc.envelope.Samples.before;
import static org.firebirdcdc.envelope.Samples.delete;
import static org.firebirdcdc.envelope.Samples.encoder;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;
import org.firebirdcdc.record.BlobContent;
import org.firebirdcdc.record.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Blobs and arrays: what stands outside the record image. */
class ContentsTest {

    private static final SampleTable TABLE = SampleTable.table("B")
            .column("T", SampleTable.TEXT_BLOB)
            .column("B", SampleTable.BINARY_BLOB)
            .array("A", SampleTable.INTEGER, 1);
    private static final byte[] ARRAY = TABLE.arrayContent("A", new int[] {2}, 7, 8);

    private static Row row(String text, byte[] binary) {
        return TABLE.newRow(Map.of(1L, text.getBytes(UTF_8), 2L, binary, 3L, ARRAY), 1L, 2L, 3L);
    }

    @Test
    void contentsAreInTheNewRow() {
        assertThat(after(row("Grüße", new byte[] {0, 1, -1})))
                .isEqualTo("{\"T\":\"Grüße\",\"B\":\"AAH/\",\"A\":[7,8]}");
        assertThat(after(row("", new byte[0]))).isEqualTo("{\"T\":\"\",\"B\":\"\",\"A\":[7,8]}");
    }

    @ParameterizedTest
    @CsvSource({"bytes, AAH/", "base64, AAH/", "base64-url-safe, AAH_", "hex, 0001ff"})
    void binaryContentsFollowTheModeInMemoryAndStreamed(String mode, String text) {
        byte[] bytes = {0, 1, -1};
        Row streamed = TABLE.row(id -> Optional.of(new Streamed(bytes)), null, 2L, null);

        assertThat(after(row("", bytes), "binary", mode)).contains("\"B\":\"" + text + "\"");
        assertThat(after(streamed, "binary", mode)).isEqualTo("{\"T\":null,\"B\":\"" + text + "\",\"A\":null}");
    }

    @Test
    void oldRowsHaveThePlaceholderForContentsAndNullForNull() {
        String gone = "\"__debezium_unavailable_value\"";

        assertThat(before(TABLE.oldRow(1L, 2L, 3L)))
                .isEqualTo("{\"T\":" + gone + ",\"B\":" + gone + ",\"A\":" + gone + "}");
        assertThat(before(TABLE.oldRow(1L, null, 3L), "unavailableValue", "gone"))
                .isEqualTo("{\"T\":\"gone\",\"B\":null,\"A\":\"gone\"}");
        assertThat(before(TABLE.oldRow(1L, 2L, 3L), "unavailableValue", "null"))
                .isEqualTo("{\"T\":null,\"B\":null,\"A\":null}");
    }

    @Test
    void aPlaceholderFitsTheSchemaThatGoesAlong() {
        assertThat(before(TABLE.oldRow(1L, 2L, 3L), "valueSchema", "true", "unavailableValue", "gone"))
                .isEqualTo("{\"T\":\"gone\",\"B\":\"Z29uZQ==\",\"A\":null}");
        assertThat(before(TABLE.oldRow(1L, 2L, 3L), "valueSchema", "true", "unavailableValue", "gone", "binary", "hex"))
                .isEqualTo("{\"T\":\"gone\",\"B\":\"gone\",\"A\":null}");
    }

    @Test
    void contentsThatAreNotWantedAreNotReadAndHaveThePlaceholder() {
        Row row = TABLE.row(
                id -> {
                    throw new AssertionError("read");
                },
                1L,
                2L,
                3L);

        assertThat(after(row, "includeBlobs", "false", "unavailableValue", "gone"))
                .isEqualTo("{\"T\":\"gone\",\"B\":\"gone\",\"A\":\"gone\"}");
    }

    @Test
    void aContentAtTheLimitIsWhole() {
        assertThat(after(row("abcd", new byte[4]), "blobInlineLimit", "48")).startsWith("{\"T\":\"abcd\",");
        assertThat(after(TABLE.newRow(Map.of(1L, new byte[] {'a', 'b'}), 1L, null, null), "blobInlineLimit", "2"))
                .startsWith("{\"T\":\"ab\",");
    }

    @ParameterizedTest
    @CsvSource({"T, 1", "B, 2", "A, 3"})
    void aContentAboveTheLimitFailsBeforeItIsReadAndNamesItsColumn(String column, long id) {
        Object[] ids = {null, null, null};
        ids[(int) id - 1] = id;
        Row row = TABLE.row(any -> Optional.of(new Unreadable(2L << 30)), ids);

        assertThatExceptionOfType(EncodeException.class)
                .isThrownBy(() -> after(row))
                .withMessageContaining("segment 1, offset 78, table B: column " + column
                        + ": a content of 2147483648 bytes is longer than blobInlineLimit, 4194304; ")
                .withMessageContaining("blobOverflow=truncate");
    }

    @Test
    void aPlaceholderStandsForAContentAboveTheLimit() {
        Row row = TABLE.row(any -> Optional.of(new Unreadable(2L << 30)), 1L, 2L, 3L);

        assertThat(after(row, "blobOverflow", "placeholder", "unavailableValue", "big"))
                .isEqualTo("{\"T\":\"big\",\"B\":\"big\",\"A\":\"big\"}");
    }

    @ParameterizedTest
    @CsvSource({"0, ''", "1, a", "2, a", "3, aä", "4, aä", "5, aä", "6, aä€", "9, aä€", "10, aä€😀", "11, aä€😀z"})
    void aTruncatedTextEndsAtACharacterBorder(int limit, String text) {
        Row row = TABLE.row(id -> Optional.of(new Streamed("aä€😀zz".getBytes(UTF_8))), 1L, null, null);

        assertThat(after(row, "blobOverflow", "truncate", "blobInlineLimit", String.valueOf(limit)))
                .isEqualTo("{\"T\":\"" + text + "\",\"B\":null,\"A\":null}");
    }

    @Test
    void aLongTextIsTruncatedToTheLimit() {
        Row row = TABLE.row(id -> Optional.of(new Streamed("ä".repeat(50_000).getBytes(UTF_8))), 1L, null, null);

        assertThat(after(row, "blobOverflow", "truncate", "blobInlineLimit", "30001"))
                .isEqualTo("{\"T\":\"" + "ä".repeat(15_000) + "\",\"B\":null,\"A\":null}");
    }

    @Test
    void aTruncatedBinaryContentHasTheLimitAndATruncatedArrayThePlaceholder() {
        Row row = TABLE.newRow(Map.of(2L, new byte[] {1, 2, 3}, 3L, ARRAY), null, 2L, 3L);
        String[] options = {
            "blobOverflow", "truncate", "blobInlineLimit", "2", "binary", "hex", "unavailableValue", "cut"
        };

        assertThat(after(row, options)).isEqualTo("{\"T\":null,\"B\":\"0102\",\"A\":\"cut\"}");
        assertThat(after(TABLE.row(id -> Optional.of(new Streamed(new byte[] {1, 2, 3})), null, 2L, null), options))
                .isEqualTo("{\"T\":null,\"B\":\"0102\",\"A\":null}");
    }

    @Test
    void anArrayWithOtherDimensionsThanItsSchemaIsAnError() {
        SampleTable table = SampleTable.table("A").array("A", SampleTable.INTEGER, 2);
        Row row = table.newRow(Map.of(1L, ARRAY), 1L);

        assertThat(after(row)).isEqualTo("{\"A\":[7,8]}");
        assertThatExceptionOfType(EncodeException.class)
                .isThrownBy(() -> after(row, "valueSchema", "true"))
                .withMessageContaining("column A: an array of 1 dimensions does not fit the schema, which has 2");
    }

    @Test
    void aJournalThatCannotBeReadAnyMoreIsNotAnErrorOfTheEvent() {
        Row row = TABLE.row(id -> Optional.of(new Unreadable(3)), null, 2L, null);

        assertThatExceptionOfType(UncheckedIOException.class)
                .isThrownBy(() -> after(row))
                .withMessageContaining("gone");
    }

    @Test
    void aDeleteOfATableWithContentsHasAllItsRecords() {
        JsonEventEncoder encoder = encoder();
        SampleTable table = SampleTable.table("B")
                .notNull("ID", SampleTable.INTEGER)
                .column("T", SampleTable.TEXT_BLOB)
                .key("ID");

        assertThat(encoder.records(delete(encoder, table.oldRow(1, 5L)))).hasSize(2);
    }

    private record Streamed(byte[] bytes) implements BlobContent {

        @Override
        public long length() {
            return bytes.length;
        }

        @Override
        public Optional<byte[]> inMemory() {
            return Optional.empty();
        }

        @Override
        public InputStream open() {
            return new ByteArrayInputStream(bytes);
        }
    }

    private record Unreadable(long length) implements BlobContent {

        @Override
        public Optional<byte[]> inMemory() {
            return Optional.empty();
        }

        @Override
        public InputStream open() throws IOException {
            throw new IOException("gone");
        }
    }
}
