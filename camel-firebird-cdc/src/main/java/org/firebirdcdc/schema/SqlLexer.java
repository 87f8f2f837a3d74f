package org.firebirdcdc.schema;

import java.util.ArrayList;
import java.util.List;

/**
 * Cuts a SQL text into tokens as Firebird does: comments are left out, words without quotes become upper case (ASCII
 * letters only, as on the server).
 */
final class SqlLexer {

    private final String sql;
    private final boolean quotesMeanNames;
    private final List<SqlToken> tokens = new ArrayList<>();
    private int at;

    private SqlLexer(String sql, boolean quotesMeanNames) {
        this.sql = sql;
        this.quotesMeanNames = quotesMeanNames;
    }

    /**
     * @param dialect SQL dialect; in dialect 1 double quotes enclose strings
     * @throws IllegalArgumentException if a comment, name or string has no end
     */
    static List<SqlToken> tokens(String sql, int dialect) {
        SqlLexer lexer = new SqlLexer(sql, dialect != 1);
        lexer.run();
        return List.copyOf(lexer.tokens);
    }

    private void run() {
        while (at < sql.length()) {
            char c = sql.charAt(at);
            if (Character.isWhitespace(c)) {
                at++;
            } else if (sql.startsWith("--", at)) {
                int end = sql.indexOf('\n', at);
                at = end < 0 ? sql.length() : end + 1;
            } else if (sql.startsWith("/*", at)) {
                at = end(sql.indexOf("*/", at + 2), "comment") + 2;
            } else if (c == '\'') {
                add(SqlToken.Kind.STRING, quoted('\''));
            } else if (c == '"') {
                String text = quoted('"');
                add(
                        quotesMeanNames ? SqlToken.Kind.QUOTED : SqlToken.Kind.STRING,
                        quotesMeanNames ? withoutPadding(text) : text);
            } else if ((c == 'q' || c == 'Q') && sql.startsWith("'", at + 1) && at + 2 < sql.length()) {
                add(SqlToken.Kind.STRING, alternative());
            } else if (isLetter(c)) {
                word();
            } else if (isDigit(c)) {
                number();
            } else {
                add(SqlToken.Kind.SYMBOL, String.valueOf(c));
                at++;
            }
        }
    }

    private void add(SqlToken.Kind kind, String text) {
        tokens.add(new SqlToken(kind, text));
    }

    private int end(int found, String what) {
        if (found < 0) {
            throw new IllegalArgumentException("a " + what + " has no end");
        }
        return found;
    }

    private String quoted(char quote) {
        StringBuilder text = new StringBuilder();
        int from = at + 1;
        while (true) {
            int close = end(sql.indexOf(quote, from), "quoted text");
            text.append(sql, from, close);
            if (close + 1 >= sql.length() || sql.charAt(close + 1) != quote) {
                at = close + 1;
                return text.toString();
            }
            text.append(quote);
            from = close + 2;
        }
    }

    /** Blanks at the end are no part of a name: tools quote names as they stand, padded, in system tables. */
    private static String withoutPadding(String name) {
        int end = name.length();
        while (end > 0 && name.charAt(end - 1) == ' ') {
            end--;
        }
        return name.substring(0, end);
    }

    /** {@code q'{...}'}: the character behind the quote tells which one ends the text. */
    private String alternative() {
        char open = sql.charAt(at + 2);
        char close =
                switch (open) {
                    case '(' -> ')';
                    case '[' -> ']';
                    case '{' -> '}';
                    case '<' -> '>';
                    default -> open;
                };
        int from = at + 3;
        int until = end(sql.indexOf(close + "'", from), "string");
        at = until + 2;
        return sql.substring(from, until);
    }

    private void word() {
        int from = at;
        while (at < sql.length() && isNamePart(sql.charAt(at))) {
            at++;
        }
        StringBuilder text = new StringBuilder(at - from);
        for (int i = from; i < at; i++) {
            char c = sql.charAt(i);
            text.append(c >= 'a' && c <= 'z' ? (char) (c - 'a' + 'A') : c);
        }
        add(SqlToken.Kind.WORD, text.toString());
    }

    private void number() {
        int from = at;
        while (at < sql.length() && (isNamePart(sql.charAt(at)) || sql.charAt(at) == '.')) {
            at++;
        }
        add(SqlToken.Kind.NUMBER, sql.substring(from, at));
    }

    private static boolean isNamePart(char c) {
        return isLetter(c) || isDigit(c) || c == '$' || c == '_';
    }

    /** An underscore begins the name of a character set in front of a string; braces are letters to the server. */
    private static boolean isLetter(char c) {
        return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '{' || c == '}';
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }
}
