package org.firebirdcdc.testing;

import java.util.List;

/**
 * Settings of a database and of its journal.
 *
 * @param charset        default character set
 * @param segmentSize    {@code journal_segment_size}, bytes
 * @param archiveTimeout {@code journal_archive_timeout}, seconds; with a long one segments are archived by size and by the
 *                       last connection's end only
 * @param replication    more lines for the database's section of replication.conf, such as {@code buffer_size = 4096}
 */
public record DatabaseOptions(String charset, int segmentSize, int archiveTimeout, List<String> replication) {

    public static final DatabaseOptions DEFAULT = new DatabaseOptions("UTF8", 16 * 1024 * 1024, 1, List.of());

    public DatabaseOptions {
        replication = List.copyOf(replication);
    }

    public DatabaseOptions withCharset(String other) {
        return new DatabaseOptions(other, segmentSize, archiveTimeout, replication);
    }

    public DatabaseOptions withSegmentSize(int bytes) {
        return new DatabaseOptions(charset, bytes, archiveTimeout, replication);
    }

    public DatabaseOptions withArchiveTimeout(int seconds) {
        return new DatabaseOptions(charset, segmentSize, seconds, replication);
    }

    public DatabaseOptions withReplication(String... lines) {
        return new DatabaseOptions(charset, segmentSize, archiveTimeout, List.of(lines));
    }
}
