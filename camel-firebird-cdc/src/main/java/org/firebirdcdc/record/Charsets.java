package org.firebirdcdc.record;

import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.UnsupportedCharsetException;
import java.util.Arrays;
import java.util.Optional;
import org.firebirdcdc.schema.CharacterSet;

/**
 * The character sets of Firebird 4 to 6 (segment-format.md appendix A).
 *
 * <p>Text is decoded as the server converts it to UTF8, also where Java's charset does not: in SJIS_0208 (5C = U+00A5, 7E =
 * U+203E, 815F = U+005C and six other symbols), EUCJ_0208 (A1BD = U+2015, A1C0 = U+005C), ISO8859_7 (A1 = U+02BD, A2 =
 * U+02BC), ISO8859_8 (AF = U+203E), KOI8U (AE = U+045E, BE = U+040E), CP943C (1A, 1C and 7F are exchanged), GB18030 (A3A0 =
 * U+3000), UNICODE_FSS (pairs of surrogates for what lies beyond the basic plane). Bytes that are undefined in a
 * single-byte set, which the server itself converts to U+0000, are malformed text here: a value must not change silently. So are ISO8859_7's A4, A5, AA and ISO8859_8's FD, FE, which newer versions of
 * these standards define. Where the server has no character for a code of several bytes, and gives U+FFFD, Java's stays.
 */
public final class Charsets {

    /** {@code id Java charset}; NONE, OCTETS and NEXT have none. */
    private static final String TABLE =
            """
            2 US-ASCII
            3 UTF-8
            4 UTF-8
            5 windows-31j
            6 EUC-JP
            9 x-IBM737
            10 IBM437
            11 IBM850
            12 IBM865
            13 IBM860
            14 IBM863
            15 IBM775
            16 IBM00858
            17 IBM862
            18 IBM864
            21 ISO-8859-1
            22 ISO-8859-2
            23 ISO-8859-3
            34 ISO-8859-4
            35 ISO-8859-5
            36 ISO-8859-6
            37 ISO-8859-7
            38 ISO-8859-8
            39 ISO-8859-9
            40 ISO-8859-13
            44 x-windows-949
            45 IBM852
            46 IBM857
            47 IBM861
            48 IBM866
            49 IBM869
            50 windows-1251
            51 windows-1250
            52 windows-1251
            53 windows-1252
            54 windows-1253
            55 windows-1254
            56 Big5
            57 GB2312
            58 windows-1255
            59 windows-1256
            60 windows-1257
            63 KOI8-R
            64 KOI8-U
            65 windows-1258
            66 x-windows-874
            67 x-mswin-936
            68 windows-31j
            69 GB18030
            """;

    private static final Charset[] JAVA = new Charset[CharacterSet.LAST_BUILT_IN + 1];
    private static final TextCodec[] CODECS = new TextCodec[JAVA.length];
    /** Read for every CHAR value, hence an array. */
    private static final int[] BYTES = new int[JAVA.length];

    static {
        Arrays.fill(BYTES, 1);
        CharacterSet.builtIn().forEach(set -> BYTES[set.id()] = set.bytesPerCharacter());
        TABLE.lines()
                .map(line -> line.split(" "))
                .filter(part -> Charset.isSupported(part[1]))
                .forEach(part -> {
                    int id = Integer.parseInt(part[0]);
                    JAVA[id] = Charset.forName(part[1]);
                    CODECS[id] = serverCodec(id, TextCodec.of(JAVA[id]));
                });
    }

    private Charsets() {}

    private static TextCodec serverCodec(int id, TextCodec codec) {
        return switch (id) {
            case 3 -> new FssCodec();
            case 5 ->
                ((MultiByteCodec) codec)
                        .with('\\', '\u00A5')
                        .with('~', '\u203E')
                        .with('\uFF3C', '\\')
                        .with('\uFF5E', '\u301C')
                        .with('\u2225', '\u2016')
                        .with('\uFF0D', '\u2212')
                        .with('\uFFE0', '\u00A2')
                        .with('\uFFE1', '\u00A3')
                        .with('\uFFE2', '\u00AC');
            case 6 -> ((MultiByteCodec) codec).with('\u2014', '\u2015').with('\uFF3C', '\\');
            case 37 ->
                ((SingleByteCodec) codec)
                        .with(0xA1, '\u02BD')
                        .with(0xA2, '\u02BC')
                        .without(0xA4)
                        .without(0xA5)
                        .without(0xAA);
            case 38 ->
                ((SingleByteCodec) codec).with(0xAF, '\u203E').without(0xFD).without(0xFE);
            case 64 -> ((SingleByteCodec) codec).with(0xAE, '\u045E').with(0xBE, '\u040E');
            case 68 ->
                ((MultiByteCodec) codec)
                        .with('\u001A', '\u001C')
                        .with('\u001C', '\u007F')
                        .with('\u007F', '\u001A');
            case 69 -> ((MultiByteCodec) codec).with('\uE5E5', '\u3000');
            default -> codec;
        };
    }

    /**
     * The Java charset that comes nearest to a set. Values are decoded with the server's differences from it.
     *
     * @return empty for NONE, OCTETS and NEXT, for sets that this Java lacks, and for ids that no server knows by itself
     */
    public static Optional<Charset> java(int id) {
        return id >= 0 && id < JAVA.length ? Optional.ofNullable(JAVA[id]) : Optional.empty();
    }

    /**
     * A Java charset by the name that the server gives to a set, {@code WIN1251}, or that Java does,
     * {@code windows-1251}; in any case.
     *
     * @throws IllegalArgumentException if neither knows the name, or this Java lacks the charset
     */
    public static Charset javaCharset(String name) {
        Optional<Charset> known = CharacterSet.builtIn().stream()
                .filter(set -> set.name().equalsIgnoreCase(name))
                .flatMap(set -> java(set.id()).stream())
                .findFirst();
        try {
            return known.orElseGet(() -> Charset.forName(name));
        } catch (IllegalCharsetNameException | UnsupportedCharsetException e) {
            throw new IllegalArgumentException(
                    "character set " + name + " is not known: give a name of Firebird such as WIN1251, or of Java such"
                            + " as windows-1251",
                    e);
        }
    }

    /** Name of a set, for messages; of an unknown one its id. */
    static String name(int id) {
        return CharacterSet.of(id).map(CharacterSet::name).orElse("with id " + id);
    }

    /** 1 for an unknown set. */
    static int bytesPerCharacter(int id) {
        return id >= 0 && id < BYTES.length ? BYTES[id] : 1;
    }

    /**
     * @throws BadValueException if text of this set cannot be decoded
     */
    static TextCodec codec(int id) {
        TextCodec codec = id >= 0 && id < CODECS.length ? CODECS[id] : null;
        if (codec != null) {
            return codec;
        }
        String advice = "Change the column's character set, for example to UTF8, or leave the table out of the capture";
        if (CharacterSet.of(id).isEmpty()) {
            throw new BadValueException(
                    "character set " + id + " is none of the server's own; user-defined sets cannot be decoded",
                    advice);
        }
        throw new BadValueException(
                "character set " + name(id) + " (id " + id + ") has no counterpart in Java", advice);
    }
}
