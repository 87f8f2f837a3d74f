package org.firebirdcdc.journal;

import java.nio.file.Path;
import java.util.Objects;

/**
 * A segment on disk: its header was read and the file holds at least as many bytes as the header says.
 *
 * @param path           the file
 * @param header         its header
 * @param size           size of the file in bytes when it was looked at, at least {@code header.length()}
 * @param modifiedMillis last-modified time in milliseconds since 1970; also the time given to events of this segment
 */
public record SegmentFile(Path path, SegmentHeader header, long size, long modifiedMillis) {

    public SegmentFile {
        Objects.requireNonNull(path, "path");
        Objects.requireNonNull(header, "header");
    }

    /**
     * The same file, of which only a first part is looked at.
     *
     * @param length bytes, header included; at most {@code header.length()}
     */
    public SegmentFile upTo(long length) {
        return new SegmentFile(
                path,
                new SegmentHeader(header.state(), header.guid(), header.sequence(), length),
                size,
                modifiedMillis);
    }

    public long sequence() {
        return header.sequence();
    }

    public String fileName() {
        return path.getFileName().toString();
    }
}
