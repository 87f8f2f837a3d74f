package org.firebirdcdc.routes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.firebirdcdc.examples.kafka.EmbeddedKafka;
import org.firebirdcdc.testing.ChangeRuns;
import org.firebirdcdc.testing.Corpus;
import org.firebirdcdc.testing.Corpus.Recording;
import org.firebirdcdc.transaction.Operation;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The routes of the distribution, unchanged, from recorded segments into a real broker. */
@ExtendWith(SharedKafka.class)
class ShippedRoutesTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "fb40/01-basics",
                "fb40/02-types",
                "fb40/03-charsets",
                "fb40/04-blobs",
                "fb40/05-savepoints",
                "fb40/08-triggers-keys",
                "fb40/09-keys",
                "fb40/14-filters",
                "fb50/02-types",
                "fb60/01-schemas"
            })
    void bothGiveTheSameDataRecords(String name, EmbeddedKafka kafka) throws IOException {
        Recording recording = Corpus.recording(name);
        String prefix = name.replace('/', '-');
        Path segments = recording.segments(directory);
        List<KafkaRecord> bulk = run(RouteRun.BULK, recording, segments, kafka, prefix + "-bulk");
        List<KafkaRecord> split = run(RouteRun.SPLIT, recording, segments, kafka, prefix + "-split");

        Set<String> keyUpdates = bulk.stream()
                .filter(record -> record.headers().containsKey("__debezium.newkey"))
                .map(KafkaRecord::id)
                .collect(Collectors.toSet());
        assertThat(split.stream().filter(record -> !keyUpdates.contains(record.id())))
                .containsExactlyElementsOf(bulk.stream()
                        .filter(record -> !record.isTombstone() && !record.isPartOfKeyUpdate())
                        .toList());
        assertThat(split.stream().filter(record -> keyUpdates.contains(record.id())))
                .hasSameSizeAs(keyUpdates)
                .allSatisfy(update -> assertThat(update.operation()).isEqualTo(Operation.UPDATE));

        ChangeRuns.Expected expected = ChangeRuns.expected(recording.expected());
        assertThat(counts(bulk)).isEqualTo(expected.counts());
        assertThat(counts(split)).isEqualTo(expected.counts());
        assertThat(tombstones(bulk)).isEqualTo(deletesWithKey(bulk));
        assertThat(idsByTopic(split))
                .isEqualTo(RecordedChanges.byTopic("", RecordedChanges.transactions(recording, segments)));
    }

    @ParameterizedTest
    @CsvSource({"fb40/01-basics, sequences", "fb40/14-filters, ''"})
    void bothGiveTheSameRecordsOfStatementsAndSequences(String name, String topic, EmbeddedKafka kafka)
            throws IOException {
        Recording recording = Corpus.recording(name);
        String prefix = "more-" + name.replace('/', '-');
        Path segments = recording.segments(directory);
        Map<String, String> more = Map.of(
                "camel.component.firebird-cdc.include-ddl", "true",
                "camel.component.firebird-cdc.include-sequences", "true");
        List<KafkaRecord> bulk = run(RouteRun.BULK, recording, segments, kafka, prefix + "-bulk", more);
        List<KafkaRecord> split = run(RouteRun.SPLIT, recording, segments, kafka, prefix + "-split", more);

        assertThat(split)
                .containsExactlyElementsOf(
                        bulk.stream().filter(record -> !record.isTombstone()).toList());
        assertThat(split).extracting(KafkaRecord::topic).contains(topic);
    }

    private List<KafkaRecord> run(
            Path route, Recording recording, Path segments, EmbeddedKafka kafka, String topicPrefix)
            throws IOException {
        return run(route, recording, segments, kafka, topicPrefix, Map.of());
    }

    private List<KafkaRecord> run(
            Path route,
            Recording recording,
            Path segments,
            EmbeddedKafka kafka,
            String topicPrefix,
            Map<String, String> more)
            throws IOException {
        Map<String, String> settings = RouteRun.settings(recording, segments, kafka, topicPrefix);
        settings.put(
                "camel.component.firebird-cdc.checkpoint-directory",
                Files.createDirectory(directory.resolve(topicPrefix)).toString());
        settings.putAll(more);
        String end = (lastSegment(segments) + 1) + ":0";
        try (RouteRun run = RouteRun.start(route, settings);
                Topics topics = new Topics(kafka, topicPrefix)) {
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(run.consumer().getPosition())
                            .as(() -> run.health().getMessage().orElse(""))
                            .isEqualTo(end));
            return topics.read().stream()
                    .map(record -> comparable(record, topicPrefix))
                    .toList();
        }
    }

    private static long lastSegment(Path segments) throws IOException {
        try (Stream<Path> files = Files.list(segments)) {
            return files.map(file -> file.getFileName().toString())
                    .mapToLong(name -> Long.parseLong(name.substring(name.length() - 9)))
                    .max()
                    .orElseThrow();
        }
    }

    /** Without what differs from route to route. */
    private static KafkaRecord comparable(KafkaRecord record, String prefix) {
        return new KafkaRecord(
                        record.topic().substring(prefix.length()).replaceFirst("^\\.", ""),
                        record.key(),
                        record.value().map(value -> value.replace("\"name\":\"" + prefix + "\"", "\"name\":\"\"")),
                        record.headers())
                .withoutTimes();
    }

    /** Row changes by table; an update of a key counts once. */
    private static Map<String, Map<Operation, Long>> counts(List<KafkaRecord> records) {
        ChangeRuns runs = new ChangeRuns();
        for (KafkaRecord record : records) {
            if (!record.isTombstone() && !record.headers().containsKey("__debezium.oldkey")) {
                boolean keyUpdate = record.headers().containsKey("__debezium.newkey");
                runs.add(0, keyUpdate ? Operation.UPDATE : record.operation(), record.table());
            }
        }
        return runs.counts();
    }

    private static List<String> tombstones(List<KafkaRecord> records) {
        return keys(records.stream().filter(KafkaRecord::isTombstone));
    }

    private static List<String> deletesWithKey(List<KafkaRecord> records) {
        return keys(records.stream()
                .filter(record -> record.key().isPresent() && !record.isTombstone())
                .filter(record -> record.operation() == Operation.DELETE));
    }

    private static List<String> keys(Stream<KafkaRecord> records) {
        return records.map(record -> record.topic() + " " + record.key().orElse("none"))
                .toList();
    }

    private static Map<String, List<String>> idsByTopic(List<KafkaRecord> records) {
        Map<String, List<String>> ids = new TreeMap<>();
        records.forEach(record ->
                ids.computeIfAbsent(record.topic(), t -> new ArrayList<>()).add(record.id()));
        return ids;
    }
}
