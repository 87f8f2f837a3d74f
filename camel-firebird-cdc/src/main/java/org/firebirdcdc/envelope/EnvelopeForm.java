package org.firebirdcdc.envelope;

/** Fields and schemas around the row: envelope, source block, transaction block and records (formats.md 2.6). */
public enum EnvelopeForm implements Choice {
    /** Debezium's fields; schemas carry versions, transaction ids are strings. */
    DEBEZIUM("debezium"),
    /** kafka_cdc_plugin's fields; schemas carry no versions, transaction ids are numbers. */
    FB_STREAMING("fb-streaming");

    private final String text;

    EnvelopeForm(String text) {
        this.text = text;
    }

    /** As users write it. */
    @Override
    public String text() {
        return text;
    }
}
