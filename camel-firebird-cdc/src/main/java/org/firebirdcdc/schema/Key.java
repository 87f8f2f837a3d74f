package org.firebirdcdc.schema;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * A PRIMARY KEY or UNIQUE constraint.
 *
 * @param name    name of the constraint
 * @param columns column names in key order, at least one
 */
public record Key(String name, List<String> columns) {

    public Key {
        Objects.requireNonNull(name, "name");
        columns = List.copyOf(columns);
    }

    /** Columns of unique constraints, then of the unique indices that tell rows apart. */
    static List<List<String>> candidates(List<Key> uniqueKeys, List<Index> indices) {
        return Stream.concat(
                        uniqueKeys.stream().map(Key::columns),
                        indices.stream().filter(Index::distinguishesRows).map(Index::columns))
                .toList();
    }

    /**
     * Columns that identify a row (see {@link Table#key}).
     *
     * @param uniqueKeys by name
     * @param indices    by name
     * @param allNotNull whether none of some columns can be NULL
     * @return empty if there is no such key
     */
    static List<String> choose(
            Optional<Key> primaryKey, List<Key> uniqueKeys, List<Index> indices, Predicate<List<String>> allNotNull) {
        return primaryKey
                .map(Key::columns)
                .or(() -> candidates(uniqueKeys, indices).stream()
                        .filter(allNotNull)
                        .findFirst())
                .orElse(List.of());
    }
}
