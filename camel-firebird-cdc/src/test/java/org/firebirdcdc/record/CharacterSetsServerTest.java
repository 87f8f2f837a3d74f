package org.firebirdcdc.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.firebirdcdc.schema.CharacterSet;
import org.firebirdcdc.testing.FirebirdServer;
import org.firebirdcdc.testing.TestDatabase;
import org.firebirdcdc.testing.WithFirebirdServer;
import org.junit.jupiter.api.Test;

/** Every character of every set, as the server itself converts it. */
@WithFirebirdServer
class CharacterSetsServerTest {

    /** What the server makes of a code of several bytes that it has no character for, and of one byte. */
    private static final String UNKNOWN = "\uFFFD";

    private static final String UNDEFINED = "\u0000";

    /** Codes that the server converts although the set does not have them; here they are malformed. */
    private static final Map<String, Integer> MOST_REFUSED =
            Map.of("SJIS_0208", 36, "EUCJ_0208", 96, "TIS620", 31, "GBK", 1, "GB18030", 1);

    private static Stream<CharacterSet> sets() {
        return CharacterSet.builtIn().stream()
                .filter(set -> Charsets.java(set.id()).isPresent());
    }

    @Test
    void codesOfOneAndTwoBytesAreTheCharactersThatTheServerMakesOfThem(FirebirdServer server) throws SQLException {
        TestDatabase database = server.createDatabase("codes");
        List<String> wrong = new ArrayList<>();
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            for (CharacterSet set : sets().toList()) {
                TextCodec codec = Charsets.codec(set.id());
                int refused = 0;
                try (ResultSet row = statement.executeQuery(allCodes(set))) {
                    while (row.next()) {
                        byte[] code = row.getBytes(1);
                        String character = row.getString(2);
                        if (character.equals(UNKNOWN) || code.length > 1 && character.charAt(0) < ' ') {
                            continue;
                        }
                        if (character.equals(UNDEFINED) && (code.length > 1 || code[0] != 0)) {
                            assertThat(codec.isValid(code, 0, code.length)).isFalse();
                        } else if (!codec.isValid(code, 0, code.length)) {
                            refused++;
                        } else if (!codec.decode(code, 0, code.length).equals(character)
                                || !streamed(codec, code).equals(character)) {
                            wrong.add(set.name() + " " + HexFormat.of().formatHex(code) + " is " + character + ", not "
                                    + codec.decode(code, 0, code.length));
                        }
                    }
                }
                assertThat(refused)
                        .as("refused codes of %s", set.name())
                        .isLessThanOrEqualTo(MOST_REFUSED.getOrDefault(set.name(), 0));
            }
        }
        assertThat(wrong).isEmpty();
    }

    private static String streamed(TextCodec codec, byte[] code) {
        try {
            return codec.newDecoder().decode(ByteBuffer.wrap(code)).toString();
        } catch (CharacterCodingException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Rows of a code's bytes and the one character that the server makes of it; none for codes that it knows nothing of. */
    private static String allCodes(CharacterSet set) {
        return """
                execute block returns (CODE varchar(2) character set OCTETS, TEXT varchar(2) character set UTF8) as
                  declare HIGH integer = -1;
                  declare LOW integer;
                  declare STORED varchar(2) character set %s;
                begin
                  while (HIGH < %d) do
                  begin
                    LOW = 0;
                    while (LOW < 256) do
                    begin
                      begin
                        CODE = case when HIGH < 0 then ascii_char(LOW) else ascii_char(HIGH) || ascii_char(LOW) end;
                        STORED = CODE;
                        TEXT = STORED;
                        if (char_length(TEXT) = 1) then
                          suspend;
                        when any do
                        begin
                        end
                      end
                      LOW = LOW + 1;
                    end
                    HIGH = case when HIGH < 0 then 128 else HIGH + 1 end;
                  end
                end"""
                .formatted(set.name(), set.bytesPerCharacter() == 1 ? 0 : 256);
    }

    @Test
    void charactersOfTheBasicPlaneComeBackFromTheirLongestCodes(FirebirdServer server) throws SQLException {
        TestDatabase database = server.createDatabase("plane");
        List<String> wrong = new ArrayList<>();
        int lengths = 0;
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            for (String set : List.of("GB18030", "UTF8", "UNICODE_FSS")) {
                TextCodec codec = Charsets.codec(sets().filter(s -> s.name().equals(set))
                        .findFirst()
                        .orElseThrow()
                        .id());
                try (ResultSet row = statement.executeQuery(allCharacters(set))) {
                    while (row.next()) {
                        byte[] code = row.getBytes(2);
                        lengths |= 1 << code.length;
                        String character = Character.toString(row.getInt(1));
                        if (!codec.isValid(code, 0, code.length)
                                || !codec.decode(code, 0, code.length).equals(character)) {
                            wrong.add(set + " " + HexFormat.of().formatHex(code) + " is " + character);
                        }
                    }
                }
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(lengths).as("codes of one to four bytes").isEqualTo(0b11110);
    }

    @Test
    void charactersBeyondTheBasicPlaneComeBackAsTheServerStoresThem(FirebirdServer server) throws SQLException {
        TestDatabase database = server.createDatabase("beyond");
        List<String> wrong = new ArrayList<>();
        int found = 0;
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            for (CharacterSet set : List.of(
                    CharacterSet.of(69).orElseThrow(),
                    CharacterSet.of(4).orElseThrow(),
                    CharacterSet.of(3).orElseThrow())) {
                TextCodec codec = Charsets.codec(set.id());
                try (ResultSet row = statement.executeQuery(charactersBeyond(set.name()))) {
                    while (row.next()) {
                        found++;
                        byte[] code = row.getBytes(2);
                        String character = Character.toString(row.getInt(1));
                        if (!codec.isValid(code, 0, code.length)
                                || !codec.decode(code, 0, code.length).equals(character)
                                || codec.prefixLength(code, 0, code.length, row.getInt(3)) != code.length) {
                            wrong.add(set.name() + " " + HexFormat.of().formatHex(code) + " is " + character);
                        }
                    }
                }
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(found).isEqualTo(3 * (0x100000 / 64));
    }

    private static String charactersBeyond(String set) {
        return """
                execute block returns (POINT integer, CODE varchar(8) character set OCTETS, CHARACTERS integer) as
                  declare UNICODE varchar(4) character set OCTETS;
                  declare STORED varchar(2) character set %s;
                begin
                  POINT = 65536;
                  while (POINT < 1114112) do
                  begin
                    UNICODE = ascii_char(240 + POINT / 262144) || ascii_char(128 + mod(POINT / 4096, 64))
                      || ascii_char(128 + mod(POINT / 64, 64)) || ascii_char(128 + mod(POINT, 64));
                    STORED = cast(UNICODE as varchar(1) character set UTF8);
                    CODE = STORED;
                    CHARACTERS = char_length(STORED);
                    suspend;
                    POINT = POINT + 64;
                  end
                end"""
                .formatted(set);
    }

    private static String allCharacters(String set) {
        return """
                execute block returns (POINT integer, CODE varchar(4) character set OCTETS) as
                  declare UNICODE varchar(3) character set OCTETS;
                  declare STORED varchar(1) character set %s;
                begin
                  POINT = 1;
                  while (POINT < 65534) do
                  begin
                    begin
                      UNICODE = case
                        when POINT < 128 then ascii_char(POINT)
                        when POINT < 2048 then ascii_char(192 + POINT / 64) || ascii_char(128 + mod(POINT, 64))
                        else ascii_char(224 + POINT / 4096) || ascii_char(128 + mod(POINT / 64, 64))
                          || ascii_char(128 + mod(POINT, 64)) end;
                      STORED = cast(UNICODE as varchar(1) character set UTF8);
                      CODE = STORED;
                      if (not POINT between 55296 and 63743) then
                        suspend;
                      when any do
                      begin
                      end
                    end
                    POINT = POINT + 1;
                  end
                end"""
                .formatted(set);
    }
}
