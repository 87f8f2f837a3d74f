package org.firebirdcdc.journal;

/** What an operation of a block does (segment-format.md 3). */
public enum OperationType {
    START_TRANSACTION(1),
    PREPARE_TRANSACTION(2),
    COMMIT_TRANSACTION(3),
    ROLLBACK_TRANSACTION(4),
    CLEANUP_TRANSACTION(5),
    START_SAVEPOINT(6),
    RELEASE_SAVEPOINT(7),
    ROLLBACK_SAVEPOINT(8),
    INSERT_RECORD(9),
    UPDATE_RECORD(10),
    DELETE_RECORD(11),
    STORE_BLOB(12),
    EXECUTE_SQL(13),
    SET_SEQUENCE(14),
    EXECUTE_SQL_INTL(15),
    DEFINE_ATOM(16);

    /** Types by code; index 0 is unused, no operation has that code. */
    private static final OperationType[] BY_CODE = new OperationType[17];

    static {
        for (OperationType type : values()) {
            BY_CODE[type.code] = type;
        }
    }

    private final int code;

    OperationType(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }

    /** Whether {@link #ofCode(int)} knows the code. */
    static boolean isKnown(int code) {
        return code >= 1 && code < BY_CODE.length;
    }

    static OperationType ofCode(int code) {
        return BY_CODE[code];
    }
}
