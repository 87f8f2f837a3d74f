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
 * <p>Single-byte sets are decoded as the server converts them: like the Java charset, except ISO8859_7 (A1 = U+02BD, A2 =
 * U+02BC, A4 and A5 undefined), ISO8859_8 (AF = U+203E) and KOI8U (AE = U+045E, BE = U+040E). Bytes that are undefined in
 * a set, which the server itself converts to U+0000, are malformed text here: a value must not change silently.
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
            67 GBK
            68 x-IBM943C
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
            case 37 ->
                ((SingleByteCodec) codec)
                        .with(0xA1, '\u02BD')
                        .with(0xA2, '\u02BC')
                        .without(0xA4)
                        .without(0xA5);
            case 38 -> ((SingleByteCodec) codec).with(0xAF, '\u203E');
            case 64 -> ((SingleByteCodec) codec).with(0xAE, '\u045E').with(0xBE, '\u040E');
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
