package org.firebirdcdc.routes;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.firebirdcdc.examples.kafka.EmbeddedKafka;

/** The topics of one prefix, read back. */
public final class Topics implements AutoCloseable {

    private final String prefix;
    private final KafkaConsumer<byte[], byte[]> consumer;

    /**
     * @param prefix what stands before the first dot of the topics' names; also the name of the topic for statements
     */
    public Topics(EmbeddedKafka kafka, String prefix) {
        this.prefix = prefix;
        this.consumer = new KafkaConsumer<>(
                Map.of(
                        ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                        kafka.bootstrapServers(),
                        ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG,
                        false),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
    }

    /** Everything that is there now: topics by name, records of one topic in their order. */
    public List<KafkaRecord> read() {
        List<TopicPartition> partitions = consumer.listTopics().entrySet().stream()
                .filter(topic -> topic.getKey().equals(prefix) || topic.getKey().startsWith(prefix + "."))
                .flatMap(topic -> topic.getValue().stream())
                .map((PartitionInfo info) -> new TopicPartition(info.topic(), info.partition()))
                .toList();
        List<KafkaRecord> records = new ArrayList<>();
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
        Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
        while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(100))) {
                records.add(KafkaRecord.of(record));
            }
        }
        records.sort(Comparator.comparing(KafkaRecord::topic));
        return records;
    }

    @Override
    public void close() {
        consumer.close();
    }
}
