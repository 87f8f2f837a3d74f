package org.firebirdcdc.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Looks at the segment files of a directory. Files whose names are not exactly a segment's are not touched; the header
 * of a complete segment is read again only when size or time of the file has changed. Not thread-safe.
 */
public final class SegmentDirectory {

    private final Path directory;
    private Map<String, Look> looks = new HashMap<>();
    /** What the system knows the directory by, as of the last look that met a segment. */
    private Optional<Object> identity = Optional.empty();

    private record Look(long size, long modifiedMillis, Object fileKey, SegmentStatus status) {}

    public SegmentDirectory(Path directory) {
        this.directory = directory;
    }

    public Path path() {
        return directory;
    }

    /**
     * All files with a segment's name, in no particular order.
     *
     * @throws JournalReadException if the directory is missing, cannot be listed or is not mounted any more: never "empty"
     */
    public List<SegmentStatus> scan() {
        List<SegmentStatus> found = new ArrayList<>();
        Map<String, Look> seen = new HashMap<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
            for (Path entry : entries) {
                Optional<SegmentName> name =
                        SegmentName.parse(entry.getFileName().toString());
                if (name.isPresent()) {
                    look(entry, name.get()).ifPresent(look -> {
                        seen.put(look.status().name().fileName(), look);
                        found.add(look.status());
                    });
                }
            }
        } catch (IOException e) {
            throw unreadable(e);
        } catch (DirectoryIteratorException e) {
            throw unreadable(e.getCause());
        }
        looks = seen;
        checkIdentity(found.isEmpty());
        return found;
    }

    /** What is left when a file system is unmounted is an empty directory: another one than before. */
    private void checkIdentity(boolean empty) {
        Optional<Object> now;
        try {
            now = Optional.ofNullable(
                    Files.readAttributes(directory, BasicFileAttributes.class).fileKey());
        } catch (IOException e) {
            throw unreadable(e);
        }
        if (!empty) {
            identity = now;
        } else if (identity.isPresent() && !identity.equals(now)) {
            throw new JournalReadException(
                    directory,
                    "this is another directory than before, and no segments are in it; check that it is mounted."
                            + " Reading goes on as soon as one is there",
                    new NoSuchFileException(directory.toString()));
        }
    }

    private JournalReadException unreadable(IOException cause) {
        return new JournalReadException(
                directory,
                Files.isDirectory(directory)
                        ? "the directory cannot be listed (" + cause + "); check its permissions and that it is mounted"
                        : "there is no such directory; give the journal_archive_directory of replication.conf, "
                                + "and check that it is mounted",
                cause);
    }

    /** Empty if the entry is no regular file or has vanished since it was listed. */
    private Optional<Look> look(Path path, SegmentName name) throws IOException {
        try {
            BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
            if (!attributes.isRegularFile()) {
                return Optional.empty();
            }
            long modified = attributes.lastModifiedTime().toMillis();
            Object key = attributes.fileKey() == null ? "" : attributes.fileKey();
            Look last = looks.get(name.fileName());
            // what the server still writes to may change twice within one tick of the file system's clock, and
            // permissions
            // change without a trace in size and time: only a look at a complete segment is kept
            if (last != null
                    && last.status.kind() == SegmentStatus.Kind.COMPLETE
                    && last.size == attributes.size()
                    && last.modifiedMillis == modified
                    && last.fileKey.equals(key)) {
                return Optional.of(last);
            }
            SegmentStatus status = status(path, name, attributes.size(), modified);
            return Optional.of(new Look(attributes.size(), modified, key, status));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    private static SegmentStatus status(Path path, SegmentName name, long size, long modified) throws IOException {
        Optional<byte[]> bytes = readHeader(path, size);
        if (bytes.isEmpty()) {
            return new SegmentStatus(
                    name, SegmentStatus.Kind.INCOMPLETE, Optional.empty(), Optional.empty(), size, Optional.empty());
        }
        SegmentHeader header;
        try {
            header = SegmentHeader.parse(name.fileName(), name.sequence(), bytes.get());
        } catch (JournalFormatException e) {
            return new SegmentStatus(
                    name, SegmentStatus.Kind.DAMAGED, Optional.empty(), Optional.empty(), size, Optional.of(e));
        }
        SegmentStatus.Kind kind =
                switch (header.state()) {
                    case FREE -> SegmentStatus.Kind.FREE;
                    case USED -> SegmentStatus.Kind.IN_USE;
                    case FULL, ARCHIVED ->
                        size < header.length() ? SegmentStatus.Kind.INCOMPLETE : SegmentStatus.Kind.COMPLETE;
                };
        boolean readable =
                kind == SegmentStatus.Kind.COMPLETE || kind == SegmentStatus.Kind.IN_USE && size >= header.length();
        Optional<SegmentFile> segment =
                readable ? Optional.of(new SegmentFile(path, header, size, modified)) : Optional.empty();
        return new SegmentStatus(name, kind, segment, Optional.of(header), size, Optional.empty());
    }

    /**
     * Empty if the file does not hold a whole header, or cannot be opened now (Windows: sharing violation): one such file
     * must not hide the others.
     */
    private static Optional<byte[]> readHeader(Path path, long size) throws IOException {
        if (size < SegmentHeader.SIZE) {
            return Optional.empty();
        }
        ByteBuffer header = ByteBuffer.allocate(SegmentHeader.SIZE);
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            while (header.hasRemaining()) {
                if (channel.read(header, header.position()) < 0) {
                    return Optional.empty();
                }
            }
        } catch (NoSuchFileException e) {
            throw e;
        } catch (FileSystemException e) {
            return Optional.empty();
        }
        return Optional.of(header.array());
    }

    /**
     * Looks at one file, whatever its name.
     *
     * @throws JournalReadException   if it cannot be read
     */
    public static SegmentStatus inspect(Path path) {
        String fileName = path.getFileName().toString();
        SegmentName name = SegmentName.parse(fileName).orElse(new SegmentName(fileName, fileName, 0));
        try {
            BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
            return status(
                    path, name, attributes.size(), attributes.lastModifiedTime().toMillis());
        } catch (IOException e) {
            throw new JournalReadException(
                    path, "cannot be read (" + e + "); check that it exists and its permissions", e);
        }
    }
}
