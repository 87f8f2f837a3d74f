package org.firebirdcdc.record;

import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;

/** Checks and decodes the bytes of text in one character set. Immutable. */
abstract class TextCodec {

    static final int ASCII_LIMIT = 0x80;

    private final Charset charset;
    private final boolean asciiCompatible;

    TextCodec(Charset charset) {
        this(charset, keepsAscii(charset));
    }

    TextCodec(Charset charset, boolean asciiCompatible) {
        this.charset = charset;
        this.asciiCompatible = asciiCompatible;
    }

    static TextCodec of(Charset charset) {
        if (charset.equals(StandardCharsets.UTF_8)) {
            return new Utf8Codec();
        }
        boolean singleByte = charset.canEncode() && charset.newEncoder().maxBytesPerChar() == 1.0f;
        return singleByte ? SingleByteCodec.of(charset) : new MultiByteCodec(charset);
    }

    static boolean keepsAscii(Charset charset) {
        for (int code = 0; code < ASCII_LIMIT; code++) {
            if (!new String(new byte[] {(byte) code}, charset).equals(String.valueOf((char) code))) {
                return false;
            }
        }
        return true;
    }

    final Charset charset() {
        return charset;
    }

    /** Whether bytes below 0x80, as long as no other came before, are the ASCII characters. */
    final boolean asciiCompatible() {
        return asciiCompatible;
    }

    /** Whether text that is valid in this set is valid UTF-8 of the same characters. */
    boolean isUtf8() {
        return false;
    }

    abstract boolean isValid(byte[] bytes, int offset, int length);

    /** Decodes valid bytes. */
    abstract String decode(byte[] bytes, int offset, int length);

    /** Decodes any bytes, U+FFFD in place of malformed ones. */
    abstract String decodeReplacing(byte[] bytes, int offset, int length);

    /**
     * Bytes of the first characters (code points).
     *
     * @return {@code length} if there are no more characters than asked for, or malformed bytes come first
     */
    abstract int prefixLength(byte[] bytes, int offset, int length, int characters);

    /** A decoder that reports malformed and undefined bytes. */
    CharsetDecoder newDecoder() {
        return charset.newDecoder();
    }
}
