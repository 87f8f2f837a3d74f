package org.firebirdcdc.differential;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Random DML and PSQL on some tables: changes, loops, errors with and without handlers, autonomous transactions. */
final class RandomStatements {

    private static final int MODULUS = Integer.MAX_VALUE;

    /** Independent random numbers of a block: of one row, different columns use different ones. */
    private static final int[] MULTIPLIERS = {16807, 48271, 69621, 39373};

    /** More changes than one block can make. */
    private static final int NUMBERS_PER_BLOCK = 20_000;

    private static final int DEEPEST = 3;
    private static final Pattern RANDOM_NUMBER = Pattern.compile(":R\\b");
    private static final Pattern UNUSED_NUMBER = Pattern.compile(":N\\b");

    private final Random random;
    private final List<RandomTable> tables;
    private long unused = 1;
    private int cursors;

    RandomStatements(Random random, List<RandomTable> tables) {
        this.random = random;
        this.tables = tables;
    }

    // ------------------------------------------------------------------------------------------------ one change

    /** A statement of its own. */
    String statement() {
        return withNumbers(change());
    }

    /** An insert whose values for some columns are given as parameters: the columns are told. */
    String insertWithParameters(RandomTable table, List<RandomColumn> parameters) {
        String columns = names(table.stored());
        String values = table.stored().stream()
                .map(c -> parameters.contains(c) ? "?" : withNumbers(c.value()))
                .collect(Collectors.joining(", "));
        unused++;
        return "insert into " + table.quotedName() + " (" + columns + ") values (" + values + ")";
    }

    RandomTable table() {
        return tables.get(random.nextInt(tables.size()));
    }

    private String withNumbers(String sql) {
        String text = RANDOM_NUMBER.matcher(sql).replaceAll(m -> Integer.toString(1 + random.nextInt(MODULUS - 1)));
        return UNUSED_NUMBER.matcher(text).replaceAll(Long.toString(unused++));
    }

    private String change() {
        RandomTable table = table();
        String name = table.quotedName();
        int kind = random.nextInt(100);
        if (kind < 40) {
            return insert(table);
        }
        if (kind < 44) {
            // breaks the key, or makes rows that cannot be told apart
            String columns = names(table.copied());
            return "insert into " + name + " (" + columns + ") select " + columns + " from " + name + where(4);
        }
        if (kind < 72) {
            return "update " + name + " set " + assignments(table) + where(4);
        }
        if (kind < 80 && !table.key().isEmpty()) {
            RandomColumn column = table.key().get(random.nextInt(table.key().size()));
            return "update " + name + " set " + column.quotedName() + " = " + column.value() + where(1);
        }
        if (kind < 84) {
            return "merge into " + name + " using RDB$DATABASE on \"P\" = " + partition()
                    + " when matched then update set "
                    + assignments(table) + " when not matched then insert (" + names(table.stored()) + ") values ("
                    + values(table) + ")";
        }
        if (kind < 86) {
            return "delete from " + name + " where \"P\" = " + partition();
        }
        if (kind < 88) {
            // breaks NOT NULL after other rows were changed
            return "update " + name + " set \"P\" = case when \"P\" < 20 then null else \"P\" end" + where(6);
        }
        return "delete from " + name + where(3);
    }

    private String insert(RandomTable table) {
        return "insert into " + table.quotedName() + " (" + names(table.stored()) + ") values (" + values(table) + ")";
    }

    private static String names(List<RandomColumn> columns) {
        return columns.stream().map(RandomColumn::quotedName).collect(Collectors.joining(", "));
    }

    private static String values(RandomTable table) {
        return table.stored().stream().map(RandomColumn::value).collect(Collectors.joining(", "));
    }

    private String assignments(RandomTable table) {
        List<RandomColumn> free = new ArrayList<>(table.copied());
        free.removeAll(table.key());
        Collections.shuffle(free, random);
        return free.subList(0, Math.min(free.size(), 1 + random.nextInt(3))).stream()
                .map(c -> c.quotedName() + " = " + c.value())
                .collect(Collectors.joining(", "));
    }

    private String where(int mostRows) {
        return " where \"P\" >= " + partition() + " rows " + (1 + random.nextInt(mostRows));
    }

    private String partition() {
        return "mod(:R, " + RandomTable.PARTITIONS + ")";
    }

    // ------------------------------------------------------------------------------------------------ PSQL

    /** Anything that PSQL can do, nested. */
    String block() {
        return block(body(1));
    }

    /** Many rows at once. */
    String manyRows() {
        return block(loop(1, 1 + random.nextInt(400), inBlock(insert(table()))));
    }

    /** Many transactions within one, some of which fail in whole or in part. */
    String manyTransactions() {
        return block(loop(1, 10 + random.nextInt(200), autonomous(1)));
    }

    private String block(String body) {
        StringBuilder sql = new StringBuilder("execute block as");
        for (int i = 0; i < MULTIPLIERS.length; i++) {
            sql.append(" declare R")
                    .append(i)
                    .append(" bigint = ")
                    .append(1 + random.nextInt(MODULUS - 1))
                    .append(';');
        }
        for (int depth = 1; depth <= DEEPEST + 1; depth++) {
            sql.append(" declare I").append(depth).append(" integer;");
        }
        sql.append(" declare N bigint = ").append(unused).append("; declare Z integer = 0; begin ");
        unused += NUMBERS_PER_BLOCK;
        return sql.append(body).append(" end").toString();
    }

    private String body(int depth) {
        StringBuilder sql = new StringBuilder();
        for (int i = 1 + random.nextInt(4); i > 0; i--) {
            sql.append(part(depth)).append(' ');
        }
        return sql.toString();
    }

    private String part(int depth) {
        int kind = random.nextInt(100);
        if (depth > DEEPEST || kind < 50) {
            return inBlock(change());
        }
        if (kind < 68) {
            return loop(depth, 1 + random.nextInt(depth == 1 ? 25 : 4), body(depth + 1));
        }
        if (kind < 84) {
            String handler = random.nextInt(4) == 0 ? "" : " when any do begin " + body(depth + 1) + "end";
            return "begin " + body(depth + 1) + fault() + body(depth + 1) + handler + " end";
        }
        if (kind < 87) {
            return fault();
        }
        if (kind < 93) {
            return autonomous(depth);
        }
        RandomTable table = table();
        String cursor = "CUR" + cursors++;
        return "for select \"P\" from " + table.quotedName() + " where \"P\" = " + number(partition(), 0)
                + " rows 5 as cursor "
                + cursor + " do begin " + next() + " update " + table.quotedName() + " set "
                + numbers(assignments(table)) + " where current of " + cursor
                + "; if (mod(R1, 3) = 0) then delete from "
                + table.quotedName() + " where current of " + cursor + "; end";
    }

    /** Fails now and then. */
    private String fault() {
        return "if (mod(R2, " + (2 + random.nextInt(4)) + ") = 0) then Z = 1 / (Z - Z); ";
    }

    private String autonomous(int depth) {
        String within = random.nextBoolean() ? "" : " when any do begin Z = 0; end";
        return "begin in autonomous transaction do begin " + inBlock(change())
                + (random.nextBoolean() ? fault() : "") + (random.nextBoolean() ? inBlock(change()) : "")
                + (depth < 2 && random.nextInt(4) == 0
                        ? "begin " + inBlock(change()) + fault() + "when any do begin " + inBlock(change()) + "end end "
                        : "")
                + within + " end when any do begin Z = 0; end end ";
    }

    private static String loop(int depth, int times, String body) {
        String counter = "I" + depth;
        return counter + " = 0; while (" + counter + " < " + times + ") do begin " + counter + " = " + counter
                + " + 1; " + body + " end ";
    }

    private String inBlock(String change) {
        return next() + numbers(change) + "; ";
    }

    private static String next() {
        StringBuilder sql = new StringBuilder("N = N + 1;");
        for (int i = 0; i < MULTIPLIERS.length; i++) {
            sql.append(" R")
                    .append(i)
                    .append(" = mod(R")
                    .append(i)
                    .append(" * ")
                    .append(MULTIPLIERS[i])
                    .append(", ")
                    .append(MODULUS)
                    .append(");");
        }
        return sql.append(' ').toString();
    }

    private String numbers(String sql) {
        return RANDOM_NUMBER.matcher(sql).replaceAll(m -> ":R" + random.nextInt(MULTIPLIERS.length));
    }

    private static String number(String sql, int which) {
        return RANDOM_NUMBER.matcher(sql).replaceAll(":R" + which);
    }
}
