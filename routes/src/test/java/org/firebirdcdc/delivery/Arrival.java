package org.firebirdcdc.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.awaitility.Awaitility;
import org.firebirdcdc.delivery.TopicReader.TopicRecord;

/** What has arrived in the topic, held against what the journal says. */
final class Arrival {

    private final OrdersJournal journal;
    private final List<TopicRecord> all;
    private final List<TopicRecord> withoutRepeats;

    Arrival(OrdersJournal journal, List<TopicRecord> all) {
        this.journal = journal;
        this.all = all;
        Map<String, TopicRecord> first = new LinkedHashMap<>();
        all.forEach(r -> first.putIfAbsent(r.identity(), r));
        this.withoutRepeats = List.copyOf(first.values());
    }

    /** Waits until every record is there. Their number says nothing, since some may have come again. */
    static void await(OrdersJournal journal, TopicReader topic, RunningJar jar) {
        Awaitility.await().atMost(RunningJar.PATIENCE).untilAsserted(() -> assertThat(
                        new Arrival(journal, topic.all()).withoutRepeats)
                .as(jar.log())
                .hasSameSizeAs(journal.records()));
    }

    /** Every record is there, none that does not belong there, in commit order once repeats are removed. */
    void isComplete() {
        assertThat(withoutRepeats.stream().map(TopicRecord::what).toList()).isEqualTo(journal.records());
    }

    /** A repeat is the same record, not just one of the same name. */
    void repeatsAreEqual() {
        Map<String, TopicRecord> first = new HashMap<>();
        for (TopicRecord next : all) {
            TopicRecord before = first.putIfAbsent(next.identity(), next);
            if (before != null) {
                assertThat(content(next)).isEqualTo(content(before));
            }
        }
    }

    /** Apart from the time at which it was made. */
    private static List<JsonNode> content(TopicRecord next) {
        List<JsonNode> content = new ArrayList<>(List.of(next.key()));
        next.value().ifPresent(v -> content.addAll(List.of(v.get("before"), v.get("after"), v.get("op"))));
        return content;
    }

    /** The topic applied to an empty table, repeats and all, gives the rows of the source. */
    void tableEqualsSource() {
        Map<Long, Map<String, String>> table = new TreeMap<>();
        for (TopicRecord next : all) {
            long id = next.rowId();
            JsonNode after = next.value().map(v -> v.get("after")).orElse(null);
            if (after == null || after.isNull()) {
                table.remove(id);
            } else {
                Map<String, String> row = new TreeMap<>();
                after.properties().forEach(f -> row.put(f.getKey(), f.getValue().asText()));
                table.put(id, row);
            }
        }
        assertThat(table).isEqualTo(journal.rows());
    }

    /** How often a transaction came again, all transactions taken together; call after {@link #isComplete()}. */
    int repeatedTransactions() {
        Map<String, Integer> times = new HashMap<>();
        all.forEach(r -> times.merge(r.identity(), 1, Integer::sum));
        int repeats = 0;
        int at = 0;
        for (List<String> transaction : journal.transactions()) {
            repeats += withoutRepeats.subList(at, at + transaction.size()).stream()
                            .mapToInt(r -> times.get(r.identity()))
                            .max()
                            .orElseThrow()
                    - 1;
            at += transaction.size();
        }
        return repeats;
    }
}
