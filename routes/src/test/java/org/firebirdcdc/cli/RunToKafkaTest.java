package org.firebirdcdc.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerInterceptor;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.firebirdcdc.examples.kafka.EmbeddedKafka;
import org.firebirdcdc.routes.KafkaRecord;
import org.firebirdcdc.routes.SharedKafka;
import org.firebirdcdc.routes.Topics;
import org.firebirdcdc.testing.Corpus;
import org.firebirdcdc.testing.Corpus.Recording;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The shipped conf folder with its settings edited as a user edits them. */
@ExtendWith(SharedKafka.class)
@Timeout(120)
class RunToKafkaTest {

    private static final Recording BASICS = Corpus.recording("fb40/01-basics");

    @TempDir
    Path directory;

    /** A Kafka option whose effect can be seen from outside. */
    public static final class Marker implements ProducerInterceptor<byte[], byte[]> {

        @Override
        public ProducerRecord<byte[], byte[]> onSend(ProducerRecord<byte[], byte[]> record) {
            record.headers().add("marked", "yes".getBytes(StandardCharsets.UTF_8));
            return record;
        }

        @Override
        public void onAcknowledgement(RecordMetadata metadata, Exception exception) {
            // what was sent is read from the topic
        }

        @Override
        public void close() {
            // nothing is open
        }

        @Override
        public void configure(Map<String, ?> options) {
            // there are none
        }
    }

    @Test
    void kafkaIsSetInApplicationProperties(EmbeddedKafka kafka) throws Exception {
        Path conf = directory.resolve("conf");
        Corpus.copy(Path.of("src/main/dist/conf"), conf);
        Path archive = directory.resolve("archive");
        Corpus.copy(BASICS.segments(directory), archive);
        Path settings = conf.resolve("application.properties");
        Files.writeString(
                settings,
                Files.readString(settings)
                                .replaceAll("(?m)^firebird.directory = .*$", "firebird.directory = " + archive)
                                .replaceAll(
                                        "(?m)^(camel.component.firebird-cdc.(database|username|password) = )", "#$1")
                                .replaceAll(
                                        "(?m)^#(camel.component.firebird-cdc.catalogFiles = ).*$",
                                        "$1" + BASICS.folder().resolve("catalog.json"))
                                .replaceAll("(?m)^(camel.component.firebird-cdc.topicPrefix = ).*$", "$1edited")
                                .replaceAll(
                                        "(?m)^(camel.component.kafka.brokers = ).*$", "$1" + kafka.bootstrapServers())
                        + "\ncamel.component.kafka.interceptorClasses = " + Marker.class.getName()
                        + "\ncamel.main.durationMaxIdleSeconds = 5\n");

        CommandRun run = CommandRun.of("run", "--conf", conf.toString());

        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isZero();
        try (Topics topics = new Topics(kafka, "edited")) {
            List<KafkaRecord> records = topics.read();
            assertThat(records).hasSize(8);
            assertThat(records)
                    .allSatisfy(record -> assertThat(record.headers()).containsEntry("marked", "yes"));
        }
    }
}
