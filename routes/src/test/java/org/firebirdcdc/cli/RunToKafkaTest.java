package org.firebirdcdc.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
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
        Path conf = conf(
                directory.resolve("archive"),
                "edited",
                kafka.bootstrapServers(),
                "camel.component.kafka.interceptorClasses = " + Marker.class.getName());

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

    /** Only a process has an environment of its own. */
    @Test
    void environmentVariablesGoBeforeTheFileAndBehindTheCommandLine(EmbeddedKafka kafka) throws Exception {
        Path conf = conf(directory.resolve("no-such-archive"), "file", "localhost:1");
        Path archive = directory.resolve("archive");
        Path said = directory.resolve("said");
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        "run",
                        "--conf",
                        conf.toString(),
                        "--property",
                        "camel.component.firebird-cdc.profile=debezium")
                .redirectErrorStream(true)
                .redirectOutput(said.toFile());
        builder.environment().put("FIREBIRD_DIRECTORY", archive.toString());
        builder.environment().put("CAMEL_COMPONENT_FIREBIRD_CDC_TOPIC_PREFIX", "environment");
        builder.environment().put("CAMEL_COMPONENT_FIREBIRD_CDC_PROFILE", "fb-streaming");
        builder.environment().put("CAMEL_COMPONENT_KAFKA_BROKERS", kafka.bootstrapServers());
        Process process = builder.start();
        try {
            assertThat(process.waitFor(100, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }

        assertThat(process.exitValue()).as(Files.readString(said)).isZero();
        try (Topics topics = new Topics(kafka, "environment")) {
            List<KafkaRecord> records = topics.read();
            // with tombstones, which the other profile has not
            assertThat(records).as(Files.readString(said)).hasSize(8);
            assertThat(records).extracting(KafkaRecord::topic).containsOnly("environment.CUSTOMERS");
        }
    }

    private Path conf(Path archive, String topicPrefix, String brokers, String... more) throws IOException {
        Path conf = directory.resolve("conf");
        Corpus.copy(Path.of("src/main/dist/conf"), conf);
        Corpus.copy(BASICS.segments(directory), directory.resolve("archive"));
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
                                .replaceAll("(?m)^(camel.component.firebird-cdc.topicPrefix = ).*$", "$1" + topicPrefix)
                                .replaceAll("(?m)^(camel.component.kafka.brokers = ).*$", "$1" + brokers)
                        + "\ncamel.main.durationMaxIdleSeconds = 5\n" + String.join("\n", more) + "\n");
        return conf;
    }
}
