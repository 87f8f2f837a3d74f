package org.firebirdcdc.benchmark;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.camel.main.Main;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;
import org.firebirdcdc.camel.FirebirdCdcConsumer;
import org.firebirdcdc.capture.CaptureSettings;
import org.firebirdcdc.capture.Delivery;
import org.firebirdcdc.capture.EventSettings;
import org.firebirdcdc.capture.JournalCapture;
import org.firebirdcdc.envelope.EnvelopeOptions;
import org.firebirdcdc.envelope.JsonEventEncoder;
import org.firebirdcdc.examples.kafka.EmbeddedKafka;
import org.firebirdcdc.journal.SegmentDirectory;
import org.firebirdcdc.journal.SegmentStatus;
import org.firebirdcdc.journal.SegmentSummary;
import org.firebirdcdc.record.RecordDecoding;
import org.firebirdcdc.schema.DdlTables;
import org.firebirdcdc.schema.SchemaHistory;
import org.firebirdcdc.testing.Corpus;
import org.firebirdcdc.testing.Corpus.Recording;
import org.firebirdcdc.testing.MemoryCheckpointStore;
import org.firebirdcdc.transaction.ChangeEvent;
import org.firebirdcdc.transaction.EncodedRecord;
import org.firebirdcdc.transaction.EventSelection;
import org.firebirdcdc.transaction.JournalEvent;
import org.firebirdcdc.transaction.OnDecodeError;
import org.firebirdcdc.transaction.StatementReader;

/**
 * Measures the stages of the main job on two recordings of a real Firebird, laid out several times behind each other: one
 * huge transaction, and many small ones. Each round runs every stage once, and what is printed are medians and the ratios
 * between them: absolute figures are the machine's, ratios are the product's.
 */
public final class Benchmark {

    static final String PREFIX = "benchmark";

    private static final int ROUNDS = Integer.getInteger("benchmark.rounds", 5);
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final Path directory;
    private final PrintWriter out;
    private int routes;

    private Benchmark(Path directory, PrintWriter out) {
        this.directory = directory;
        this.out = out;
    }

    /** What is measured: segments that lie in a directory, and how many there are of what. */
    private record Journal(Recording recording, Path archive, long bytes, long rows, long transactions) {}

    /** Something that is done once per round and takes time. */
    private interface Stage {
        /** Nanoseconds that count. */
        long run() throws Exception;
    }

    /** What comes at each event. */
    private interface EventSink {
        void accept(JournalEvent event);
    }

    /**
     * @param arguments one: a working directory, emptied first
     */
    public static void main(String[] arguments) throws Exception {
        Path directory = Path.of(arguments[0]);
        if (Files.exists(directory)) {
            try (Stream<Path> all = Files.walk(directory)) {
                for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(path);
                }
            }
        }
        PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        Benchmark benchmark = new Benchmark(Files.createDirectories(directory), out);
        out.printf(
                "Java %s, %d processors, heap %d MB, %d rounds after one that does not count%n",
                Runtime.version(),
                Runtime.getRuntime().availableProcessors(),
                Runtime.getRuntime().maxMemory() >> 20,
                ROUNDS);
        try (EmbeddedKafka kafka = EmbeddedKafka.start(directory.resolve("kafka"))) {
            benchmark.oneTransaction(kafka);
            benchmark.smallTransactions(kafka);
        }
        System.exit(0);
    }

    private void oneTransaction(EmbeddedKafka kafka) throws Exception {
        Journal journal = journal("fb40/12a-bulk-one-transaction", 5);
        JsonEventEncoder encoder = encoder();
        ConnectEncoder connect = new ConnectEncoder();
        checkSame(journal, encoder, connect);
        List<EncodedRecord> records = records(journal, encoder);
        String[] names = {
            "read the files",
            "validate the segments",
            "capture: index, verify every value, walk the events",
            "capture + JSON",
            "capture + Kafka Connect's Struct and JSON converter",
            "Kafka client alone: the same records from memory",
            "shipped route, journal to acknowledged"
        };
        long[] nanos = measure(
                () -> timed(() -> readFiles(journal)),
                () -> timed(() -> validate(journal)),
                () -> timed(() -> capture(journal, event -> {})),
                () -> timed(() -> capture(journal, encoder::records)),
                () -> timed(() -> capture(journal, event -> {
                    connect.key((ChangeEvent) event);
                    connect.value((ChangeEvent) event);
                })),
                () -> timed(() -> produce(kafka, records, journal.rows())),
                () -> route(kafka, journal, 1));
        report(journal, names, nanos);
        ratio("validating, against reading", nanos[1], nanos[0]);
        ratio("JSON, against Kafka Connect's (both without capture)", nanos[3] - nanos[2], nanos[4] - nanos[2]);
        ratio("the route, against the Kafka client alone", nanos[6], nanos[5]);
    }

    private void smallTransactions(EmbeddedKafka kafka) throws Exception {
        Journal journal = journal("fb40/12b-bulk-small-transactions", 1);
        JsonEventEncoder encoder = encoder();
        List<EncodedRecord> records = records(journal, encoder);
        String[] names = {
            "capture + JSON",
            "Kafka client alone: the same records, nobody waits",
            "Kafka client alone: each acknowledged before the next",
            "shipped route, maxInFlight=1",
            "shipped route, maxInFlight=256"
        };
        long[] nanos = measure(
                () -> timed(() -> capture(journal, encoder::records)),
                () -> timed(() -> produce(kafka, records, journal.rows())),
                () -> timed(() -> produceOneByOne(kafka, records)),
                () -> route(kafka, journal, 1),
                () -> route(kafka, journal, 256));
        report(journal, names, nanos);
        ratio("maxInFlight=1, against a client that waits", nanos[3], nanos[2]);
        ratio("maxInFlight=256, against a client that does not", nanos[4], nanos[1]);
    }

    // ------------------------------------------------------------------ stages

    private static void readFiles(Journal journal) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 16);
        for (Path file : files(journal.archive())) {
            try (FileChannel channel = FileChannel.open(file)) {
                while (channel.read(buffer) >= 0) {
                    buffer.clear();
                }
            }
        }
    }

    private static void validate(Journal journal) {
        for (SegmentStatus status : new SegmentDirectory(journal.archive()).scan()) {
            SegmentSummary.of(status.segment().orElseThrow());
        }
    }

    private static void capture(Journal journal, EventSink sink) {
        long rows = 0;
        EventSettings settings = new EventSettings(
                EventSelection.allRows(),
                RecordDecoding.DEFAULT,
                new StatementReader(id -> Optional.empty()),
                encoder(),
                OnDecodeError.FAIL);
        try (JournalCapture capture = new JournalCapture(
                CaptureSettings.of(journal.archive()),
                settings,
                new SchemaHistory(journal.recording().catalogs(), Optional.empty()),
                new MemoryCheckpointStore())) {
            for (Optional<Delivery> next = capture.next(); next.isPresent(); next = capture.next()) {
                for (JournalEvent event : next.get().transaction().orElseThrow()) {
                    sink.accept(event);
                    rows++;
                }
                capture.done(next.get());
            }
        }
        check(rows == journal.rows(), rows + " rows");
    }

    private static void produce(EmbeddedKafka kafka, List<EncodedRecord> records, long count) {
        try (KafkaProducer<byte[], byte[]> producer = producer(kafka)) {
            for (long i = 0; i < count; i++) {
                producer.send(toSend(records.get((int) (i % records.size()))));
            }
            producer.flush();
        }
    }

    private static void produceOneByOne(EmbeddedKafka kafka, List<EncodedRecord> records) throws Exception {
        try (KafkaProducer<byte[], byte[]> producer = producer(kafka)) {
            for (EncodedRecord each : records) {
                producer.send(toSend(each)).get();
            }
        }
    }

    /** The settings of the shipped route. */
    private static KafkaProducer<byte[], byte[]> producer(EmbeddedKafka kafka) {
        return new KafkaProducer<>(
                Map.of(
                        ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, kafka.bootstrapServers(),
                        ProducerConfig.LINGER_MS_CONFIG, 0,
                        ProducerConfig.BATCH_SIZE_CONFIG, 262144,
                        ProducerConfig.COMPRESSION_TYPE_CONFIG, "lz4",
                        ProducerConfig.MAX_REQUEST_SIZE_CONFIG, 10485760),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    private static ProducerRecord<byte[], byte[]> toSend(EncodedRecord each) {
        ProducerRecord<byte[], byte[]> toSend = new ProducerRecord<>(
                each.topic(), each.key().orElse(null), each.value().orElse(null));
        toSend.headers().add(JsonEventEncoder.ID_HEADER, each.id().getBytes(StandardCharsets.UTF_8));
        each.headers().forEach((name, text) -> toSend.headers().add(name, text.getBytes(StandardCharsets.UTF_8)));
        return toSend;
    }

    /** From the start of the route, in a context that runs, until everything is acknowledged. */
    private long route(EmbeddedKafka kafka, Journal journal, int maxInFlight) throws Exception {
        Main main = new Main();
        main.setPropertyPlaceholderLocations("false");
        Map.of(
                        "firebird.directory",
                        journal.archive().toString(),
                        "camel.component.firebird-cdc.catalog-files",
                        journal.recording().folder().resolve("catalog.json").toString(),
                        "camel.component.firebird-cdc.checkpoint-directory",
                        directory.resolve("checkpoint-" + ++routes).toString(),
                        "camel.component.firebird-cdc.topic-prefix",
                        PREFIX,
                        "camel.component.firebird-cdc.decimals",
                        "string",
                        "camel.component.firebird-cdc.max-in-flight",
                        String.valueOf(maxInFlight),
                        "camel.component.kafka.brokers",
                        kafka.bootstrapServers(),
                        "camel.main.auto-startup",
                        "false")
                .forEach(main::addOverrideProperty);
        main.configure().withRoutesIncludePattern("classpath:firebird-cdc/kafka.camel.yaml");
        main.start();
        try {
            long begin = System.nanoTime();
            main.getCamelContext().getRouteController().startAllRoutes();
            FirebirdCdcConsumer consumer = (FirebirdCdcConsumer)
                    main.getCamelContext().getRoutes().get(0).getConsumer();
            Awaitility.await()
                    .atMost(PATIENCE)
                    .pollInterval(Duration.ofMillis(5))
                    .until(() -> consumer.getDeliveredTransactions() == journal.transactions());
            long end = System.nanoTime();
            check(consumer.getDeliveredEvents() == journal.rows(), consumer.getDeliveredEvents() + " rows");
            return end - begin;
        } finally {
            main.stop();
        }
    }

    // ------------------------------------------------------------------ input

    /** The segments of a recording, several times behind each other under running numbers. */
    private Journal journal(String name, int copies) throws IOException {
        Recording recording = Corpus.recording(name);
        List<Path> segments = files(recording.segments(directory.resolve(name + " unpacked")));
        Path archive = Files.createDirectories(directory.resolve(name));
        long number = 0;
        long bytes = 0;
        for (int copy = 0; copy < copies; copy++) {
            for (Path segment : segments) {
                byte[] content = Files.readAllBytes(segment);
                number++;
                // the header's sequence (segment-format.md 1.3)
                ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN).putLong(32, number);
                Files.write(archive.resolve("benchmark.fdb.journal-%09d".formatted(number)), content);
                bytes += content.length;
            }
        }
        JsonNode expected = recording.expected();
        return new Journal(
                recording,
                archive,
                bytes,
                copies * expected.get("row_changes").asLong(),
                copies * expected.get("committed_transactions_with_row_changes").asLong());
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList();
        }
    }

    private static JsonEventEncoder encoder() {
        return new JsonEventEncoder(
                EnvelopeOptions.defaults().with("decimals", "string").with("topicPrefix", PREFIX),
                "",
                Clock.systemUTC(),
                "1",
                DdlTables.NONE);
    }

    /** The records of the first copy. */
    private static List<EncodedRecord> records(Journal journal, JsonEventEncoder encoder) {
        int most = 200_000;
        List<EncodedRecord> records = new ArrayList<>(most);
        capture(journal, event -> {
            if (records.size() < most) {
                records.addAll(encoder.records(event));
            }
        });
        return records;
    }

    /** Two encoders are compared only if they do the same work. */
    private void checkSame(Journal journal, JsonEventEncoder encoder, ConnectEncoder connect) {
        ObjectMapper mapper = new ObjectMapper();
        capture(journal, event -> {
            if (((ChangeEvent) event).order() <= 1000) {
                try {
                    ObjectNode ours = (ObjectNode) mapper.readTree(encoder.value(event));
                    ObjectNode theirs = (ObjectNode) mapper.readTree(connect.value((ChangeEvent) event));
                    // the time of encoding
                    List.of("ts_ms", "ts_us", "ts_ns").forEach(name -> theirs.set(name, ours.get(name)));
                    check(ours.toString().equals(theirs.toString()), ours + " is not " + theirs);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        });
    }

    // ------------------------------------------------------------------ measuring

    private interface Work {
        void run() throws Exception;
    }

    private static long timed(Work work) throws Exception {
        long begin = System.nanoTime();
        work.run();
        return System.nanoTime() - begin;
    }

    /** Median nanoseconds of each stage. */
    private static long[] measure(Stage... stages) throws Exception {
        long[][] nanos = new long[stages.length][ROUNDS];
        for (int round = -1; round < ROUNDS; round++) {
            for (int stage = 0; stage < stages.length; stage++) {
                System.gc();
                long time = stages[stage].run();
                if (round >= 0) {
                    nanos[stage][round] = time;
                }
            }
        }
        return Arrays.stream(nanos)
                .mapToLong(times -> Arrays.stream(times).sorted().toArray()[times.length / 2])
                .toArray();
    }

    private void report(Journal journal, String[] names, long[] nanos) {
        out.printf(
                "%n%s: %d MB of journal, %d transactions, %d rows%n",
                journal.recording().name(), journal.bytes() >> 20, journal.transactions(), journal.rows());
        for (int i = 0; i < names.length; i++) {
            out.printf(
                    "  %-56s %8.0f ms %8.0f MB/s %10.0f rows/s%n",
                    names[i],
                    nanos[i] / 1e6,
                    journal.bytes() / (nanos[i] / 1e9) / 1e6,
                    journal.rows() / (nanos[i] / 1e9));
        }
    }

    private void ratio(String what, long nanos, long base) {
        out.printf("  time of %s: %.2f times%n", what, (double) nanos / base);
    }

    private static void check(boolean right, String what) {
        if (!right) {
            throw new IllegalStateException("not what the recording holds: " + what);
        }
    }
}
