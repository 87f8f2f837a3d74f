package org.firebirdcdc.record;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;

/** A set of several bytes per character, by Java's decoder; some characters of that can stand for others. */
class MultiByteCodec extends TextCodec {

    private static final int PIECE = 256;

    /** Java's characters that are others here, and those, at the same places. */
    private final String from;

    private final String to;

    MultiByteCodec(Charset charset) {
        this(charset, "", "");
    }

    private MultiByteCodec(Charset charset, String from, String to) {
        super(charset, keepsAscii(charset) && from.chars().noneMatch(c -> c < ASCII_LIMIT));
        this.from = from;
        this.to = to;
    }

    /** A copy in which what Java decodes as one character is another. */
    MultiByteCodec with(char java, char server) {
        return new MultiByteCodec(charset(), from + java, to + server);
    }

    private void substitute(char[] text, int length) {
        for (int i = 0; i < length; i++) {
            int found = from.indexOf(text[i]);
            if (found >= 0) {
                text[i] = to.charAt(found);
            }
        }
    }

    @Override
    CharsetDecoder newDecoder() {
        return from.isEmpty() ? super.newDecoder() : new SubstitutingDecoder(super.newDecoder());
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
        if (from.isEmpty()) {
            return new String(bytes, offset, length, charset());
        }
        char[] text = new String(bytes, offset, length, charset()).toCharArray();
        substitute(text, text.length);
        return new String(text);
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

    private final class SubstitutingDecoder extends CharsetDecoder {

        private final CharsetDecoder java;

        SubstitutingDecoder(CharsetDecoder java) {
            super(java.charset(), java.averageCharsPerByte(), java.maxCharsPerByte());
            this.java = java;
        }

        @Override
        protected void implReset() {
            java.reset();
        }

        @Override
        protected CoderResult decodeLoop(ByteBuffer in, CharBuffer out) {
            CharBuffer text = CharBuffer.allocate(out.remaining());
            CoderResult result = java.decode(in, text, false);
            substitute(text.array(), text.position());
            out.put(text.flip());
            return result;
        }
    }
}
