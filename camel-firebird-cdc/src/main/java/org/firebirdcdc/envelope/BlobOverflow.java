package org.firebirdcdc.envelope;

/** What becomes of a content that is longer than {@code blobInlineLimit}. */
public enum BlobOverflow implements Choice {
    /** An error that names the column and its length. */
    FAIL("fail"),
    /** The beginning, at most the limit; text ends at a character border. Arrays: as {@link #PLACEHOLDER}. */
    TRUNCATE("truncate"),
    /** The value of {@code unavailableValue}. */
    PLACEHOLDER("placeholder");

    private final String text;

    BlobOverflow(String text) {
        this.text = text;
    }

    /** As users write it. */
    @Override
    public String text() {
        return text;
    }
}
