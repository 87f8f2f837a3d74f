package org.firebirdcdc.differential;

import java.nio.charset.Charset;
import java.nio.charset.CharsetEncoder;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.firebirdcdc.record.Charsets;
import org.firebirdcdc.schema.CharacterSet;
import org.firebirdcdc.schema.ValueType;

/** Types that columns can have, each with SQL for values of it: the ends of its range, odd ones, and ordinary ones. */
final class RandomValues {

    /** Characters that a column's texts are cut from. */
    private static final int POOL = 160;

    private static final int UTF8 = 4;

    private static final String DAY = "(date '0001-01-01' + mod(:R, 3652058))";
    private static final String TIME = "(time '00:00:00' + cast(mod(:R * 7919, 864000000) as numeric(18, 4)) / 10000)";
    private static final String NEAR_DAY = "(date '1890-01-01' + mod(:R, 75000))";

    private final Random random;
    private final List<String> zones;
    private final KnownCharacters known;

    /** Tells which characters of a text the server has in a character set. */
    interface KnownCharacters {
        String of(String text, CharacterSet set) throws SQLException;
    }

    /** @param zones names of the server's time zones */
    RandomValues(Random random, List<String> zones, KnownCharacters known) {
        this.random = random;
        this.zones = zones;
        this.known = known;
    }

    /** A type and the expression of a value that is not null. */
    record Typed(String type, String value) {}

    Typed any() throws SQLException {
        return switch (random.nextInt(22)) {
            case 0 -> new Typed("smallint", cases("cast(mod(:R, 65536) - 32768 as smallint)", "-32768", "32767", "0"));
            case 1 -> new Typed("integer", cases(":R - 1073741824", "-2147483648", "2147483647", "0"));
            case 2 ->
                new Typed(
                        "bigint",
                        cases(
                                "(:R - 1073741824) * :R",
                                "cast('-9223372036854775808' as bigint)",
                                "9223372036854775807",
                                "0"));
            case 3 ->
                new Typed(
                        "int128",
                        cases(
                                "cast(:R as int128) * :R * :R * (:R - 1000000000)",
                                "cast('-170141183460469231731687303715884105728' as int128)",
                                "cast('170141183460469231731687303715884105727' as int128)",
                                "cast(-1 as int128)"));
            case 4, 5, 6 -> exact();
            case 7 ->
                new Typed(
                        "float",
                        cases(
                                "cast((:R - 1000000000) / 7e0 * power(10e0, mod(:R, 60) - 30) as float)",
                                "cast(-0e0 as float)",
                                "cast(3.4028234e38 as float)",
                                "cast(1.5e-40 as float)"));
            case 8 ->
                new Typed(
                        "double precision",
                        cases(
                                "(:R - 1000000000) / 7e0 * power(10e0, mod(:R, 500) - 250)",
                                "-0e0",
                                "1.7976931348623157e308",
                                "4.9e-324",
                                "0.1e0"));
            case 9 -> decimalFloat(16, "9.999999999999999E384", "1E-398", "1E369");
            case 10 -> decimalFloat(34, "-9.999999999999999999999999999999999E6144", "1E-6176", "1E6111");
            case 11 -> new Typed("boolean", "(mod(:R, 2) = 0)");
            case 12 -> new Typed("date", cases(DAY, "date '0001-01-01'", "date '9999-12-31'"));
            case 13 -> new Typed("time", cases(TIME, "time '00:00:00'", "time '23:59:59.9999'"));
            case 14 ->
                new Typed(
                        "timestamp",
                        cases(
                                "(" + DAY + " + " + TIME + ")",
                                "timestamp '0001-01-01 00:00:00'",
                                "timestamp '9999-12-31 23:59:59.9999'"));
            case 15 ->
                new Typed(
                        "time with time zone",
                        "cast(cast(" + TIME + " as varchar(13)) || ' ' || " + zone() + " as time with time zone)");
            case 16 ->
                new Typed(
                        "timestamp with time zone",
                        "cast(cast(" + NEAR_DAY + " as varchar(10)) || ' ' || cast(" + TIME
                                + " as varchar(13)) || ' ' || " + zone() + " as timestamp with time zone)");
            case 17, 18 -> text();
            case 19 -> binary();
            default -> blob();
        };
    }

    /** A value that no other row has, for keys. */
    Typed unique() {
        return switch (random.nextInt(10)) {
            case 0 -> new Typed("varchar(20) character set UTF8", "cast('k-ж' || :N as varchar(20))");
            case 1 -> new Typed("char(14) character set WIN1251", "cast('Ключ' || :N as char(14))");
            case 2 -> new Typed("numeric(18, 2)", "cast(:N + 0.25 as numeric(18, 2))");
            case 3 -> new Typed("timestamp", "dateadd(:N second to timestamp '2000-01-01 00:00:00.1234')");
            case 4 -> new Typed("int128", "cast(:N as int128) * 100000000000000000000");
            case 5 -> new Typed("integer", "cast(:N as integer)");
            case 6 -> new Typed("decfloat(34)", "cast(cast(:N as varchar(20)) || 'E-3' as decfloat(34))");
            case 7 -> new Typed("binary(12)", "cast('#' || :N as binary(12))");
            default -> new Typed("bigint", ":N");
        };
    }

    private Typed exact() {
        boolean numeric = random.nextBoolean();
        int precision = 1 + random.nextInt(38);
        int scale = random.nextInt(precision + 1);
        String type = (numeric ? "numeric(" : "decimal(") + precision + ", " + scale + ")";
        // bytes that the type is stored in bound the value, not its precision; stay within both
        String digits = "9".repeat(precision);
        String largest = precision == scale
                ? "0." + digits
                : digits.substring(scale) + (scale == 0 ? "" : "." + digits.substring(0, scale));
        String ordinary = precision <= 9
                ? "mod(:R, " + "1" + "0".repeat(precision) + ")"
                : precision <= 18
                        ? "mod((:R - 1073741824) * :R, 1" + "0".repeat(precision) + ")"
                        : "cast(:R as int128) * (:R - 1073741824)";
        String unit = scale == 0 ? "1" : "0." + "0".repeat(scale - 1) + "1";
        String scaled = precision <= 18
                ? "cast(cast(" + ordinary + " as decfloat(34)) * cast('" + unit + "' as decfloat(34)) as " + type + ")"
                : "cast(cast(mod(" + ordinary + ", 1" + "0".repeat(Math.min(precision, 17))
                        + ") as decfloat(34)) * cast('" + unit + "' as decfloat(34)) as " + type + ")";
        return new Typed(
                type,
                cases(
                        scaled,
                        "cast('" + largest + "' as " + type + ")",
                        "cast('-" + largest + "' as " + type + ")",
                        "cast('0' as " + type + ")"));
    }

    private Typed decimalFloat(int digits, String... odd) {
        String type = "decfloat(" + digits + ")";
        List<String> values =
                new ArrayList<>(List.of("NaN", "sNaN", "-NaN", "Infinity", "-Infinity", "-0", "1.00", "0E+5"));
        values.addAll(List.of(odd));
        return new Typed(
                type,
                cases(
                        "cast((:R - 1073741824) || '.' || mod(:R, 1000) || 'E' || (mod(:R, 600) - 300) as " + type
                                + ")",
                        values.stream()
                                .map(v -> "cast('" + v + "' as " + type + ")")
                                .toArray(String[]::new)));
    }

    private String zone() {
        List<String> some = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            some.add(
                    random.nextBoolean()
                            ? zones.get(random.nextInt(zones.size()))
                            : String.format(
                                    Locale.ROOT,
                                    "%s%02d:%02d",
                                    random.nextBoolean() ? "+" : "-",
                                    random.nextInt(14),
                                    random.nextInt(60)));
        }
        return IntStream.range(0, some.size())
                .mapToObj(i -> "when " + i + " then '" + some.get(i) + "'")
                .collect(Collectors.joining(" ", "case mod(:R / 64, " + some.size() + ") ", " end"));
    }

    private Typed text() throws SQLException {
        CharacterSet set = characterSet();
        int most = 32000 / set.bytesPerCharacter();
        int length = random.nextInt(6) == 0 ? 1 + random.nextInt(Math.min(most, 400)) : 1 + random.nextInt(30);
        boolean fixed = random.nextBoolean();
        String type = (fixed ? "char(" : "varchar(") + length + ") character set " + set.name();
        return new Typed(
                type,
                "substring(" + pool(set) + " from 1 + mod(:R / 8, " + POOL / 2 + ") for mod(:R, " + (length + 1)
                        + "))");
    }

    private Typed binary() {
        int length = 1 + random.nextInt(60);
        String bytes =
                "substring(crypt_hash(cast(:R as varchar(20)) using sha512) from 1 for mod(:R, " + (length + 1) + "))";
        return switch (random.nextInt(4)) {
            case 0 -> new Typed("binary(" + length + ")", bytes);
            case 1 -> new Typed("varbinary(" + length + ")", bytes);
            case 2 -> new Typed("char(" + length + ") character set NONE", bytes);
            default -> new Typed("varchar(" + length + ") character set NONE", bytes);
        };
    }

    /** Most are small, some fill blocks, a few are larger than a piece or a buffer can be. */
    private Typed blob() throws SQLException {
        String large = "when mod(:R, 211) < 2 then ";
        if (random.nextBoolean()) {
            String some = "crypt_hash(cast(:R as varchar(20)) using sha512)";
            String piece = "rpad(" + some + ", 32000, " + some + ")";
            return new Typed(
                    random.nextBoolean() ? "blob sub_type binary" : "blob sub_type -7 segment size 100",
                    "case " + large + "cast(" + piece + " as blob sub_type binary) || " + piece + " || " + piece
                            + " when mod(:R, 13) = 0 then '' when mod(:R, 17) = 0 then rpad(" + some
                            + ", mod(:R, 9000), " + some + ") else " + some + " end");
        }
        CharacterSet set = characterSet();
        String piece = "rpad('', 8000, " + pool(set) + ")";
        String some = "rpad('', mod(:R, 90), " + pool(set) + ")";
        String unicode = "blob sub_type text character set UTF8";
        return new Typed(
                "blob sub_type text character set " + set.name(),
                "case " + large + "cast(" + piece + " as " + unicode + ")"
                        + (" || " + piece).repeat(set.bytesPerCharacter() == 1 ? 9 : 5)
                        + " when mod(:R, 13) = 0 then cast('' as "
                        + unicode + ") when mod(:R, 17) = 0 then cast(rpad('', mod(:R, 3000), " + pool(set) + ") as "
                        + unicode + ") else cast(" + some + " as " + unicode + ") end");
    }

    /** One that Java has, UTF8 more often. */
    private CharacterSet characterSet() {
        List<CharacterSet> sets = CharacterSet.builtIn().stream()
                .filter(set -> set.id() > ValueType.CHARSET_OCTETS)
                .filter(set -> Charsets.java(set.id()).isPresent())
                .toList();
        return random.nextInt(4) == 0 ? CharacterSet.of(UTF8).orElseThrow() : sets.get(random.nextInt(sets.size()));
    }

    private String pool(CharacterSet set) throws SQLException {
        Charset java = Charsets.java(set.id()).orElseThrow();
        CharsetEncoder encoder = java.newEncoder();
        StringBuilder pool = new StringBuilder();
        while (pool.codePointCount(0, pool.length()) < POOL) {
            int candidate = candidate(set);
            String character = Character.toString(candidate);
            if (Character.isDefined(candidate)
                    && !Character.isISOControl(candidate)
                    && !Character.isSurrogate((char) candidate)
                    && encoder.canEncode(character)
                    && character.getBytes(java).length <= set.bytesPerCharacter()) {
                pool.appendCodePoint(candidate);
            }
        }
        return sql(known.of(sql(pool.toString()), set));
    }

    static String sql(String text) {
        return "'" + text.replace("'", "''") + "'";
    }

    private int candidate(CharacterSet set) {
        if (set.bytesPerCharacter() == 1) {
            byte[] one = {(byte) (0x20 + random.nextInt(0xE0))};
            return new String(one, Charsets.java(set.id()).orElseThrow()).charAt(0);
        }
        return switch (random.nextInt(6)) {
            case 0 -> 0x20 + random.nextInt(0x5F);
            case 1 -> 0x3041 + random.nextInt(0x56);
            case 2 -> 0xAC00 + random.nextInt(0x2BA4);
            case 3 -> set.id() == UTF8 ? 0x1F600 + random.nextInt(0x40) : 0x0410 + random.nextInt(0x40);
            default -> 0x4E00 + random.nextInt(0x51A6);
        };
    }

    /** Mostly the ordinary value, sometimes one of the odd ones. */
    private String cases(String ordinary, String... odd) {
        StringBuilder sql =
                new StringBuilder("case mod(:R / 4, ").append(odd.length * 4).append(")");
        for (int i = 0; i < odd.length; i++) {
            sql.append(" when ").append(i).append(" then ").append(odd[i]);
        }
        return sql.append(" else ").append(ordinary).append(" end").toString();
    }

    /** The same, but NULL now and then. */
    static String nullable(String value) {
        return "case when mod(:R, 11) = 0 then null else " + value + " end";
    }
}
