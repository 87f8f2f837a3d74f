package org.firebirdcdc.envelope;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.firebirdcdc.journal.ObjectName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Names of topics (formats.md 2.5), valid for Kafka whatever tables are called. Two tables whose names become the same
 * topic are reported once; their events are still told apart by the source block.
 */
final class TopicNames {

    private static final Logger LOG = LoggerFactory.getLogger(TopicNames.class);

    /** Longest name that Kafka accepts. */
    private static final int MAX_LENGTH = 249;

    private final String prefix;
    private final TopicPattern pattern;
    private final String transactions;
    private final Map<String, String> ownerOfTopic = new ConcurrentHashMap<>();

    TopicNames(EnvelopeOptions options) {
        this.prefix = options.topicPrefix();
        this.pattern = options.topicPattern();
        this.transactions = sanitized(options.transactionTopic().resolve(prefix));
        ownerOfTopic.put(transactions, "the transaction records");
        ownerOfTopic.put(sequences(), "the sequence values");
        ownerOfTopic.put(schemaChanges(), "the DDL statements");
        ownerOfTopic.put(raw(), "the undecodable records");
    }

    /** BEGIN and END records. */
    String transactions() {
        return transactions;
    }

    /** Values of sequences. */
    String sequences() {
        return sanitized(prefix + ".sequences");
    }

    /** DDL statements. */
    String schemaChanges() {
        return sanitized(prefix);
    }

    /** Records that could not be decoded: kept away from the consumers of the table's own topic. */
    String raw() {
        return sanitized(prefix + ".raw");
    }

    /** Topic of a table's row changes. */
    String of(ObjectName table) {
        String wanted = pattern.resolve(prefix, table);
        String topic = sanitized(wanted);
        if (pattern.namesTable()) {
            String name = "table " + table;
            String owner = ownerOfTopic.putIfAbsent(topic, name);
            if (owner == null) {
                if (!topic.equals(wanted)) {
                    LOG.warn("\"{}\" is not a valid topic name: {} goes to topic {}", wanted, name, topic);
                }
            } else if (!owner.equals(name) && ownerOfTopic.putIfAbsent(topic + " " + name, name) == null) {
                LOG.warn(
                        "{} shares topic {} with {}: their names differ only in characters that a topic cannot have, or "
                                + "the topicPattern leaves out what tells them apart; give a topicPattern or a "
                                + "topicPrefix that does, or tell their events apart by source.table",
                        name,
                        topic,
                        owner);
            }
        }
        return topic;
    }

    private static String sanitized(String wanted) {
        StringBuilder topic = new StringBuilder(Math.min(wanted.length(), MAX_LENGTH));
        for (int i = 0; i < wanted.length() && i < MAX_LENGTH; i++) {
            char c = wanted.charAt(i);
            topic.append(isValid(c) ? c : '_');
        }
        String name = topic.toString();
        return name.equals(".") || name.equals("..") ? name.replace('.', '_') : name;
    }

    private static boolean isValid(char c) {
        return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '.' || c == '_' || c == '-';
    }
}
