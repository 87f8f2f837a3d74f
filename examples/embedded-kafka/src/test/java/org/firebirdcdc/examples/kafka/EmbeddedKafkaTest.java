package org.firebirdcdc.examples.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class EmbeddedKafkaTest {

    private static final String TOPIC = "shop.CUSTOMER";

    @TempDir
    Path directory;

    @Test
    void keepsAddressAndRecordsOverRestarts() throws Exception {
        try (EmbeddedKafka kafka = EmbeddedKafka.start(directory)) {
            String address = kafka.bootstrapServers();
            send(kafka, "first");
            assertThat(read(kafka, 1)).containsExactly("first");

            kafka.stop();
            kafka.start();

            assertThat(kafka.bootstrapServers()).isEqualTo(address);
            assertThat(read(kafka, 1)).containsExactly("first");
            send(kafka, "second");
            assertThat(read(kafka, 2)).containsExactly("first", "second");
        }
    }

    @Test
    void servesTheDataOfAnEarlierBroker() throws Exception {
        try (EmbeddedKafka kafka = EmbeddedKafka.start(directory)) {
            send(kafka, "first");
        }
        try (EmbeddedKafka kafka = EmbeddedKafka.start(directory)) {
            assertThat(read(kafka, 1)).containsExactly("first");
        }
    }

    @Test
    void takesBrokerOptions() throws Exception {
        try (EmbeddedKafka kafka = EmbeddedKafka.start(directory, Map.of("message.max.bytes", "1000"))) {
            send(kafka, "small");
            String large = "abcdefghij".repeat(1000);
            // compression would make it small
            assertThatThrownBy(() -> send(kafka, "none", large))
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(RecordTooLargeException.class);
        }
    }

    @Test
    void refusesOptionsThatItSetsItself() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EmbeddedKafka.start(directory, Map.of("listeners", "PLAINTEXT://:9092")))
                .withMessageContaining("listeners");
    }

    private static void send(EmbeddedKafka kafka, String value) throws Exception {
        send(kafka, "lz4", value);
    }

    private static void send(EmbeddedKafka kafka, String compression, String value) throws Exception {
        Map<String, Object> settings =
                Map.of("bootstrap.servers", kafka.bootstrapServers(), "compression.type", compression);
        try (var producer = new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
            producer.send(new ProducerRecord<>(TOPIC, "key", value)).get(60, TimeUnit.SECONDS);
        }
    }

    private static List<String> read(EmbeddedKafka kafka, int count) {
        Map<String, Object> settings =
                Map.of("bootstrap.servers", kafka.bootstrapServers(), "auto.offset.reset", "earliest");
        try (var consumer = new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
            TopicPartition partition = new TopicPartition(TOPIC, 0);
            consumer.assign(List.of(partition));
            List<String> values = new ArrayList<>();
            while (values.size() < count) {
                for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofSeconds(1))) {
                    values.add(record.value());
                }
            }
            return values;
        }
    }
}
