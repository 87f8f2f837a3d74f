package org.firebirdcdc.envelope;

/** How OCTETS columns and binary blobs go out (formats.md 2.5). */
public enum BinaryMode implements Choice {
    /** Base64; the schema says bytes. */
    BYTES("bytes"),
    /** Base64; the schema says string. */
    BASE64("base64"),
    /** Base64 with {@code -} and {@code _}, padded; the schema says string. */
    BASE64_URL_SAFE("base64-url-safe"),
    /** Two lower-case hexadecimal digits a byte; the schema says string. */
    HEX("hex");

    private final String text;

    BinaryMode(String text) {
        this.text = text;
    }

    /** As users write it. */
    @Override
    public String text() {
        return text;
    }
}
