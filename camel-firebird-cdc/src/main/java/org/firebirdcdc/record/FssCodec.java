package org.firebirdcdc.record;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/**
 * UNICODE_FSS: UTF-8, but what lies beyond the basic plane is stored as a pair of surrogates of three bytes each, which
 * the server counts as two characters. Sequences of four bytes, which clients can smuggle in unconverted, are what they
 * are in UTF-8.
 */
final class FssCodec extends MultiByteCodec {

    FssCodec() {
        super(StandardCharsets.UTF_8);
    }

    @Override
    CharsetDecoder newDecoder() {
        return new Decoder();
    }

    @Override
    String decode(byte[] bytes, int offset, int length) {
        CharsetDecoder decoder = newDecoder()
                .onMalformedInput(CodingErrorAction.REPLACE)
                .onUnmappableCharacter(CodingErrorAction.REPLACE);
        try {
            return decoder.decode(ByteBuffer.wrap(bytes, offset, length)).toString();
        } catch (CharacterCodingException e) {
            throw new IllegalStateException("malformed text was to be replaced", e);
        }
    }

    @Override
    int prefixLength(byte[] bytes, int offset, int length, int characters) {
        int end = offset + length;
        int at = offset;
        for (int i = 0; i < characters && at < end; i++) {
            int size = sequenceLength(Bytes.u8(bytes, at));
            if (size == 0 || size > end - at) {
                return length;
            }
            at += size;
        }
        return at - offset;
    }

    /** Bytes of the sequence that begins with this one; 0 if none does. */
    private static int sequenceLength(int lead) {
        if (lead < ASCII_LIMIT) {
            return 1;
        }
        if (lead < 0xC2 || lead > 0xF4) {
            return 0;
        }
        return lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    }

    private static final class Decoder extends CharsetDecoder {

        private static final int SURROGATE = 3;
        /** Least code point of a sequence, by its bytes. */
        private static final int[] LEAST = {0, 0, 0x80, 0x800, 0x10000};

        Decoder() {
            super(StandardCharsets.UTF_8, 1f, 1f);
        }

        @Override
        protected CoderResult decodeLoop(ByteBuffer in, CharBuffer out) {
            while (in.hasRemaining()) {
                int at = in.position();
                int size = sequenceLength(Byte.toUnsignedInt(in.get(at)));
                if (size > in.remaining()) {
                    return CoderResult.UNDERFLOW;
                }
                int code = size == 0 ? -1 : codePoint(in, at, size);
                if (code < 0) {
                    return CoderResult.malformedForLength(1);
                }
                if (code >= Character.MIN_SURROGATE && code <= Character.MAX_SURROGATE) {
                    if (in.remaining() < 2 * SURROGATE && Character.isHighSurrogate((char) code)) {
                        return CoderResult.UNDERFLOW;
                    }
                    code = joined(in, at, code);
                    size = 2 * SURROGATE;
                    if (code < 0) {
                        return CoderResult.malformedForLength(SURROGATE);
                    }
                }
                if (out.remaining() < Character.charCount(code)) {
                    return CoderResult.OVERFLOW;
                }
                if (Character.isBmpCodePoint(code)) {
                    out.put((char) code);
                } else {
                    out.put(Character.highSurrogate(code)).put(Character.lowSurrogate(code));
                }
                in.position(at + size);
            }
            return CoderResult.UNDERFLOW;
        }

        /** The number in a sequence, surrogates too; -1 if it is malformed. */
        private static int codePoint(ByteBuffer in, int at, int size) {
            int lead = Byte.toUnsignedInt(in.get(at));
            int code = size == 1 ? lead : lead & (0x7F >> size);
            for (int i = 1; i < size; i++) {
                int next = Byte.toUnsignedInt(in.get(at + i));
                if ((next & 0xC0) != 0x80) {
                    return -1;
                }
                code = code << 6 | next & 0x3F;
            }
            return code < LEAST[size] || code > Character.MAX_CODE_POINT ? -1 : code;
        }

        /** The character of the pair that begins here; -1 if it is none. */
        private static int joined(ByteBuffer in, int at, int first) {
            if (!Character.isHighSurrogate((char) first)
                    || sequenceLength(Byte.toUnsignedInt(in.get(at + SURROGATE))) != SURROGATE) {
                return -1;
            }
            int second = codePoint(in, at + SURROGATE, SURROGATE);
            return second >= 0 && Character.isLowSurrogate((char) second)
                    ? Character.toCodePoint((char) first, (char) second)
                    : -1;
        }
    }
}
