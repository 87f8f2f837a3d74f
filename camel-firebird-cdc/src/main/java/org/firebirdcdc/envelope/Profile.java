package org.firebirdcdc.envelope;

/** A set of default values of all knobs (formats.md 1); every knob can be set alone as well. */
public enum Profile implements Choice {
    /** As Debezium 3.6 connectors write through the JSON converter of Kafka Connect. */
    DEBEZIUM("debezium"),
    /** As kafka_cdc_plugin of fb_streaming writes. */
    FB_STREAMING("fb-streaming");

    private final String text;

    Profile(String text) {
        this.text = text;
    }

    /** As users write it. */
    @Override
    public String text() {
        return text;
    }
}
