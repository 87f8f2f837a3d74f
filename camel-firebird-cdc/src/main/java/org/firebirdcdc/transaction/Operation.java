package org.firebirdcdc.transaction;

import java.util.EnumSet;
import java.util.Set;

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

    /**
     * The option {@code operations}: codes with commas between them, {@code c,u,d}.
     *
     * @throws IllegalArgumentException on anything else
     */
    public static Set<Operation> parse(String codes) {
        Set<Operation> operations = EnumSet.noneOf(Operation.class);
        for (String code : codes.split(",", -1)) {
            operations.add(ofCode(codes, code.trim()));
        }
        return operations;
    }

    private static Operation ofCode(String codes, String code) {
        for (Operation operation : values()) {
            if (operation.code.equals(code)) {
                return operation;
            }
        }
        throw new IllegalArgumentException(
                "operations=" + codes + " is not understood: give c, u and d with commas between them");
    }
}
