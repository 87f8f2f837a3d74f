package org.firebirdcdc.schema;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads of a DDL statement what matters for the images and names of tables. What is not understood is said to be so, and
 * never an error: the catalog decides then.
 */
final class DdlParser {

    private static final Ddl UNRELATED = new Ddl.Unrelated();

    private final List<SqlToken> tokens;
    private int at;

    private DdlParser(List<SqlToken> tokens) {
        this.tokens = tokens;
    }

    /** The text cannot be read on. */
    private static final class NotUnderstood extends Exception {
        private static final long serialVersionUID = 1L;

        NotUnderstood() {
            super("not understood", null, false, false);
        }
    }

    /**
     * @param sql     one statement
     * @param dialect SQL dialect of the database
     * @return what it does, in the order in which it happens
     */
    static List<Ddl> parse(String sql, int dialect) {
        List<SqlToken> tokens;
        try {
            tokens = SqlLexer.tokens(sql, dialect);
        } catch (IllegalArgumentException e) {
            return List.of(UNRELATED);
        }
        return new DdlParser(tokens).statement();
    }

    private List<Ddl> statement() {
        try {
            if (takeWord("CREATE")) {
                return create(false);
            }
            if (takeWord("RECREATE")) {
                return create(true);
            }
            if (takeWord("DROP")) {
                return List.of(drop());
            }
            if (takeWord("ALTER")) {
                return List.of(alter());
            }
        } catch (NotUnderstood e) {
            return List.of(UNRELATED);
        }
        return List.of(UNRELATED);
    }

    // ------------------------------------------------------------------ CREATE

    private List<Ddl> create(boolean replaces) throws NotUnderstood {
        if (takeWord("SCHEMA")) {
            takeIfNotExists();
            return List.of(new Ddl.CreateSchema(name(), replaces));
        }
        int start = at;
        if (takeWord("GLOBAL") || takeWord("LOCAL")) {
            takeWord("TEMPORARY");
        }
        if (takeWord("TABLE")) {
            boolean conditional = takeIfNotExists();
            return List.of(createTable(objectName(), replaces, conditional));
        }
        at = start;
        boolean unique = takeWord("UNIQUE");
        boolean descending = takeWord("DESC") || takeWord("DESCENDING");
        if (!descending && !takeWord("ASC")) {
            takeWord("ASCENDING");
        }
        return List.of(takeWord("INDEX") ? createIndex(unique, descending) : UNRELATED);
    }

    private Ddl createTable(SqlName table, boolean replaces, boolean conditional) {
        List<SqlToken> rest = tokens.subList(at, tokens.size());
        boolean fills = fills(rest);
        Optional<List<Ddl.ColumnText>> columns = Optional.empty();
        List<Ddl.KeyText> keys = new ArrayList<>();
        try {
            if (takeWord("EXTERNAL")) {
                takeWord("FILE");
                next();
            }
            if (!asks(rest)) {
                List<Ddl.ColumnText> read = new ArrayList<>();
                for (List<SqlToken> element : elements(parenthesized())) {
                    new DdlParser(element).tableElement(read, keys);
                }
                columns = Optional.of(List.copyOf(read));
            }
        } catch (NotUnderstood e) {
            columns = Optional.empty();
            keys.clear();
        }
        return new Ddl.CreateTable(table, replaces, conditional, columns, List.copyOf(keys), fills);
    }

    /** CREATE TABLE ... AS SELECT, with a query in parentheses or not. */
    private static boolean asks(List<SqlToken> rest) {
        int depth = 0;
        for (SqlToken token : rest) {
            depth = depth(depth, token);
            if (depth == 0 && token.isWord("AS")) {
                return true;
            }
        }
        return false;
    }

    private static boolean fills(List<SqlToken> rest) {
        int last = rest.size() - 1;
        if (last >= 0 && rest.get(last).isSymbol(';')) {
            last--;
        }
        boolean withoutRows = last >= 2
                && rest.get(last).isWord("DATA")
                && rest.get(last - 1).isWord("NO")
                && rest.get(last - 2).isWord("WITH");
        return asks(rest) && !withoutRows;
    }

    private void tableElement(List<Ddl.ColumnText> columns, List<Ddl.KeyText> keys) throws NotUnderstood {
        if (startsConstraint()) {
            constraint().ifPresent(keys::add);
        } else {
            columns.add(column(keys));
        }
    }

    private boolean startsConstraint() {
        return peekWord(0, "CONSTRAINT")
                || peekWord(0, "PRIMARY") && peekWord(1, "KEY")
                || peekWord(0, "FOREIGN") && peekWord(1, "KEY")
                || peekWord(0, "UNIQUE")
                || peekWord(0, "CHECK");
    }

    /** A constraint of the table; empty if it is no key. */
    private Optional<Ddl.KeyText> constraint() throws NotUnderstood {
        Optional<String> name = Optional.empty();
        if (takeWord("CONSTRAINT")) {
            takeIfNotExists();
            name = Optional.of(name());
        }
        boolean primary = takeWord("PRIMARY");
        if (primary) {
            takeWord("KEY");
        } else if (!takeWord("UNIQUE")) {
            return Optional.empty();
        }
        List<String> columns = new ArrayList<>();
        for (List<SqlToken> element : elements(parenthesized())) {
            columns.add(new DdlParser(element).name());
        }
        return Optional.of(new Ddl.KeyText(name, primary, List.copyOf(columns)));
    }

    /** A column with what stands beside it up to the end. */
    private Ddl.ColumnText column(List<Ddl.KeyText> keys) throws NotUnderstood {
        String name = name();
        boolean computedAtOnce =
                peekWord(0, "COMPUTED") || peekWord(0, "GENERATED") && peekWord(1, "ALWAYS") && peekWord(2, "AS");
        Optional<String> type = computedAtOnce ? Optional.empty() : Optional.of(typeName());
        boolean notNull = false;
        boolean computed = false;
        boolean keyed = false;
        Optional<String> constraintName = Optional.empty();
        while (at < tokens.size()) {
            if (peek(0).isSymbol('(')) {
                parenthesized();
            } else if (peekWord(0, "SET") && (peekWord(1, "DEFAULT") || peekWord(1, "NULL"))) {
                // what a foreign key does
                at += 2;
            } else if (takeWord("COMPUTED")) {
                computed = true;
            } else if (takeWord("GENERATED")) {
                // GENERATED ALWAYS AS (expression), or an identity column, which is NOT NULL
                boolean always = takeWord("ALWAYS");
                if (!always) {
                    takeWord("BY");
                    takeWord("DEFAULT");
                }
                takeWord("AS");
                if (takeWord("IDENTITY")) {
                    notNull = true;
                } else {
                    computed = true;
                }
            } else if (takeWord("DEFAULT")) {
                // what follows may be NULL
                next();
            } else if (takeWord("NOT")) {
                notNull |= takeWord("NULL");
                constraintName = Optional.empty();
            } else if (takeWord("CHECK")) {
                constraintName = Optional.empty();
            } else if (takeWord("CONSTRAINT")) {
                constraintName = Optional.of(name());
            } else if (peekWord(0, "PRIMARY") && peekWord(1, "KEY")) {
                at += 2;
                keys.add(new Ddl.KeyText(constraintName, true, List.of(name)));
                constraintName = Optional.empty();
                keyed = true;
                notNull = true;
            } else if (takeWord("UNIQUE")) {
                keys.add(new Ddl.KeyText(constraintName, false, List.of(name)));
                constraintName = Optional.empty();
                keyed = true;
            } else if (takeWord("REFERENCES")) {
                constraintName = Optional.empty();
                keyed = true;
            } else {
                at++;
            }
        }
        return new Ddl.ColumnText(name, type, notNull, computed, keyed);
    }

    /** First name of a type; the schema of a domain is left out. */
    private String typeName() throws NotUnderstood {
        return objectName().name();
    }

    private Ddl createIndex(boolean unique, boolean descending) throws NotUnderstood {
        boolean conditional = takeIfNotExists();
        SqlName index = objectName();
        expectWord("ON");
        SqlName table = objectName();
        boolean expression = takeWord("COMPUTED");
        if (expression) {
            takeWord("BY");
        }
        List<String> columns = new ArrayList<>();
        List<SqlToken> inside = parenthesized();
        if (!expression) {
            for (List<SqlToken> element : elements(inside)) {
                columns.add(new DdlParser(element).name());
            }
        }
        boolean active = !takeWord("INACTIVE");
        boolean partial = takeWord("WHERE");
        return new Ddl.CreateIndex(
                new SqlName(table.schema(), table.name()),
                conditional,
                new Index(
                        index.name(),
                        unique,
                        active,
                        descending,
                        columns,
                        expression ? Optional.of("") : Optional.empty(),
                        partial ? Optional.of("") : Optional.empty()));
    }

    // ------------------------------------------------------------------ DROP

    private Ddl drop() throws NotUnderstood {
        if (takeWord("TABLE")) {
            boolean conditional = takeIfExists();
            return new Ddl.DropTable(objectName(), conditional);
        }
        if (takeWord("INDEX")) {
            takeIfExists();
            return new Ddl.DropIndex(objectName());
        }
        if (takeWord("SCHEMA")) {
            takeIfExists();
            return new Ddl.DropSchema(name());
        }
        return UNRELATED;
    }

    // ------------------------------------------------------------------ ALTER

    private Ddl alter() throws NotUnderstood {
        if (takeWord("TABLE")) {
            SqlName table = objectName();
            List<Ddl.Clause> clauses = new ArrayList<>();
            for (List<SqlToken> element : elements(tokens.subList(at, tokens.size()))) {
                clauses.addAll(clauses(element));
            }
            return new Ddl.AlterTable(table, List.copyOf(clauses));
        }
        if (takeWord("DOMAIN")) {
            return alterDomain(objectName());
        }
        if (takeWord("INDEX")) {
            SqlName index = objectName();
            if (takeWord("ACTIVE")) {
                return new Ddl.AlterIndex(index, true);
            }
            return takeWord("INACTIVE") ? new Ddl.AlterIndex(index, false) : UNRELATED;
        }
        return UNRELATED;
    }

    private static List<Ddl.Clause> clauses(List<SqlToken> element) {
        try {
            DdlParser parser = new DdlParser(element);
            return parser.takeWord("ADD") ? parser.add() : List.of(parser.clause());
        } catch (NotUnderstood e) {
            return List.of(new Ddl.UnknownClause());
        }
    }

    private Ddl.Clause clause() throws NotUnderstood {
        boolean security = peekWord(1, "SQL") && peekWord(2, "SECURITY");
        if (security && (peekWord(0, "ALTER") || peekWord(0, "DROP") || peekWord(0, "SET"))
                || (peekWord(0, "ENABLE") || peekWord(0, "DISABLE")) && peekWord(1, "PUBLICATION")) {
            return new Ddl.NoEffect();
        }
        if (takeWord("DROP")) {
            if (takeWord("CONSTRAINT")) {
                takeIfExists();
                return new Ddl.DropConstraint(name());
            }
            takeWord("COLUMN");
            boolean conditional = takeIfExists();
            return new Ddl.DropColumn(name(), conditional);
        }
        if (takeWord("ALTER")) {
            takeWord("COLUMN");
            return alterColumn(name());
        }
        return new Ddl.UnknownClause();
    }

    /** A column, and the keys that stand beside it. */
    private List<Ddl.Clause> add() throws NotUnderstood {
        if (startsConstraint()) {
            boolean named = peekWord(0, "CONSTRAINT");
            boolean conditional = named && peekWord(1, "IF") && peekWord(2, "NOT") && peekWord(3, "EXISTS");
            Ddl.Unless unless = conditional ? Ddl.Unless.CONSTRAINT : Ddl.Unless.NOTHING;
            return List.of(constraint()
                    .<Ddl.Clause>map(key -> new Ddl.AddKey(key, unless))
                    .orElseGet(Ddl.NoEffect::new));
        }
        takeWord("COLUMN");
        boolean conditional = takeIfNotExists();
        List<Ddl.KeyText> keys = new ArrayList<>();
        List<Ddl.Clause> clauses = new ArrayList<>();
        clauses.add(new Ddl.AddColumn(column(keys), conditional));
        Ddl.Unless unless = conditional ? Ddl.Unless.COLUMN : Ddl.Unless.NOTHING;
        keys.forEach(key -> clauses.add(new Ddl.AddKey(key, unless)));
        return clauses;
    }

    private Ddl.Clause alterColumn(String column) throws NotUnderstood {
        if (takeWord("TO")) {
            return new Ddl.RenameColumn(column, name());
        }
        if (takeWord("POSITION")) {
            return new Ddl.MoveColumn(column, number());
        }
        if (takeWord("TYPE")) {
            return new Ddl.RetypeColumn(column, Optional.of(typeName()));
        }
        if (peekWord(0, "COMPUTED") || peekWord(0, "GENERATED") && peekWord(1, "ALWAYS") && peekWord(2, "AS")) {
            return new Ddl.RetypeColumn(column, Optional.empty());
        }
        if (peekWord(0, "SET") && peekWord(1, "NOT")) {
            return new Ddl.SetNullable(column, false);
        }
        if (peekWord(0, "DROP") && peekWord(1, "NOT")) {
            return new Ddl.SetNullable(column, true);
        }
        boolean harmless = peekWord(0, "RESTART")
                || (peekWord(0, "SET") || peekWord(0, "DROP"))
                        && (peekWord(1, "DEFAULT")
                                || peekWord(1, "IDENTITY")
                                || peekWord(1, "GENERATED")
                                || peekWord(1, "INCREMENT"));
        return harmless ? new Ddl.NoEffect() : new Ddl.UnknownClause();
    }

    private Ddl alterDomain(SqlName domain) throws NotUnderstood {
        Optional<String> type = Optional.empty();
        Optional<Boolean> nullable = Optional.empty();
        Optional<String> renamedTo = Optional.empty();
        while (at < tokens.size()) {
            if (peek(0).isSymbol('(')) {
                parenthesized();
            } else if (takeWord("TYPE")) {
                type = Optional.of(next().text());
            } else if (takeWord("TO")) {
                renamedTo = Optional.of(name());
            } else if (peekWord(0, "SET") && peekWord(1, "NOT")) {
                nullable = Optional.of(false);
                at += 2;
            } else if (peekWord(0, "DROP") && peekWord(1, "NOT")) {
                nullable = Optional.of(true);
                at += 2;
            } else {
                at++;
            }
        }
        return new Ddl.AlterDomain(domain, type, nullable, renamedTo);
    }

    // ------------------------------------------------------------------ tokens

    private static final SqlToken END = new SqlToken(SqlToken.Kind.SYMBOL, "\0");

    private SqlToken peek(int ahead) {
        return at + ahead < tokens.size() ? tokens.get(at + ahead) : END;
    }

    private boolean peekWord(int ahead, String word) {
        return peek(ahead).isWord(word);
    }

    private boolean takeWord(String word) {
        boolean found = peekWord(0, word);
        if (found) {
            at++;
        }
        return found;
    }

    private void expectWord(String word) throws NotUnderstood {
        if (!takeWord(word)) {
            throw new NotUnderstood();
        }
    }

    private SqlToken next() throws NotUnderstood {
        if (at >= tokens.size()) {
            throw new NotUnderstood();
        }
        return tokens.get(at++);
    }

    private boolean takeIfNotExists() {
        boolean found = peekWord(0, "IF") && peekWord(1, "NOT") && peekWord(2, "EXISTS");
        at += found ? 3 : 0;
        return found;
    }

    private boolean takeIfExists() {
        boolean found = peekWord(0, "IF") && peekWord(1, "EXISTS");
        at += found ? 2 : 0;
        return found;
    }

    private String name() throws NotUnderstood {
        SqlToken token = next();
        if (!token.isName()) {
            throw new NotUnderstood();
        }
        return token.text();
    }

    private int number() throws NotUnderstood {
        SqlToken token = next();
        if (token.kind() != SqlToken.Kind.NUMBER) {
            throw new NotUnderstood();
        }
        try {
            return Integer.parseInt(token.text());
        } catch (NumberFormatException e) {
            throw new NotUnderstood();
        }
    }

    /** {@code NAME} or {@code SCHEMA.NAME}. */
    private SqlName objectName() throws NotUnderstood {
        String first = name();
        if (!peek(0).isSymbol('.')) {
            return SqlName.of(first);
        }
        at++;
        return new SqlName(Optional.of(first), name());
    }

    /** What stands between the parenthesis here and its partner. */
    private List<SqlToken> parenthesized() throws NotUnderstood {
        if (!next().isSymbol('(')) {
            throw new NotUnderstood();
        }
        int from = at;
        int depth = 1;
        while (depth > 0) {
            depth = depth(depth, next());
        }
        return tokens.subList(from, at - 1);
    }

    /** Bounds of arrays stand in brackets. */
    private static int depth(int depth, SqlToken token) {
        if (token.isSymbol('(') || token.isSymbol('[')) {
            return depth + 1;
        }
        return token.isSymbol(')') || token.isSymbol(']') ? depth - 1 : depth;
    }

    /** Parts between the commas that stand outside parentheses and brackets; a semicolon at the end does not count. */
    private static List<List<SqlToken>> elements(List<SqlToken> all) {
        List<List<SqlToken>> parts = new ArrayList<>();
        int from = 0;
        int depth = 0;
        int size = !all.isEmpty() && all.get(all.size() - 1).isSymbol(';') ? all.size() - 1 : all.size();
        for (int i = 0; i < size; i++) {
            depth = depth(depth, all.get(i));
            if (depth == 0 && all.get(i).isSymbol(',')) {
                parts.add(all.subList(from, i));
                from = i + 1;
            }
        }
        parts.add(all.subList(from, size));
        return parts;
    }
}
