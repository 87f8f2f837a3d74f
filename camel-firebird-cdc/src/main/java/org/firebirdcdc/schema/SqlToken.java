package org.firebirdcdc.schema;

/**
 * One token of a SQL text.
 *
 * @param kind what it is
 * @param text words in upper case, quoted names and strings without quotes and with doubled quotes undone, symbols as they
 *             are
 */
record SqlToken(Kind kind, String text) {

    enum Kind {
        /** A keyword or a name without quotes. */
        WORD,
        /** A name in quotes. */
        QUOTED,
        STRING,
        NUMBER,
        SYMBOL
    }

    boolean isWord(String word) {
        return kind == Kind.WORD && text.equals(word);
    }

    boolean isSymbol(char symbol) {
        return kind == Kind.SYMBOL && text.charAt(0) == symbol;
    }

    boolean isName() {
        return kind == Kind.WORD || kind == Kind.QUOTED;
    }
}
