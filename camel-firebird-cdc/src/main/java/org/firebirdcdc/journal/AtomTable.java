package org.firebirdcdc.journal;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * The names of one block, numbered in order of definition (segment-format.md 3.1). Cleared at each block start; strings
 * are kept over blocks, so that a name that comes again costs a look-up and no allocation. Not thread-safe.
 */
final class AtomTable {

    /** More distinct names than this in one file come from damage or an attack, not from a database: start anew. */
    private static final int MAX_REMEMBERED = 10_000;

    private static final int HASH_PRIME = 31;

    private Atom[] atoms = new Atom[8];
    private int size;
    private final Map<Key, Atom> remembered = new HashMap<>();
    private final Key probe = new Key();
    private final Map<ObjectName, ObjectName> names = new HashMap<>();
    private ObjectName last = ObjectName.of("");

    void clear() {
        size = 0;
    }

    int size() {
        return size;
    }

    void define(byte[] buffer, int offset, int length) {
        probe.set(buffer, offset, length);
        Atom atom = remembered.get(probe);
        if (atom == null) {
            if (remembered.size() >= MAX_REMEMBERED) {
                remembered.clear();
                names.clear();
            }
            byte[] bytes = Arrays.copyOfRange(buffer, offset, offset + length);
            atom = Atom.of(bytes);
            Key key = new Key();
            key.set(bytes, 0, length);
            remembered.put(key, atom);
        }
        if (size == atoms.length) {
            atoms = Arrays.copyOf(atoms, size * 2);
        }
        atoms[size++] = atom;
    }

    Atom get(int index) {
        return atoms[index];
    }

    /** One instance for equal names, so that per-name maps of the caller hash it once. */
    ObjectName name(String schema, String name) {
        // rows of one table come in runs
        if (last.name().equals(name) && last.schema().equals(schema)) {
            return last;
        }
        if (names.size() >= MAX_REMEMBERED) {
            names.clear();
        }
        ObjectName candidate = new ObjectName(schema, name);
        ObjectName known = names.putIfAbsent(candidate, candidate);
        last = known != null ? known : candidate;
        return last;
    }

    /**
     * A defined name.
     *
     * @param text      the name; bytes that are not UTF-8 are replaced
     * @param validUtf8 whether nothing had to be replaced
     */
    record Atom(String text, boolean validUtf8) {

        static Atom of(byte[] bytes) {
            try {
                CharBuffer decoded = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
                return new Atom(decoded.toString(), true);
            } catch (CharacterCodingException e) {
                return new Atom(new String(bytes, StandardCharsets.UTF_8), false);
            }
        }
    }

    /** Bytes as a map key; the probe is re-used for look-ups, stored keys are never changed. */
    private static final class Key {
        private byte[] bytes;
        private int offset;
        private int length;
        private int hash;

        void set(byte[] bytes, int offset, int length) {
            this.bytes = bytes;
            this.offset = offset;
            this.length = length;
            int h = 0;
            for (int i = offset; i < offset + length; i++) {
                h = HASH_PRIME * h + bytes[i];
            }
            hash = h;
        }

        @Override
        public int hashCode() {
            return hash;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Key key
                    && Arrays.equals(bytes, offset, offset + length, key.bytes, key.offset, key.offset + key.length);
        }
    }
}
