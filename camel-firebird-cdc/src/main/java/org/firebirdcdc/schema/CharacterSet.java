package org.firebirdcdc.schema;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A character set of Firebird. The built-in ones are those of segment-format.md appendix A; they have the same numbers in
 * every database.
 *
 * @param id                RDB$CHARACTER_SET_ID
 * @param name              RDB$CHARACTER_SET_NAME
 * @param bytesPerCharacter most bytes that one character can take
 */
public record CharacterSet(int id, String name, int bytesPerCharacter) {

    /** Highest id of a built-in set; a database may define more above it. */
    public static final int LAST_BUILT_IN = 69;

    private static final List<CharacterSet> BUILT_IN = List.of(
            new CharacterSet(0, "NONE", 1),
            new CharacterSet(1, "OCTETS", 1),
            new CharacterSet(2, "ASCII", 1),
            new CharacterSet(3, "UNICODE_FSS", 3),
            new CharacterSet(4, "UTF8", 4),
            new CharacterSet(5, "SJIS_0208", 2),
            new CharacterSet(6, "EUCJ_0208", 2),
            new CharacterSet(9, "DOS737", 1),
            new CharacterSet(10, "DOS437", 1),
            new CharacterSet(11, "DOS850", 1),
            new CharacterSet(12, "DOS865", 1),
            new CharacterSet(13, "DOS860", 1),
            new CharacterSet(14, "DOS863", 1),
            new CharacterSet(15, "DOS775", 1),
            new CharacterSet(16, "DOS858", 1),
            new CharacterSet(17, "DOS862", 1),
            new CharacterSet(18, "DOS864", 1),
            new CharacterSet(19, "NEXT", 1),
            new CharacterSet(21, "ISO8859_1", 1),
            new CharacterSet(22, "ISO8859_2", 1),
            new CharacterSet(23, "ISO8859_3", 1),
            new CharacterSet(34, "ISO8859_4", 1),
            new CharacterSet(35, "ISO8859_5", 1),
            new CharacterSet(36, "ISO8859_6", 1),
            new CharacterSet(37, "ISO8859_7", 1),
            new CharacterSet(38, "ISO8859_8", 1),
            new CharacterSet(39, "ISO8859_9", 1),
            new CharacterSet(40, "ISO8859_13", 1),
            new CharacterSet(44, "KSC_5601", 2),
            new CharacterSet(45, "DOS852", 1),
            new CharacterSet(46, "DOS857", 1),
            new CharacterSet(47, "DOS861", 1),
            new CharacterSet(48, "DOS866", 1),
            new CharacterSet(49, "DOS869", 1),
            new CharacterSet(50, "CYRL", 1),
            new CharacterSet(51, "WIN1250", 1),
            new CharacterSet(52, "WIN1251", 1),
            new CharacterSet(53, "WIN1252", 1),
            new CharacterSet(54, "WIN1253", 1),
            new CharacterSet(55, "WIN1254", 1),
            new CharacterSet(56, "BIG_5", 2),
            new CharacterSet(57, "GB_2312", 2),
            new CharacterSet(58, "WIN1255", 1),
            new CharacterSet(59, "WIN1256", 1),
            new CharacterSet(60, "WIN1257", 1),
            new CharacterSet(63, "KOI8R", 1),
            new CharacterSet(64, "KOI8U", 1),
            new CharacterSet(65, "WIN1258", 1),
            new CharacterSet(66, "TIS620", 1),
            new CharacterSet(67, "GBK", 2),
            new CharacterSet(68, "CP943C", 2),
            new CharacterSet(69, "GB18030", 4));

    private static final Map<Integer, CharacterSet> BY_ID = byId();

    public CharacterSet {
        Objects.requireNonNull(name, "name");
        if (bytesPerCharacter < 1) {
            throw new IllegalArgumentException("bytes per character: " + bytesPerCharacter);
        }
    }

    private static Map<Integer, CharacterSet> byId() {
        Map<Integer, CharacterSet> map = new HashMap<>();
        for (CharacterSet set : BUILT_IN) {
            map.put(set.id, set);
        }
        return Map.copyOf(map);
    }

    /** The sets that every database has, by ascending id. */
    public static List<CharacterSet> builtIn() {
        return BUILT_IN;
    }

    /** The built-in set of an id. */
    public static Optional<CharacterSet> of(int id) {
        return Optional.ofNullable(BY_ID.get(id));
    }
}
