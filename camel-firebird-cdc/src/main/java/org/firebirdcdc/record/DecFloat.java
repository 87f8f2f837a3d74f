package org.firebirdcdc.record;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Objects;
import java.util.Optional;

/**
 * A value of DECFLOAT(16) or DECFLOAT(34): everything that IEEE 754 decimal64 and decimal128 can hold, among it NaN,
 * infinities, -0 and trailing zeros (1.0 and 1.00 are different values here, as they are in print). Immutable.
 */
public final class DecFloat {

    /** What a value is. */
    public enum Kind {
        FINITE,
        INFINITE,
        NAN,
        SIGNALING_NAN
    }

    private static final int DECLET_BITS = 10;
    private static final int DECLET_MASK = (1 << DECLET_BITS) - 1;
    private static final int DECLET_VALUES = 1000;
    private static final BigInteger TEN_TO_18 = BigInteger.TEN.pow(18);

    private static final int BIAS_16 = 398;
    private static final int BIAS_34 = 6176;

    /** Three digits as a number, by declet. */
    private static final short[] DECLETS = new short[1 << DECLET_BITS];

    static {
        for (int declet = 0; declet < DECLETS.length; declet++) {
            DECLETS[declet] = (short) decodeDeclet(declet);
        }
    }

    private final Kind kind;
    private final boolean negative;
    private final BigInteger coefficient;
    private final int exponent;

    private DecFloat(Kind kind, boolean negative, BigInteger coefficient, int exponent) {
        this.kind = kind;
        this.negative = negative;
        this.coefficient = coefficient;
        this.exponent = exponent;
    }

    /** Reads 8 bytes: decimal64 in DPD encoding, little-endian (segment-format.md 7.6). */
    static DecFloat read16(byte[] bytes, int at) {
        long bits = Bytes.i64(bytes, at);
        long digits = 0;
        for (int shift = 40; shift >= 0; shift -= DECLET_BITS) {
            digits = digits * DECLET_VALUES + DECLETS[(int) (bits >>> shift) & DECLET_MASK];
        }
        int combination = (int) (bits >>> 58) & 0x1F;
        int continuation = (int) (bits >>> 50) & 0xFF;
        BigInteger lead = BigInteger.valueOf(leadingDigit(combination) * 1_000_000_000_000_000L + digits);
        return of(bits < 0, combination, continuation, 8, BIAS_16, lead, BigInteger.valueOf(digits));
    }

    /** Reads 16 bytes: decimal128 in DPD encoding, little-endian (segment-format.md 7.6). */
    static DecFloat read34(byte[] bytes, int at) {
        long low = Bytes.i64(bytes, at);
        long high = Bytes.i64(bytes, at + Long.BYTES);
        // the 110 bits of 11 declets: 46 in the high half, 64 in the low one, the seventh from below lies across
        long lowDigits = 0;
        long highDigits = 0;
        for (int declet = 10; declet >= 0; declet--) {
            int shift = declet * DECLET_BITS;
            long bits;
            if (shift >= Long.SIZE) {
                bits = high >>> (shift - Long.SIZE);
            } else if (shift + DECLET_BITS > Long.SIZE) {
                bits = high << (Long.SIZE - shift) | low >>> shift;
            } else {
                bits = low >>> shift;
            }
            int value = DECLETS[(int) bits & DECLET_MASK];
            if (declet >= 6) {
                highDigits = highDigits * DECLET_VALUES + value;
            } else {
                lowDigits = lowDigits * DECLET_VALUES + value;
            }
        }
        int combination = (int) (high >>> 58) & 0x1F;
        int continuation = (int) (high >>> 46) & 0xFFF;
        BigInteger lowPart = BigInteger.valueOf(lowDigits);
        BigInteger lead = BigInteger.valueOf(leadingDigit(combination) * 1_000_000_000_000_000L + highDigits)
                .multiply(TEN_TO_18)
                .add(lowPart);
        BigInteger trailing = BigInteger.valueOf(highDigits).multiply(TEN_TO_18).add(lowPart);
        return of(high < 0, combination, continuation, 12, BIAS_34, lead, trailing);
    }

    private static DecFloat of(
            boolean negative,
            int combination,
            int continuation,
            int continuationBits,
            int bias,
            BigInteger coefficient,
            BigInteger payload) {
        if (combination == 0b11110) {
            return new DecFloat(Kind.INFINITE, negative, BigInteger.ZERO, 0);
        }
        if (combination == 0b11111) {
            boolean signaling = continuation >>> (continuationBits - 1) != 0;
            return new DecFloat(signaling ? Kind.SIGNALING_NAN : Kind.NAN, negative, payload, 0);
        }
        int exponentHigh = combination >>> 3 == 0b11 ? combination >>> 1 & 0b11 : combination >>> 3;
        int exponent = (exponentHigh << continuationBits | continuation) - bias;
        return new DecFloat(Kind.FINITE, negative, coefficient, exponent);
    }

    private static int leadingDigit(int combination) {
        return combination >>> 3 == 0b11 ? 8 + (combination & 1) : combination & 0b111;
    }

    /** Bits p q r s t u v w x y to a number from 0 to 999, by the table of segment-format.md 7.6. */
    private static int decodeDeclet(int declet) {
        int pqr = declet >>> 7;
        int stu = declet >>> 4 & 0b111;
        int wxy = declet & 0b111;
        int pq = pqr & 0b110;
        int st = stu & 0b110;
        int large1 = 8 + (pqr & 1);
        int large2 = 8 + (stu & 1);
        int large3 = 8 + (declet & 1);
        int y = declet & 1;
        if ((declet & 0b1000) == 0) {
            return digits(pqr, stu, wxy);
        }
        return switch (wxy >>> 1) {
            case 0b00 -> digits(pqr, stu, large3);
            case 0b01 -> digits(pqr, large2, st | y);
            case 0b10 -> digits(large1, stu, pq | y);
            default ->
                switch (st >>> 1) {
                    case 0b00 -> digits(large1, large2, pq | y);
                    case 0b01 -> digits(large1, pq | stu & 1, large3);
                    case 0b10 -> digits(pqr, large2, large3);
                    default -> digits(large1, large2, large3);
                };
        };
    }

    private static int digits(int first, int second, int third) {
        return first * 100 + second * 10 + third;
    }

    public Kind kind() {
        return kind;
    }

    /** Whether the sign bit is set: also of -0, NaN and infinities. */
    public boolean isNegative() {
        return negative;
    }

    /** The digits of a finite value, without sign; the payload of a NaN; 0 for infinities. */
    public BigInteger coefficient() {
        return coefficient;
    }

    /** Of a finite value: it is coefficient × 10^exponent. Else 0. */
    public int exponent() {
        return exponent;
    }

    /** The number with its trailing zeros; -0 becomes 0. Empty for NaN and infinities. */
    public Optional<BigDecimal> toBigDecimal() {
        return kind == Kind.FINITE
                ? Optional.of(new BigDecimal(negative ? coefficient.negate() : coefficient, -exponent))
                : Optional.empty();
    }

    /** The nearest double; -0, NaN and infinities keep what they are, beyond a double's range the value is infinite or 0. */
    public double doubleValue() {
        double size =
                switch (kind) {
                    case FINITE -> new BigDecimal(coefficient, -exponent).doubleValue();
                    case INFINITE -> Double.POSITIVE_INFINITY;
                    case NAN, SIGNALING_NAN -> Double.NaN;
                };
        return negative ? -size : size;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof DecFloat that
                && kind == that.kind
                && negative == that.negative
                && exponent == that.exponent
                && coefficient.equals(that.coefficient);
    }

    @Override
    public int hashCode() {
        return Objects.hash(kind, negative, coefficient, exponent);
    }

    /**
     * Exactly as the server prints it: scientific notation if the exponent is positive or the number is below 10^-6, like
     * {@link BigDecimal#toString()}.
     */
    @Override
    public String toString() {
        String payload = coefficient.signum() == 0 ? "" : coefficient.toString();
        String text =
                switch (kind) {
                    case FINITE -> new BigDecimal(coefficient, -exponent).toString();
                    case INFINITE -> "Infinity";
                    case NAN -> "NaN" + payload;
                    case SIGNALING_NAN -> "sNaN" + payload;
                };
        return negative ? "-" + text : text;
    }
}
