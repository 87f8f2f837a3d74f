package org.firebirdcdc.delivery;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.quota.ClientQuotaAlteration;
import org.apache.kafka.common.quota.ClientQuotaEntity;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Makes a topic of one partition, and reads it from its beginning, over and over. */
final class TopicReader implements AutoCloseable {

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String LARGEST_RECORD = "max.message.bytes";

    private final String topic;
    private final TopicPartition partition;
    private final Admin admin;
    private final KafkaConsumer<byte[], byte[]> consumer;

    TopicReader(String brokers, String topic) {
        this.topic = topic;
        this.partition = new TopicPartition(topic, 0);
        this.admin = Admin.create(Map.of("bootstrap.servers", brokers));
        get(admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1)))::all);
        this.consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", brokers), new ByteArrayDeserializer(), new ByteArrayDeserializer());
        consumer.assign(List.of(partition));
    }

    /**
     * A record of the topic.
     *
     * @param id    identity of the event
     * @param key   as JSON
     * @param value as JSON; empty for a tombstone
     */
    record TopicRecord(String id, JsonNode key, Optional<JsonNode> value) {

        /** {@code c 17}: the operation, {@code t} for a tombstone, and the key. */
        String what() {
            return value.map(v -> v.get("op").asText()).orElse("t") + " " + rowId();
        }

        long rowId() {
            return key.get("ID").asLong();
        }

        /** Two records of one event differ in this. */
        String identity() {
            return id + (value.isPresent() ? "" : " tombstone");
        }
    }

    /** The broker takes no larger record from now on. */
    void setLargestRecord(int bytes) {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        Collection<AlterConfigOp> change = List.of(
                new AlterConfigOp(new ConfigEntry(LARGEST_RECORD, Integer.toString(bytes)), AlterConfigOp.OpType.SET));
        get(admin.incrementalAlterConfigs(Map.of(resource, change))::all);
    }

    /** The broker takes no more bytes in a second from now on, whoever sends them. */
    void limitTraffic(double bytesPerSecond) {
        setTraffic(Optional.of(bytesPerSecond));
    }

    void unlimitTraffic() {
        setTraffic(Optional.empty());
    }

    private void setTraffic(Optional<Double> bytesPerSecond) {
        Map<String, String> everybody = new HashMap<>();
        everybody.put(ClientQuotaEntity.CLIENT_ID, null);
        ClientQuotaAlteration change = new ClientQuotaAlteration(
                new ClientQuotaEntity(everybody),
                List.of(new ClientQuotaAlteration.Op("producer_byte_rate", bytesPerSecond.orElse(null))));
        get(admin.alterClientQuotas(List.of(change))::all);
    }

    private interface Answer {
        KafkaFuture<Void> future();
    }

    private static void get(Answer answer) {
        try {
            answer.future().get();
        } catch (ExecutionException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** How many records there are. */
    long size() {
        return consumer.endOffsets(List.of(partition)).get(partition);
    }

    /** Everything that is there now. */
    List<TopicRecord> all() {
        List<TopicRecord> records = new ArrayList<>();
        forEach(records::add);
        return records;
    }

    /** The same where it is much. */
    void forEach(Consumer<TopicRecord> action) {
        long end = size();
        consumer.seekToBeginning(List.of(partition));
        while (consumer.position(partition) < end) {
            consumer.poll(Duration.ofMillis(500)).forEach(r -> action.accept(read(r)));
        }
    }

    private static TopicRecord read(ConsumerRecord<byte[], byte[]> read) {
        try {
            return new TopicRecord(
                    new String(read.headers().lastHeader("firebird.cdc.id").value(), StandardCharsets.UTF_8),
                    MAPPER.readTree(read.key()),
                    read.value() == null ? Optional.empty() : Optional.of(MAPPER.readTree(read.value())));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        consumer.close();
        admin.close();
    }
}
