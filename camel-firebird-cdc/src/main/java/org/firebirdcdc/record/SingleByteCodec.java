package org.firebirdcdc.record;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;

/** A set of one byte per character, by table. */
final class SingleByteCodec extends TextCodec {

    private static final char UNDEFINED = '\uFFFD';

    private final char[] table;
    private final boolean complete;

    private SingleByteCodec(Charset charset, char[] table) {
        super(charset);
        this.table = table;
        this.complete = new String(table).indexOf(UNDEFINED) < 0;
    }

    static SingleByteCodec of(Charset charset) {
        byte[] all = new byte[256];
        for (int code = 0; code < all.length; code++) {
            all[code] = (byte) code;
        }
        return new SingleByteCodec(charset, new String(all, charset).toCharArray());
    }

    /** A copy in which one byte from 0x80 on stands for another character. */
    SingleByteCodec with(int code, char character) {
        char[] changed = table.clone();
        changed[code] = character;
        return new SingleByteCodec(charset(), changed);
    }

    /** A copy in which one byte is undefined. */
    SingleByteCodec without(int code) {
        return with(code, UNDEFINED);
    }

    @Override
    boolean isValid(byte[] bytes, int offset, int length) {
        if (complete) {
            return true;
        }
        int end = offset + length;
        for (int at = asciiCompatible() ? Bytes.endOfAscii(bytes, offset, end) : offset; at < end; at++) {
            if (table[Bytes.u8(bytes, at)] == UNDEFINED) {
                return false;
            }
        }
        return true;
    }

    @Override
    String decode(byte[] bytes, int offset, int length) {
        if (asciiCompatible() && Bytes.isAscii(bytes, offset, offset + length)) {
            return new String(bytes, offset, length, StandardCharsets.ISO_8859_1);
        }
        char[] text = new char[length];
        for (int i = 0; i < length; i++) {
            text[i] = table[Bytes.u8(bytes, offset + i)];
        }
        return new String(text);
    }

    @Override
    String decodeReplacing(byte[] bytes, int offset, int length) {
        return decode(bytes, offset, length);
    }

    @Override
    int prefixLength(byte[] bytes, int offset, int length, int characters) {
        return Math.min(length, characters);
    }

    @Override
    CharsetDecoder newDecoder() {
        return new TableDecoder(charset(), table);
    }

    private static final class TableDecoder extends CharsetDecoder {

        private final char[] table;

        TableDecoder(Charset charset, char[] table) {
            super(charset, 1f, 1f);
            this.table = table;
        }

        @Override
        protected CoderResult decodeLoop(ByteBuffer in, CharBuffer out) {
            while (in.hasRemaining()) {
                char character = table[Byte.toUnsignedInt(in.get(in.position()))];
                if (character == UNDEFINED) {
                    return CoderResult.unmappableForLength(1);
                }
                if (!out.hasRemaining()) {
                    return CoderResult.OVERFLOW;
                }
                out.put(character);
                in.get();
            }
            return CoderResult.UNDERFLOW;
        }
    }
}
