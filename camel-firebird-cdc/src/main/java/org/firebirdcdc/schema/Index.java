package org.firebirdcdc.schema;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * An index of a table, those of constraints included.
 *
 * @param name       name of the index
 * @param unique     whether values are unique
 * @param active     whether the server maintains it
 * @param descending whether it is sorted downwards
 * @param columns    column names in index order; empty for an expression index
 * @param expression source of the expression it is computed by
 * @param condition  source of the condition of a partial index (Firebird 5 and later)
 */
public record Index(
        String name,
        boolean unique,
        boolean active,
        boolean descending,
        List<String> columns,
        Optional<String> expression,
        Optional<String> condition) {

    public Index {
        Objects.requireNonNull(name, "name");
        columns = List.copyOf(columns);
        Objects.requireNonNull(expression, "expression");
        Objects.requireNonNull(condition, "condition");
    }

    /** Whether any two rows of the table differ in its columns, apart from NULL. */
    boolean distinguishesRows() {
        return unique && active && expression.isEmpty() && condition.isEmpty() && !columns.isEmpty();
    }
}
