package org.firebirdcdc.record;

import java.nio.charset.Charset;
import java.util.Optional;

/**
 * The character sets of Firebird 4 to 6 (segment-format.md appendix A).
 *
 * <p>Single-byte sets are decoded as the server converts them: like the Java charset, except ISO8859_7 (A1 = U+02BD, A2 =
 * U+02BC, A4 and A5 undefined), ISO8859_8 (AF = U+203E) and KOI8U (AE = U+045E, BE = U+040E). Bytes that are undefined in
 * a set, which the server itself converts to U+0000, are malformed text here: a value must not change silently.
 */
public final class Charsets {

    /** {@code id name bytesPerCharacter [Java charset]}. */
    private static final String TABLE =
            """
            0 NONE 1
            1 OCTETS 1
            2 ASCII 1 US-ASCII
            3 UNICODE_FSS 3 UTF-8
            4 UTF8 4 UTF-8
            5 SJIS_0208 2 windows-31j
            6 EUCJ_0208 2 EUC-JP
            9 DOS737 1 x-IBM737
            10 DOS437 1 IBM437
            11 DOS850 1 IBM850
            12 DOS865 1 IBM865
            13 DOS860 1 IBM860
            14 DOS863 1 IBM863
            15 DOS775 1 IBM775
            16 DOS858 1 IBM00858
            17 DOS862 1 IBM862
            18 DOS864 1 IBM864
            19 NEXT 1
            21 ISO8859_1 1 ISO-8859-1
            22 ISO8859_2 1 ISO-8859-2
            23 ISO8859_3 1 ISO-8859-3
            34 ISO8859_4 1 ISO-8859-4
            35 ISO8859_5 1 ISO-8859-5
            36 ISO8859_6 1 ISO-8859-6
            37 ISO8859_7 1 ISO-8859-7
            38 ISO8859_8 1 ISO-8859-8
            39 ISO8859_9 1 ISO-8859-9
            40 ISO8859_13 1 ISO-8859-13
            44 KSC_5601 2 x-windows-949
            45 DOS852 1 IBM852
            46 DOS857 1 IBM857
            47 DOS861 1 IBM861
            48 DOS866 1 IBM866
            49 DOS869 1 IBM869
            50 CYRL 1 windows-1251
            51 WIN1250 1 windows-1250
            52 WIN1251 1 windows-1251
            53 WIN1252 1 windows-1252
            54 WIN1253 1 windows-1253
            55 WIN1254 1 windows-1254
            56 BIG_5 2 Big5
            57 GB_2312 2 GB2312
            58 WIN1255 1 windows-1255
            59 WIN1256 1 windows-1256
            60 WIN1257 1 windows-1257
            63 KOI8R 1 KOI8-R
            64 KOI8U 1 KOI8-U
            65 WIN1258 1 windows-1258
            66 TIS620 1 x-windows-874
            67 GBK 2 GBK
            68 CP943C 2 x-IBM943C
            69 GB18030 4 GB18030
            """;

    private static final CharacterSet[] SETS = new CharacterSet[70];
    private static final TextCodec[] CODECS = new TextCodec[SETS.length];

    static {
        TABLE.lines().forEach(line -> {
            String[] part = line.split(" ");
            Optional<Charset> java = part.length > 3 && Charset.isSupported(part[3])
                    ? Optional.of(Charset.forName(part[3]))
                    : Optional.empty();
            int id = Integer.parseInt(part[0]);
            SETS[id] = new CharacterSet(id, part[1], Integer.parseInt(part[2]), java);
            java.ifPresent(charset -> CODECS[id] = serverCodec(id, TextCodec.of(charset)));
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

    /** Empty for an id that no server knows by itself: user-defined sets have ids above 69. */
    public static Optional<CharacterSet> byId(int id) {
        return id >= 0 && id < SETS.length ? Optional.ofNullable(SETS[id]) : Optional.empty();
    }

    /** Name of a set, for messages; of an unknown one its id. */
    static String name(int id) {
        return byId(id).map(CharacterSet::name).orElse("with id " + id);
    }

    /** 1 for an unknown set. */
    static int bytesPerCharacter(int id) {
        CharacterSet set = id >= 0 && id < SETS.length ? SETS[id] : null;
        return set == null ? 1 : set.bytesPerCharacter();
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
        if (byId(id).isEmpty()) {
            throw new BadValueException(
                    "character set " + id + " is none of the server's own; user-defined sets cannot be decoded",
                    advice);
        }
        throw new BadValueException(
                "character set " + name(id) + " (id " + id + ") has no counterpart in Java", advice);
    }
}
