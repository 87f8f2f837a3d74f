package org.firebirdcdc.journal;

import java.io.IOException;
import java.nio.file.Path;

/** A segment file or directory could not be read now; the same read may succeed later. */
public final class JournalReadException extends JournalException {

    private static final long serialVersionUID = 1L;

    public JournalReadException(Path path, String problem, IOException cause) {
        super(path + ": " + problem, cause);
    }
}
