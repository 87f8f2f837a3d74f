package org.firebirdcdc.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;
import static org.firebirdcdc.record.TestTable.character;
import static org.firebirdcdc.record.TestTable.value;
import static org.firebirdcdc.record.TestTable.varchar;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.firebirdcdc.schema.CharacterSet;
import org.firebirdcdc.schema.DataType;
import org.firebirdcdc.schema.ValueType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TextDecodingTest {

    private static final int NONE = 0;
    private static final int OCTETS = 1;
    private static final int ASCII = 2;
    private static final int UNICODE_FSS = 3;
    private static final int UTF8 = 4;
    private static final int ISO8859_7 = 37;
    private static final int KOI8U = 64;
    private static final int WIN1251 = 52;
    private static final int GB18030 = 69;

    private static String counted(String hex) {
        return String.format("%04x", Short.toUnsignedInt(Short.reverseBytes((short) (hex.length() / 2)))) + hex;
    }

    private static String encode(String text, Charset charset) {
        return TestTable.hex(text.getBytes(charset));
    }

    /** The text in CHAR(characters), padded with blanks over the full byte length as the server does. */
    private static String padded(int charsetId, int characters, String hex) {
        int missing = characters * Charsets.bytesPerCharacter(charsetId) - hex.length() / 2;
        return hex + "20".repeat(missing);
    }

    // ------------------------------------------------------------------------------------------------ types

    @Test
    void varcharIsItsCountedBytesWhateverFollows() {
        assertThat(value(varchar(UTF8, 3), "0400 5a6fc3ab 7878787878787878")).isEqualTo("Zoë");
        assertThat(value(varchar(UTF8, 3), "0000")).isEqualTo("");
    }

    @Test
    void theCountOfAVarcharIsUnsigned() {
        assertThat((String) value(varchar(WIN1251, 65533), "fdff")).hasSize(65533);
    }

    @Test
    void aVarcharThatCountsMoreThanItHoldsIsAnError() {
        Row row = TestTable.of(varchar(UTF8, 3)).row("0d00");
        assertThatThrownBy(row::verify)
                .isInstanceOf(RecordDecodeException.class)
                .hasMessageContaining("counts 13 bytes and has room for 12");
        assertThatThrownBy(() -> row.getString(0)).isInstanceOf(RecordDecodeException.class);
    }

    @ParameterizedTest
    @CsvSource({
        // UTF8, UNICODE_FSS, SJIS, EUC, GB18030, GBK, Big5, KSC, CP943C
        "4, UTF-8, äb日😀, 5",
        "3, UTF-8, äb日, 5",
        "5, windows-31j, 日本ab, 6",
        "6, EUC-JP, 日本ab, 6",
        "69, GB18030, 日😀a, 5",
        "69, GB18030, 😀😀, 3",
        "67, x-mswin-936, 日本ab, 6",
        "56, Big5, 日本ab, 6",
        "57, GB2312, 日本ab, 6",
        "44, x-windows-949, 한국ab, 6",
        "68, windows-31j, 日本ab, 6",
        "4, UTF-8, abcde, 5",
        "5, windows-31j, abcde, 5",
    })
    void charInAMultiByteSetIsCutToItsCharacters(int charsetId, Charset charset, String text, int characters) {
        String hex = padded(charsetId, characters, encode(text, charset));
        String expected = text + " ".repeat(characters - text.codePointCount(0, text.length()));
        Row row = TestTable.of(character(charsetId, characters)).row(hex);

        row.verify();
        assertThat(row.getString(0)).isEqualTo(expected);
        assertThat(row.text(0, true)).isEqualTo(text);
        assertThat(row.getBytes(0)).isEqualTo(expected.getBytes(charset));
    }

    @ParameterizedTest
    @CsvSource({
        // SJIS, EUC, GBK, CP943C, GB18030
        "5, 5c7e815f816093fa, ¥‾\\〜日",
        "6, 5ca1bda1c0c6fc, \\―\\日",
        "67, a89280c8d5, ⊕€日",
        "68, 5c7e815c8160817c93fa, \\~―～－日",
        "69, a3a0c8d5, \u3000日",
    })
    void codesThatJavaDecodesOtherwiseAreTheServersCharacters(int charsetId, String hex, String text) {
        int length = hex.length() / 2;
        Row row = TestTable.of(varchar(charsetId, length))
                .row("%02x00%s".formatted(length, hex) + "00".repeat(charsetId == 69 ? 3 * length : length));

        row.verify();
        assertThat(row.getString(0)).isEqualTo(text);
    }

    /** As 4.0.5 stores and converts them: a CHAR is padded to n characters, and a pair counts as two. */
    @ParameterizedTest
    @CsvSource({
        "4, eda0bdedb8802020, '😀  '",
        "4, eda0bdedb880c3a920, '😀é '",
        "4, c3a9eda0bdedb88020, 'é😀 '",
        "4, eda0bdedb880eda0bdedb880, 😀😀",
        "2, f09f98802020, '😀 '",
        "2, efbfbfee8080, \uFFFF\uE000",
    })
    void unicodeFssHoldsPairsOfSurrogates(int characters, String hex, String text) {
        Row row = TestTable.of(character(UNICODE_FSS, characters), varchar(UNICODE_FSS, 3 * characters))
                .row(
                        padded(UNICODE_FSS, characters, hex),
                        counted(hex) + "00".repeat(9 * characters - hex.length() / 2));

        row.verify();
        assertThat(row.getString(0)).isEqualTo(text);
        assertThat(row.text(0, true)).isEqualTo(text.stripTrailing());
        assertThat(row.getString(1)).startsWith(text);
        assertThat(row.utf8Span(0, false)).isEqualTo(-1);
    }

    @Test
    void charOfFullWidthIsNotCut() {
        String full = "😀日äbc";
        assertThat(value(character(UTF8, 5), padded(UTF8, 5, encode(full, StandardCharsets.UTF_8))))
                .isEqualTo(full);
        assertThat(value(character(GB18030, 2), encode("😀😀", Charset.forName("GB18030"))))
                .isEqualTo("😀😀");
    }

    @Test
    void octetsAreBytesWithTheirPadding() {
        assertThat((byte[]) value(character(OCTETS, 4), "00ff2000")).containsExactly(0, 0xFF, 0x20, 0);
        assertThat((byte[]) value(varchar(OCTETS, 4), "020000ff")).containsExactly(0, 0xFF);
    }

    @Test
    void cstringEndsAtItsFirstNul() {
        ValueType type = new ValueType(DataType.CSTRING, 6, 0, 0, 0, WIN1251, 6);
        assertThat(value(type, "c4e000ffffff")).isEqualTo("Да");
        assertThat(value(type, "c4e0c4e0c4e0")).isEqualTo("ДаДаДа");
    }

    @Test
    void noneIsReadInTheCharsetOfTheSettings() {
        RecordDecoding decoding = RecordDecoding.DEFAULT.withNoneCharset(Charset.forName("windows-1251"));
        TestTable table = TestTable.of(character(NONE, 4), varchar(NONE, 4));
        Row row = table.row(decoding, BlobSource.NONE, "c4e02020", counted("c4e0"));

        row.verify();
        assertThat(row.getString(0)).isEqualTo("Да  ");
        assertThat(row.getString(1)).isEqualTo("Да");
        assertThatThrownBy(() -> table.row("c4e02020", counted("61")).verify())
                .isInstanceOf(RecordDecodeException.class)
                .hasMessageContaining("NONE")
                .hasMessageContaining("noneCharset");
    }

    @Test
    void charOfNoneIsNotCutWhateverItsBytesMean() {
        String hex = encode("Даb", StandardCharsets.UTF_8) + "202020";
        assertThat(value(character(NONE, 8), hex)).isEqualTo("Даb   ");
    }

    // ------------------------------------------------------------------------------------------------ malformed text

    @ParameterizedTest
    @CsvSource({
        "4, c3",
        "4, 80",
        "4, c080",
        "4, eda080",
        "4, f4908080",
        "4, f8",
        "4, 61ff",
        "3, c3",
        "2, 80",
        "5, 81",
        "6, a1",
        "69, 81",
        "44, 80",
        "53, 81",
        "37, a4",
        "37, a5",
        "37, ae",
        "66, db",
        "3, ff",
        "3, c3",
        "3, c080",
        "3, e08080",
        "3, f0808080",
        "3, f4908080",
        "3, eda0bd",
        "3, edb880",
        "3, eda0bd41",
        "3, eda0bd414243",
        "3, eda0bdeda0bd",
        "3, edb880eda0bd",
    })
    void malformedOrUndefinedBytesAreAnErrorThatNamesPlaceAndColumn(int charsetId, String hex) {
        Row row = TestTable.of(varchar(charsetId, 8)).row(counted(hex));

        for (ThrowingCallable read : List.<ThrowingCallable>of(
                row::verify, () -> row.value(0), () -> row.getString("C0"), () -> row.text(0, true))) {
            assertThatThrownBy(read)
                    .isInstanceOfSatisfying(RecordDecodeException.class, e -> {
                        assertThat(e.position()).isEqualTo(TestTable.CONTEXT.position());
                        assertThat(e.file()).isEqualTo("t.fdb.journal-000000007");
                        assertThat(e.table()).hasToString("T");
                        assertThat(e.column()).contains("C0");
                    })
                    .hasMessageStartingWith("segment 7, offset 1234 (t.fdb.journal-000000007): table T, column C0: ")
                    .hasMessageContaining(
                            CharacterSet.of(charsetId).orElseThrow().name())
                    .hasMessageContaining("malformedText=replace");
        }
        assertThat(row.utf8Span(0, false)).isEqualTo(-1);
    }

    @Test
    void replacedTextIsCountedOncePerDecodedValueAndNotByVerify() {
        LongAdder replaced = new LongAdder();
        RecordDecoding decoding = RecordDecoding.DEFAULT.withMalformedText(MalformedText.REPLACE, replaced::increment);
        Row row = TestTable.of(varchar(UTF8, 8), varchar(ISO8859_7, 8), varchar(GB18030, 8), varchar(UTF8, 8))
                .row(
                        decoding,
                        BlobSource.NONE,
                        counted("61ff62ff"),
                        counted("61a4a1"),
                        counted("6181"),
                        counted("6162"));

        row.verify();
        assertThat(replaced.sum()).isZero();
        assertThat(row.getString(0)).isEqualTo("a\uFFFDb\uFFFD");
        assertThat(row.getString(1)).isEqualTo("a\uFFFD\u02BD");
        assertThat(row.getString(2)).isEqualTo("a\uFFFD");
        assertThat(row.getString(3)).isEqualTo("ab");
        assertThat(replaced.sum()).isEqualTo(3);
    }

    @Test
    void utf8IsValidExactlyWhereJavasStrictDecoderTakesIt() {
        byte[] two = new byte[2];
        for (int code = 0; code < 0x10000; code++) {
            two[0] = (byte) (code >> 8);
            two[1] = (byte) code;
            assertSameVerdict(two);
        }
        // leads of two to four bytes with bytes around the borders behind them
        int[] borders = {0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xFF};
        for (int lead = 0xC0; lead <= 0xFF; lead++) {
            for (int second : borders) {
                for (int third : borders) {
                    assertSameVerdict(new byte[] {(byte) lead, (byte) second, (byte) third});
                    for (int fourth : borders) {
                        assertSameVerdict(new byte[] {(byte) lead, (byte) second, (byte) third, (byte) fourth, 'x'});
                    }
                }
            }
        }
    }

    @Test
    void utf8InLongTextIsFoundAtEveryPlace() {
        Random random = new Random(42);
        for (int at = 0; at < 40; at++) {
            byte[] text = new byte[40];
            for (int i = 0; i < text.length; i++) {
                text[i] = (byte) ('a' + random.nextInt(26));
            }
            assertSameVerdict(text);
            text[at] = (byte) 0xC3;
            assertSameVerdict(text);
            if (at + 1 < text.length) {
                text[at + 1] = (byte) 0xA4;
                assertSameVerdict(text);
            }
        }
    }

    /** Compares without AssertJ's cost per call: it is asked some hundred thousand times. */
    private static void assertSameVerdict(byte[] bytes) {
        boolean valid = true;
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
        } catch (CharacterCodingException e) {
            valid = false;
        }
        if (new Utf8Codec().isValid(bytes, 0, bytes.length) != valid) {
            fail("%s: Java's decoder says %s", TestTable.hex(bytes), valid);
        }
    }

    // ------------------------------------------------------------------------------------------------ sets

    @Test
    void everySetOfTheServersIsKnown() {
        long known = IntStream.range(0, 300)
                .filter(id -> CharacterSet.of(id).isPresent())
                .count();
        assertThat(known).isEqualTo(52);
        assertThat(Charsets.java(UTF8)).contains(StandardCharsets.UTF_8);
        assertThat(Charsets.bytesPerCharacter(UNICODE_FSS)).isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource({
        "9, 9A, γ",
        "10, E1, ß",
        "11, D5, ı",
        "12, 9B, ø",
        "13, 84, ã",
        "14, 8D, ‗",
        "15, D0, ą",
        "16, D5, €",
        "17, 80, א",
        "18, C7, ﺍ",
        "21, E4, ä",
        "22, B3, ł",
        "23, A1, Ħ",
        "34, A2, ĸ",
        "35, BF, П",
        "36, C7, ا",
        "37, E1, α",
        "38, E0, א",
        "39, FD, ı",
        "40, E0, ą",
        "45, 88, ł",
        "46, 8D, ı",
        "47, 8C, ð",
        "48, 8F, П",
        "49, D6, α",
        "50, CF, П",
        "51, B3, ł",
        "52, CF, П",
        "53, 80, €",
        "54, E1, α",
        "55, FD, ı",
        "58, E0, א",
        "59, C7, ا",
        "60, E0, ą",
        "63, F0, П",
        "64, F0, П",
        "65, FE, ₫",
        "66, A1, ก",
        "2, 41, A",
    })
    void singleByteSetsAreTheirCodePages(int charsetId, String hex, String expected) {
        assertThat(value(varchar(charsetId, 4), counted(hex))).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "37, A1, 02BD",
        "37, A2, 02BC",
        "38, AF, 203E",
        "64, AE, 045E",
        "64, BE, 040E",
        "66, 80, 20AC",
        "21, 80, 0080",
        "21, 9F, 009F",
    })
    void whereTheServerDiffersFromJavaTheServerIsRight(int charsetId, String hex, String codePoint) {
        String expected = Character.toString(Integer.parseInt(codePoint, 16));
        assertThat(value(varchar(charsetId, 4), counted(hex))).isEqualTo(expected);
    }

    @Test
    void nextHasNoCounterpartInJava() {
        Row row = TestTable.of(varchar(19, 4)).row(counted("61"));
        assertThatThrownBy(row::verify)
                .isInstanceOf(RecordDecodeException.class)
                .hasMessageContaining("NEXT");
        assertThatThrownBy(() -> row.value(0)).isInstanceOf(RecordDecodeException.class);
        assertThat(TestTable.of(varchar(19, 4)).row((String) null).value(0)).isNull();
    }

    @ParameterizedTest
    @ValueSource(ints = {7, 70, 127, 255})
    void anUnknownSetIsAnErrorThatNamesItsId(int charsetId) {
        Row row = TestTable.of(varchar(charsetId, 4)).row(counted("61"));
        assertThatThrownBy(row::verify)
                .isInstanceOf(RecordDecodeException.class)
                .hasMessageContaining("character set " + charsetId);
    }

    // ------------------------------------------------------------------------------------------------ spans

    @Test
    void textThatIsUtf8CanBeCopiedWithoutDecoding() {
        Row row = TestTable.of(
                        character(UTF8, 4), varchar(WIN1251, 6), varchar(KOI8U, 6), character(ASCII, 4), varchar(18, 4))
                .row(
                        padded(UTF8, 4, encode("ä b ", StandardCharsets.UTF_8)),
                        counted(encode("ascii ", StandardCharsets.US_ASCII)),
                        counted("cfee"),
                        "61622020",
                        counted("25"));

        assertThat(span(row, 0, false)).isEqualTo("ä b ");
        assertThat(span(row, 0, true)).isEqualTo("ä b");
        assertThat(span(row, 1, true)).isEqualTo("ascii ");
        assertThat(row.utf8Span(2, false)).isEqualTo(-1);
        assertThat(span(row, 3, false)).isEqualTo("ab  ");
        assertThat(span(row, 3, true)).isEqualTo("ab");
        // the percent sign of DOS864 is an Arabic one
        assertThat(row.utf8Span(4, false)).isEqualTo(-1);
        assertThat(row.getString(4)).isEqualTo("\u066A");
    }

    @Test
    void aCharOfBlanksIsTrimmedToNothing() {
        Row row = TestTable.of(character(UTF8, 3)).row(padded(UTF8, 3, ""));
        assertThat(span(row, 0, true)).isEmpty();
        assertThat(row.text(0, true)).isEmpty();
        assertThat(row.text(0, false)).isEqualTo("   ");
    }

    private static String span(Row row, int ordinal, boolean trimChar) {
        long span = row.utf8Span(ordinal, trimChar);
        return new String(row.image(), Row.spanStart(span), Row.spanLength(span), StandardCharsets.UTF_8);
    }
}
