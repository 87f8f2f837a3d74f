package org.firebirdcdc.schema;

import java.util.List;
import java.util.Optional;

/** What a DDL statement does, as far as it matters for the images and names of tables. */
sealed interface Ddl {

    /** Nothing that matters here. */
    record Unrelated() implements Ddl {}

    /**
     * CREATE or RECREATE TABLE.
     *
     * @param replaces    RECREATE
     * @param conditional IF NOT EXISTS: may have done nothing
     * @param columns     columns in order; empty if the text does not tell them
     * @param constraints keys that the text tells, those of columns included
     * @param fills       AS SELECT: rows were put in that the journal does not hold (segment-format.md 6.2)
     */
    record CreateTable(
            SqlName table,
            boolean replaces,
            boolean conditional,
            Optional<List<ColumnText>> columns,
            List<KeyText> constraints,
            boolean fills)
            implements Ddl {}

    record DropTable(SqlName table, boolean conditional) implements Ddl {}

    record AlterTable(SqlName table, List<Clause> clauses) implements Ddl {}

    /**
     * @param type      first name of its new type; empty if it keeps its type
     * @param nullable   what becomes of NOT NULL; empty if nothing
     * @param renamedTo  new name
     */
    record AlterDomain(SqlName domain, Optional<String> type, Optional<Boolean> nullable, Optional<String> renamedTo)
            implements Ddl {

        /** Whether the layout of tables may change. */
        boolean retypes() {
            return type.isPresent();
        }
    }

    /**
     * @param index columns empty for an expression
     */
    record CreateIndex(SqlName table, boolean conditional, Index index) implements Ddl {}

    record DropIndex(SqlName index) implements Ddl {}

    record AlterIndex(SqlName index, boolean active) implements Ddl {}

    record CreateSchema(String schema, boolean replaces) implements Ddl {}

    record DropSchema(String schema) implements Ddl {}

    /**
     * A column of a CREATE TABLE or ADD.
     *
     * @param type     first name of its type: a type or a domain
     * @param notNull  whether the text says so
     * @param computed whether it has an expression instead of values
     * @param keyed    whether PRIMARY KEY, UNIQUE or REFERENCES stands beside it (segment-format.md 8.4)
     */
    record ColumnText(String name, Optional<String> type, boolean notNull, boolean computed, boolean keyed) {}

    /**
     * A PRIMARY KEY or UNIQUE constraint.
     *
     * @param name empty if the server chose one
     */
    record KeyText(Optional<String> name, boolean primary, List<String> columns) {}

    /** Part of an ALTER TABLE. */
    sealed interface Clause {}

    record AddColumn(ColumnText column, boolean conditional) implements Clause {}

    record DropColumn(String column, boolean conditional) implements Clause {}

    record RenameColumn(String from, String to) implements Clause {}

    /** POSITION, from 1. */
    record MoveColumn(String column, int position) implements Clause {}

    /** TYPE or another expression: the layout may change. */
    record RetypeColumn(String column, Optional<String> type) implements Clause {}

    record SetNullable(String column, boolean nullable) implements Clause {}

    /** @param unless what makes it do nothing */
    record AddKey(KeyText key, Unless unless) implements Clause {}

    /** What there may have been already: the statement does nothing then. */
    enum Unless {
        NOTHING,
        /** ADD CONSTRAINT IF NOT EXISTS: a constraint of the name. */
        CONSTRAINT,
        /** ADD COLUMN IF NOT EXISTS: the column beside which the key stands. */
        COLUMN
    }

    record DropConstraint(String name) implements Clause {}

    /** Neither layout nor names nor keys change. */
    record NoEffect() implements Clause {}

    /** Not understood: anything may have happened. */
    record UnknownClause() implements Clause {}
}
