package org.firebirdcdc.envelope;

/** How NUMERIC, DECIMAL, INT128 and DECFLOAT go out (formats.md 1). */
public enum DecimalMode implements Choice {
    /** Base64 of the big-endian two's complement unscaled value; DECFLOAT as text. */
    PRECISE("precise"),
    /** Plain decimal text with all digits of the scale; DECFLOAT as the engine prints it. */
    STRING("string"),
    /** The nearest JSON number; DECFLOAT specials as strings. */
    DOUBLE("double");

    private final String text;

    DecimalMode(String text) {
        this.text = text;
    }

    /** As users write it. */
    @Override
    public String text() {
        return text;
    }
}
