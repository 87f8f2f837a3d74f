package org.firebirdcdc.envelope;

/** Records of an update that changes the key (formats.md 1). */
public enum KeyUpdate implements Choice {
    /** A delete of the old key, its tombstone, and a create of the new key. */
    SPLIT("split"),
    /** One update under the new key. */
    SINGLE("single");

    private final String text;

    KeyUpdate(String text) {
        this.text = text;
    }

    /** As users write it. */
    @Override
    public String text() {
        return text;
    }
}
