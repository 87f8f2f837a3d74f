package org.firebirdcdc.testing;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.firebirdcdc.transaction.Operation;

/** Row changes as the recordings' {@code expected.json} tells them: runs of one operation on one table, per transaction. */
public final class ChangeRuns {

    private final Map<Long, List<Run>> transactions = new LinkedHashMap<>();
    private final Map<String, Map<Operation, Long>> counts = new TreeMap<>();

    private record Run(Operation operation, String table, long length) {}

    /** A change; transactions are told apart by number and stand in the order of their first change. */
    public void add(long transaction, Operation operation, String table) {
        add(transaction, operation, table, 1);
        count(table, operation, 1);
    }

    private void add(long transaction, Operation operation, String table, long length) {
        List<Run> runs = transactions.computeIfAbsent(transaction, number -> new ArrayList<>());
        Run last = runs.isEmpty() ? new Run(operation, table, 0) : runs.get(runs.size() - 1);
        if (!runs.isEmpty() && last.operation() == operation && last.table().equals(table)) {
            runs.set(runs.size() - 1, new Run(operation, table, last.length() + length));
        } else {
            runs.add(new Run(operation, table, length));
        }
    }

    private void count(String table, Operation operation, long length) {
        if (length > 0) {
            counts.computeIfAbsent(table, name -> new TreeMap<>()).merge(operation, length, Long::sum);
        }
    }

    /** Changes per table and operation. */
    public Map<String, Map<Operation, Long>> counts() {
        return counts;
    }

    /** One text per transaction, in order: its number and runs. */
    public List<String> transactions() {
        return transactions.entrySet().stream()
                .map(t -> t.getKey() + " " + t.getValue())
                .toList();
    }

    /** What {@code expected.json} says. */
    public record Expected(
            Map<String, Map<Operation, Long>> counts, Optional<List<String>> transactions, int transactionCount) {}

    /** Transactions are absent where the file abbreviates its list. */
    public static Expected expected(JsonNode file) {
        ChangeRuns all = new ChangeRuns();
        file.get("by_table").properties().forEach(table -> {
            for (Operation operation : Operation.values()) {
                all.count(
                        table.getKey(),
                        operation,
                        table.getValue().get(name(operation)).asLong());
            }
        });
        JsonNode transactions = file.get("transactions");
        for (JsonNode transaction : transactions) {
            transaction
                    .path("changes")
                    .forEach(run -> all.add(
                            transaction.get("tra").asLong(),
                            operation(run.get(0).asText()),
                            run.get(1).asText(),
                            run.get(2).asLong()));
        }
        return new Expected(
                all.counts(),
                transactions.isArray() ? Optional.of(all.transactions()) : Optional.empty(),
                file.get("committed_transactions_with_row_changes").asInt());
    }

    private static Operation operation(String name) {
        return switch (name) {
            case "insert" -> Operation.INSERT;
            case "update" -> Operation.UPDATE;
            case "delete" -> Operation.DELETE;
            default -> throw new IllegalArgumentException(name);
        };
    }

    private static String name(Operation operation) {
        return switch (operation) {
            case INSERT -> "insert";
            case UPDATE -> "update";
            case DELETE -> "delete";
        };
    }
}
