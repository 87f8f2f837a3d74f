package org.firebirdcdc.journal;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Locale;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * The GUID of the database that wrote a segment; a history is identified by it (segment-format.md 1.2, 1.6). Immutable; no
 * record, since its text, which goes into every event, is made once.
 */
public final class DatabaseGuid {

    private static final Pattern TEXT =
            Pattern.compile("[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}");

    private final UUID value;
    private final String text;

    /** @param value the GUID in the order in which Firebird prints it */
    public DatabaseGuid(UUID value) {
        this.value = value;
        this.text = "{" + value.toString().toUpperCase(Locale.ROOT) + "}";
    }

    /** Reads 16 header bytes from the buffer's position: the first three groups little-endian, the rest as printed. */
    static DatabaseGuid read(ByteBuffer header) {
        ByteBuffer bytes = header.slice(header.position(), 16).order(ByteOrder.LITTLE_ENDIAN);
        header.position(header.position() + 16);
        long first = Integer.toUnsignedLong(bytes.getInt());
        long second = Short.toUnsignedLong(bytes.getShort());
        long third = Short.toUnsignedLong(bytes.getShort());
        return new DatabaseGuid(new UUID(
                first << 32 | second << 16 | third,
                bytes.order(ByteOrder.BIG_ENDIAN).getLong()));
    }

    /**
     * Parses the printed form, with or without braces, in any case.
     *
     * @throws IllegalArgumentException if the text is not a GUID
     */
    public static DatabaseGuid parse(String text) {
        String bare = text.startsWith("{") && text.endsWith("}") ? text.substring(1, text.length() - 1) : text;
        if (!TEXT.matcher(bare).matches()) {
            throw new IllegalArgumentException("not a database GUID: " + text);
        }
        return new DatabaseGuid(UUID.fromString(bare));
    }

    /** The GUID in the order in which Firebird prints it. */
    public UUID value() {
        return value;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof DatabaseGuid guid && value.equals(guid.value);
    }

    @Override
    public int hashCode() {
        return value.hashCode();
    }

    /** As {@code RDB$GET_CONTEXT('SYSTEM','DB_GUID')} returns it: upper case, in braces. */
    @Override
    public String toString() {
        return text;
    }
}
