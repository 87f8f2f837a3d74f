package org.firebirdcdc.journal;

/** Bytes that no Firebird server writes: a damaged or foreign file. Names the place, what is wrong and what to do. */
public final class JournalFormatException extends JournalException {

    private static final long serialVersionUID = 1L;

    private static final String ADVICE =
            "The file is damaged: compare it with the original on the database server and copy it again; "
                    + "nothing after this position has been delivered.";

    private final String file;
    private final JournalPosition position;

    /**
     * @param file     name of the segment file
     * @param position where the first wrong byte belongs
     * @param problem  what was expected and what was found, one sentence without a full stop
     */
    public JournalFormatException(String file, JournalPosition position, String problem) {
        super(
                "segment " + position.segment() + ", offset " + position.offset() + " (" + file + "): " + problem + ". "
                        + ADVICE,
                null);
        this.file = file;
        this.position = position;
    }

    public String file() {
        return file;
    }

    public JournalPosition position() {
        return position;
    }
}
