package org.firebirdcdc.journal;

import java.io.Closeable;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;

/**
 * Readers for second passes, kept for a while with their windows: small transactions that lie side by side are read from
 * one window, without opening the file or reading a byte again. Thread-safe; a reader that was taken belongs to its taker.
 */
public final class SegmentReaders implements Closeable {

    private static final int MAX_IDLE = 4;

    /** Most recently used first. */
    private final Deque<SegmentReader> idle = new ArrayDeque<>();

    /** A reader at no particular block; to be given back or closed. */
    public SegmentReader take(SegmentFile file) {
        synchronized (idle) {
            for (Iterator<SegmentReader> readers = idle.iterator(); readers.hasNext(); ) {
                SegmentReader reader = readers.next();
                if (reader.file().equals(file)) {
                    readers.remove();
                    return reader;
                }
            }
        }
        return SegmentReader.open(file);
    }

    /** Keeps the reader for the next taker. */
    public void giveBack(SegmentReader reader) {
        SegmentReader oldest;
        synchronized (idle) {
            idle.addFirst(reader);
            if (idle.size() <= MAX_IDLE) {
                return;
            }
            oldest = idle.removeLast();
        }
        oldest.close();
    }

    /** Closes what is idle; the next taker gets a new one. So no file stays open while nothing is to be done. */
    @Override
    public void close() {
        synchronized (idle) {
            idle.forEach(SegmentReader::close);
            idle.clear();
        }
    }
}
