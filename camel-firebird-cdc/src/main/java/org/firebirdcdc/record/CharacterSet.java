package org.firebirdcdc.record;

import java.nio.charset.Charset;
import java.util.Objects;
import java.util.Optional;

/**
 * A character set of the server.
 *
 * @param id                RDB$CHARACTER_SET_ID
 * @param name              RDB$CHARACTER_SET_NAME
 * @param bytesPerCharacter most bytes that a character takes; CHAR(n) takes n times as many in a record image
 * @param java              the Java charset that comes nearest; empty for NONE, OCTETS, for NEXT and for sets that this
 *                          Java lacks. Values are decoded with the server's differences from it (see {@link Charsets})
 */
public record CharacterSet(int id, String name, int bytesPerCharacter, Optional<Charset> java) {

    public CharacterSet {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(java, "java");
    }
}
