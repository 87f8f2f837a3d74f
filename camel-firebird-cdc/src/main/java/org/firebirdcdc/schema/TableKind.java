package org.firebirdcdc.schema;

import java.util.Optional;

/** Kinds of tables that a catalog holds. Rows of temporary tables are never in the journal (segment-format.md 6.2). */
public enum TableKind {
    TABLE(0, "table"),
    /** GLOBAL TEMPORARY … ON COMMIT PRESERVE ROWS. */
    TEMPORARY_PRESERVE(4, "gtt preserve rows"),
    /** GLOBAL TEMPORARY … ON COMMIT DELETE ROWS. */
    TEMPORARY_DELETE(5, "gtt delete rows");

    private final int relationType;
    private final String label;

    TableKind(int relationType, String label) {
        this.relationType = relationType;
        this.label = label;
    }

    /** RDB$RELATIONS.RDB$RELATION_TYPE. */
    int relationType() {
        return relationType;
    }

    /** Name in catalog files. */
    String label() {
        return label;
    }

    static Optional<TableKind> ofRelationType(int relationType) {
        for (TableKind kind : values()) {
            if (kind.relationType == relationType) {
                return Optional.of(kind);
            }
        }
        return Optional.empty();
    }

    static Optional<TableKind> ofLabel(String label) {
        for (TableKind kind : values()) {
            if (kind.label.equals(label)) {
                return Optional.of(kind);
            }
        }
        return Optional.empty();
    }
}
