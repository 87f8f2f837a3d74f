package org.firebirdcdc.record;

import java.nio.charset.StandardCharsets;

/** UTF-8 as Unicode defines it: shortest forms only, no surrogates, up to U+10FFFF. */
final class Utf8Codec extends TextCodec {

    Utf8Codec() {
        super(StandardCharsets.UTF_8);
    }

    @Override
    boolean isUtf8() {
        return true;
    }

    @Override
    boolean isValid(byte[] bytes, int offset, int length) {
        int end = offset + length;
        int at = Bytes.endOfAscii(bytes, offset, end);
        while (at < end) {
            int size = sequenceLength(bytes, at, end);
            if (size == 0) {
                return false;
            }
            at = Bytes.endOfAscii(bytes, at + size, end);
        }
        return true;
    }

    /** Bytes of the well-formed sequence that begins with a byte from 0x80 on; 0 if it is malformed. */
    private static int sequenceLength(byte[] bytes, int at, int end) {
        int lead = Bytes.u8(bytes, at);
        if (lead < 0xC2 || lead > 0xF4) {
            return 0;
        }
        int size = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
        if (end - at < size) {
            return 0;
        }
        int second = Bytes.u8(bytes, at + 1);
        int least = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
        int most = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
        if (second < least || second > most) {
            return 0;
        }
        for (int i = at + 2; i < at + size; i++) {
            if ((bytes[i] & 0xC0) != 0x80) {
                return 0;
            }
        }
        return size;
    }

    @Override
    String decode(byte[] bytes, int offset, int length) {
        return new String(bytes, offset, length, StandardCharsets.UTF_8);
    }

    @Override
    String decodeReplacing(byte[] bytes, int offset, int length) {
        return decode(bytes, offset, length);
    }

    @Override
    int prefixLength(byte[] bytes, int offset, int length, int characters) {
        int end = offset + length;
        int at = offset;
        for (int i = 0; i < characters && at < end; i++) {
            if (bytes[at] >= 0) {
                at++;
            } else {
                int size = sequenceLength(bytes, at, end);
                if (size == 0) {
                    return length;
                }
                at += size;
            }
        }
        return at - offset;
    }
}
