package org.firebirdcdc.capture;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.firebirdcdc.journal.JournalFiles;
import org.firebirdcdc.journal.JournalReadException;
import org.firebirdcdc.journal.SegmentFile;

/** The files of segments that were met, by number; asked by routes too, hence thread-safe. */
final class SegmentFiles implements JournalFiles {

    private final Path directory;
    private final Map<Long, SegmentFile> files = new ConcurrentHashMap<>();

    SegmentFiles(Path directory) {
        this.directory = directory;
    }

    void put(SegmentFile file) {
        files.put(file.sequence(), file);
    }

    void remove(long sequence) {
        files.remove(sequence);
    }

    @Override
    public SegmentFile segment(long sequence) {
        SegmentFile file = files.get(sequence);
        if (file == null) {
            IOException cause = new NoSuchFileException("segment " + sequence);
            throw new JournalReadException(
                    directory,
                    "segment " + sequence + " is needed again but is not there any more; bring it back from a backup of"
                            + " the archive directory",
                    cause);
        }
        return file;
    }
}
