package org.firebirdcdc.transaction;

import java.util.Map;
import java.util.Optional;

/**
 * A record ready for Kafka or another carrier of key and value.
 *
 * @param topic   where it goes
 * @param key     key bytes; empty for no key
 * @param value   value bytes; empty for a tombstone
 * @param id      identity of the record; {@code /1}, {@code /2} behind the event's for further records of one event
 * @param headers further headers, name to text
 */
public record EncodedRecord(
        String topic, Optional<byte[]> key, Optional<byte[]> value, String id, Map<String, String> headers) {}
