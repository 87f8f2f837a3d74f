package org.firebirdcdc.record;

import java.util.Optional;
import org.firebirdcdc.journal.JournalException;
import org.firebirdcdc.journal.JournalPosition;
import org.firebirdcdc.journal.ObjectName;

/**
 * A record image or one of its values cannot be decoded. The message names the place, the table, the column, what is wrong
 * and what to do; it holds no value.
 */
public final class RecordDecodeException extends JournalException {

    private static final long serialVersionUID = 1L;

    private final transient RecordContext context;
    private final transient ObjectName table;
    private final String column;
    private final String problem;

    /**
     * @param column  empty if the image as a whole is meant
     * @param problem what is wrong, one sentence without a full stop
     * @param advice  what to do, without a full stop
     */
    public RecordDecodeException(
            RecordContext context, ObjectName table, Optional<String> column, String problem, String advice) {
        super(
                "segment " + context.position().segment() + ", offset "
                        + context.position().offset() + " (" + context.file() + "): table " + table
                        + column.map(name -> ", column " + name).orElse("") + ": " + problem + ". " + advice + ".",
                null);
        this.context = context;
        this.table = table;
        this.column = column.orElse("");
        this.problem = problem;
    }

    /** The operation that holds the record. */
    public JournalPosition position() {
        return context.position();
    }

    /** Name of the segment file. */
    public String file() {
        return context.file();
    }

    public ObjectName table() {
        return table;
    }

    /** Empty if the image as a whole is meant. */
    public Optional<String> column() {
        return column.isEmpty() ? Optional.empty() : Optional.of(column);
    }

    /** What is wrong, without place and advice. */
    public String problem() {
        return problem;
    }
}
