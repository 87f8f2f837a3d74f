package org.firebirdcdc.record;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Little-endian numbers in record images: {@code u} unsigned, {@code i} signed two's complement, width in bits. */
final class Bytes {

    private static final VarHandle SHORTS =
            MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private static final long HIGH_BITS = 0x8080808080808080L;

    private Bytes() {}

    static int u8(byte[] bytes, int at) {
        return Byte.toUnsignedInt(bytes[at]);
    }

    static short i16(byte[] bytes, int at) {
        return (short) SHORTS.get(bytes, at);
    }

    static int u16(byte[] bytes, int at) {
        return Short.toUnsignedInt((short) SHORTS.get(bytes, at));
    }

    static int i32(byte[] bytes, int at) {
        return (int) INTS.get(bytes, at);
    }

    static long u32(byte[] bytes, int at) {
        return Integer.toUnsignedLong((int) INTS.get(bytes, at));
    }

    static long i64(byte[] bytes, int at) {
        return (long) LONGS.get(bytes, at);
    }

    /** Index of the first byte from 0x80 on, {@code end} if there is none. */
    static int endOfAscii(byte[] bytes, int from, int end) {
        int at = from;
        while (at + Long.BYTES <= end && (i64(bytes, at) & HIGH_BITS) == 0) {
            at += Long.BYTES;
        }
        while (at < end && bytes[at] >= 0) {
            at++;
        }
        return at;
    }

    static boolean isAscii(byte[] bytes, int from, int end) {
        return endOfAscii(bytes, from, end) == end;
    }
}
