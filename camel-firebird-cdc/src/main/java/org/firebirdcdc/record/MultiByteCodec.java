package org.firebirdcdc.record;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;

/** A set of several bytes per character, by Java's decoder. */
final class MultiByteCodec extends TextCodec {

    private static final int PIECE = 256;

    MultiByteCodec(Charset charset) {
        super(charset);
    }

    private boolean isPlainAscii(byte[] bytes, int offset, int length) {
        return asciiCompatible() && Bytes.isAscii(bytes, offset, offset + length);
    }

    @Override
    boolean isValid(byte[] bytes, int offset, int length) {
        if (isPlainAscii(bytes, offset, length)) {
            return true;
        }
        CharsetDecoder decoder = newDecoder();
        ByteBuffer in = ByteBuffer.wrap(bytes, offset, length);
        CharBuffer out = CharBuffer.allocate(PIECE);
        CoderResult result = decoder.decode(in, out, true);
        while (result.isOverflow()) {
            out.clear();
            result = decoder.decode(in, out, true);
        }
        return result.isUnderflow();
    }

    @Override
    String decode(byte[] bytes, int offset, int length) {
        return new String(bytes, offset, length, charset());
    }

    @Override
    String decodeReplacing(byte[] bytes, int offset, int length) {
        return decode(bytes, offset, length);
    }

    @Override
    int prefixLength(byte[] bytes, int offset, int length, int characters) {
        if (isPlainAscii(bytes, offset, Math.min(length, characters))) {
            return Math.min(length, characters);
        }
        CharsetDecoder decoder = newDecoder();
        ByteBuffer in = ByteBuffer.wrap(bytes, offset, length);
        int left = characters;
        int room = left;
        while (left > 0) {
            CharBuffer out = CharBuffer.allocate(room);
            CoderResult result = decoder.decode(in, out, true);
            if (!result.isOverflow()) {
                return length;
            }
            int points = Character.codePointCount(out.array(), 0, out.position());
            left -= points;
            // room for one char and nothing taken: the next character is a surrogate pair
            room = points == 0 ? 2 : left;
        }
        return in.position() - offset;
    }
}
