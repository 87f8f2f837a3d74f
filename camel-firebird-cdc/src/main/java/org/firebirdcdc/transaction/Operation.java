package org.firebirdcdc.transaction;

/** What happened to a row. */
public enum Operation {
    INSERT("c"),
    UPDATE("u"),
    DELETE("d");

    private final String code;

    Operation(String code) {
        this.code = code;
    }

    /** Debezium's code: c, u or d. */
    public String code() {
        return code;
    }
}
