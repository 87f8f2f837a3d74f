package org.firebirdcdc.examples.quickstart;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.camel.main.Main;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.firebirdcdc.examples.kafka.EmbeddedKafka;

/**
 * Runs the main job once: a real Kafka broker in this JVM, the bundled segments in a directory, the shipped YAML route
 * unchanged, and a consumer that reads the topics back and compares them with what the recording holds.
 */
public final class QuickStart {

    private static final String PREFIX = "firebird";
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final Path directory;
    private final PrintWriter out;

    QuickStart(Path directory, PrintWriter out) {
        this.directory = directory;
        this.out = out;
    }

    /**
     * @param arguments one: a working directory, emptied first
     */
    public static void main(String[] arguments) throws Exception {
        Path directory = Path.of(arguments.length > 0 ? arguments[0] : "target/quickstart");
        PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        Instant begin = Instant.now();
        boolean right = new QuickStart(directory, out).run();
        out.printf("Total time: %.1f s%n", seconds(Duration.between(begin, Instant.now())));
        System.exit(right ? 0 : 1);
    }

    /** Whether what came back is what the recording holds. */
    boolean run() throws Exception {
        clear(directory);
        Instant begin = Instant.now();
        Recording recording = new Recording();
        Path archive = directory.resolve("archive");
        List<String> segments = recording.archiveTo(archive);
        recording.catalogTo(directory.resolve("catalog.json"));
        try (EmbeddedKafka kafka = EmbeddedKafka.start(directory.resolve("kafka"))) {
            out.printf(
                    "Kafka broker on %s (up after %.1f s)%n",
                    kafka.bootstrapServers(), seconds(Duration.between(begin, Instant.now())));
            out.printf("Segments of a real Firebird in %s: %s%n", archive, String.join(", ", segments));
            Instant routeBegin = Instant.now();
            Main main = route(archive, kafka.bootstrapServers());
            main.start();
            try {
                List<ConsumerRecord<byte[], byte[]>> records = consume(kafka.bootstrapServers(), recording.changes());
                return report(recording, records, Duration.between(routeBegin, Instant.now()));
            } finally {
                main.stop();
            }
        }
    }

    /** The shipped route, as it is in the distribution; only settings are given. */
    private Main route(Path archive, String brokers) {
        Main main = new Main();
        main.setPropertyPlaceholderLocations("false");
        main.addOverrideProperty("firebird.directory", archive.toString());
        main.addOverrideProperty(
                "camel.component.firebird-cdc.catalog-files",
                directory.resolve("catalog.json").toString());
        main.addOverrideProperty("camel.component.firebird-cdc.decimals", "string");
        main.addOverrideProperty("camel.component.firebird-cdc.topic-prefix", PREFIX);
        main.addOverrideProperty("camel.component.kafka.brokers", brokers);
        main.configure().withRoutesIncludePattern("classpath:firebird-cdc/kafka.camel.yaml");
        main.configure().withName("quickstart");
        return main;
    }

    /** Reads until every expected change has come, and then for as long as more keep coming. */
    private static List<ConsumerRecord<byte[], byte[]>> consume(
            String brokers, Map<String, Recording.Changes> expected) {
        Map<String, Object> settings = Map.of(
                ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                brokers,
                ConsumerConfig.GROUP_ID_CONFIG,
                "quickstart-" + UUID.randomUUID(),
                ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                "earliest",
                // topics come into being while we look
                ConsumerConfig.METADATA_MAX_AGE_CONFIG,
                200,
                ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG,
                ByteArrayDeserializer.class,
                ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG,
                ByteArrayDeserializer.class);
        long wanted =
                expected.values().stream().mapToLong(Recording.Changes::total).sum();
        List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(settings)) {
            consumer.subscribe(Pattern.compile(Pattern.quote(PREFIX + ".") + ".*"));
            Instant deadline = Instant.now().plus(PATIENCE);
            boolean more = true;
            while (more && Instant.now().isBefore(deadline)) {
                int before = records.size();
                consumer.poll(Duration.ofMillis(500)).forEach(records::add);
                long changes = records.stream().filter(QuickStart::isChange).count();
                more = changes < wanted || records.size() > before;
            }
        }
        return records;
    }

    /** Neither a tombstone nor the new half of a changed key, which the delete before it stands for. */
    private static boolean isChange(ConsumerRecord<byte[], byte[]> record) {
        return record.value() != null && record.headers().lastHeader("__debezium.oldkey") == null;
    }

    private static String operation(ConsumerRecord<byte[], byte[]> record, JsonNode value) {
        return record.headers().lastHeader("__debezium.newkey") != null
                ? "u"
                : value.get("op").asText();
    }

    private boolean report(Recording recording, List<ConsumerRecord<byte[], byte[]>> records, Duration elapsed)
            throws IOException {
        Map<String, Recording.Changes> found = new TreeMap<>();
        Map<String, ConsumerRecord<byte[], byte[]>> examples = new TreeMap<>();
        Map<String, Long> counts = new TreeMap<>();
        for (ConsumerRecord<byte[], byte[]> record : records) {
            counts.merge(record.topic(), 1L, Long::sum);
            if (isChange(record)) {
                JsonNode value = MAPPER.readTree(record.value());
                String operation = operation(record, value);
                found.merge(
                        value.get("source").get("table").asText(),
                        new Recording.Changes(
                                operation.equals("c") ? 1 : 0,
                                operation.equals("u") ? 1 : 0,
                                operation.equals("d") ? 1 : 0),
                        QuickStart::sum);
                examples.putIfAbsent(record.topic(), record);
            }
        }
        out.printf("%nTopics, and the first record of each (without most of its \"source\"):%n");
        for (Map.Entry<String, Long> topic : counts.entrySet()) {
            ConsumerRecord<byte[], byte[]> example = examples.get(topic.getKey());
            JsonNode value = MAPPER.readTree(example.value());
            out.printf("%n%s: %d records%n", topic.getKey(), topic.getValue());
            out.printf("  key    %s%n", text(example.key()));
            out.printf("  op     %s%n", value.get("op").asText());
            out.printf("  before %s%n", value.get("before"));
            out.printf("  after  %s%n", value.get("after"));
            JsonNode source = value.get("source");
            out.printf(
                    "  source transaction %d, segment %d, offset %d%n",
                    source.get("txId").asLong(),
                    source.get("segment").asLong(),
                    source.get("pos").asLong());
        }
        long changes =
                found.values().stream().mapToLong(Recording.Changes::total).sum();
        out.printf(
                "%n%d committed transactions, %d row changes, %d records in %d topics; %.1f s from the start of the route to the"
                        + " last record read back%n",
                recording.transactions(), changes, records.size(), counts.size(), seconds(elapsed));
        boolean right = found.equals(recording.changes());
        if (right) {
            out.println("What came back is what the recording holds.");
        } else {
            out.println("This is NOT what the recording holds.");
            out.println("  expected " + recording.changes());
            out.println("  found    " + found);
        }
        return right;
    }

    private static double seconds(Duration time) {
        return time.toMillis() / 1000.0;
    }

    private static Recording.Changes sum(Recording.Changes one, Recording.Changes other) {
        return new Recording.Changes(
                one.inserts() + other.inserts(), one.updates() + other.updates(), one.deletes() + other.deletes());
    }

    private static String text(byte[] bytes) {
        return bytes == null ? "null" : new String(bytes, StandardCharsets.UTF_8);
    }

    private static void clear(Path directory) throws IOException {
        if (Files.exists(directory)) {
            try (Stream<Path> all = Files.walk(directory)) {
                for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(path);
                }
            }
        }
        Files.createDirectories(directory);
    }
}
