package org.firebirdcdc.checkpoint;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.firebirdcdc.journal.DatabaseGuid;

/**
 * Checkpoints as files {@code firebird-cdc-{GUID}.json} in one directory. A file is replaced by writing a temporary one,
 * forcing it to disk, renaming it, and forcing the directory, so at any instant either the former or the new one is there.
 * An operating-system lock on {@code firebird-cdc-{GUID}.lock} keeps other processes out. Thread-safe.
 */
public final class FileCheckpointStore implements CheckpointStore {

    private static final Pattern FILE = Pattern.compile("firebird-cdc-(\\{[0-9A-F-]{36}\\})\\.json");

    /**
     * Lock files held in this process. Static, since what it mirrors is a property of the process: POSIX gives all locks of
     * a file back as soon as the process closes any channel of it, so a second consumer must not even open the file.
     */
    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

    private static final String IN_THIS_PROCESS = "another consumer in this process";

    private final Path directory;
    private final Map<DatabaseGuid, HeldLock> held = new ConcurrentHashMap<>();

    /**
     * @param key what the system knows the file by; empty where it does not say
     */
    private record HeldLock(Path path, Optional<Object> key, FileChannel channel) {}

    public FileCheckpointStore(Path directory) {
        this.directory = directory;
    }

    @Override
    public Lock lock(DatabaseGuid guid) {
        Path path = lockPath(guid);
        if (!HELD.add(path)) {
            throw inUse(path, IN_THIS_PROCESS);
        }
        boolean locked = false;
        try {
            FileChannel channel = lockedChannel(path);
            HeldLock lock = new HeldLock(path, key(path), channel);
            held.put(guid, lock);
            locked = true;
            return () -> giveBack(guid, lock);
        } finally {
            if (!locked) {
                HELD.remove(path);
            }
        }
    }

    private void giveBack(DatabaseGuid guid, HeldLock lock) {
        if (held.remove(guid, lock)) {
            try {
                closeQuietly(lock.channel());
            } finally {
                HELD.remove(lock.path());
            }
        }
    }

    /** Empty if there is no such file, or if the system does not tell. */
    private static Optional<Object> key(Path path) {
        try {
            return Optional.ofNullable(
                    Files.readAttributes(path, BasicFileAttributes.class).fileKey());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private Path lockPath(DatabaseGuid guid) {
        try {
            Files.createDirectories(directory);
            return directory.toRealPath().resolve("firebird-cdc-" + guid + ".lock");
        } catch (IOException e) {
            throw new CheckpointException(
                    directory + ": cannot be created (" + e
                            + "). Give checkpointDirectory a directory that this user can write",
                    e);
        }
    }

    private static FileChannel lockedChannel(Path path) {
        FileChannel channel;
        try {
            channel = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw new CheckpointException(
                    path + ": cannot be created (" + e
                            + "). Give checkpointDirectory a directory that this user can write",
                    e);
        }
        boolean locked = false;
        try {
            locked = channel.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            // by a copy of this class that another class loader has
            throw inUse(path, IN_THIS_PROCESS);
        } catch (IOException e) {
            throw new CheckpointException(
                    path + ": cannot be locked (" + e
                            + "). Give checkpointDirectory a directory on a file system with locks",
                    e);
        } finally {
            if (!locked) {
                closeQuietly(channel);
            }
        }
        if (!locked) {
            throw inUse(path, "another process");
        }
        return channel;
    }

    private static CheckpointException inUse(Path path, String who) {
        return new CheckpointException(path + ": " + who
                + " captures this database already, and two would deliver everything twice. Stop it, or"
                + " give this one its own copy of the segments and its own checkpointDirectory");
    }

    @Override
    public List<DatabaseGuid> databases() {
        List<DatabaseGuid> found = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "firebird-cdc-*.json")) {
            for (Path file : files) {
                Matcher matcher = FILE.matcher(file.getFileName().toString());
                if (matcher.matches()) {
                    found.add(DatabaseGuid.parse(matcher.group(1)));
                }
            }
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (IOException e) {
            throw new CheckpointException(
                    directory + ": checkpoints cannot be looked for (" + e + "). Check the directory's permissions", e);
        }
        return found;
    }

    @Override
    public Optional<Checkpoint> load(DatabaseGuid guid) {
        Path path = directory.resolve("firebird-cdc-" + guid + ".json");
        return read(path).map(bytes -> CheckpointCodec.read(bytes, guid, path.toString()));
    }

    @Override
    public void save(Checkpoint checkpoint) {
        checkPlace(checkpoint.guid());
        replace(directory.resolve("firebird-cdc-" + checkpoint.guid() + ".json"), CheckpointCodec.write(checkpoint));
    }

    @Override
    public Optional<byte[]> loadDocument(DatabaseGuid guid, String name) {
        return read(document(guid, name));
    }

    @Override
    public void saveDocument(DatabaseGuid guid, String name, byte[] content) {
        checkPlace(guid);
        replace(document(guid, name), content);
    }

    /** Where a file system was unmounted, another directory is seen: what is written there is gone when it is mounted again. */
    private void checkPlace(DatabaseGuid guid) {
        HeldLock lock = held.get(guid);
        if (lock != null && (Files.notExists(lock.path()) || !key(lock.path()).equals(lock.key()))) {
            throw new CheckpointException(lock.path()
                    + ": the lock file is gone or another one, so this is not the directory any more in which capture"
                    + " began. Check that it is mounted, capture goes on by itself; if the file was deleted, restart the"
                    + " route");
        }
    }

    private Path document(DatabaseGuid guid, String name) {
        return directory.resolve("firebird-cdc-" + guid + "." + name + ".json");
    }

    private static Optional<byte[]> read(Path path) {
        try {
            return Optional.of(Files.readAllBytes(path));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new CheckpointException(path + ": cannot be read (" + e + "). Check its permissions", e);
        }
    }

    private static void replace(Path path, byte[] content) {
        Path temporary = path.resolveSibling(path.getFileName() + ".tmp");
        try {
            Files.createDirectories(path.toAbsolutePath().getParent());
            write(temporary, content);
            move(temporary, path);
            forceDirectory(path.toAbsolutePath().getParent());
        } catch (IOException e) {
            throw new CheckpointException(
                    path + ": cannot be written (" + e
                            + "). The former one is untouched and nothing is lost: check free"
                            + " space and permissions, capture goes on by itself",
                    e);
        }
    }

    private static void write(Path temporary, byte[] content) throws IOException {
        try (FileChannel channel = FileChannel.open(
                temporary, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            try {
                ByteBuffer bytes = ByteBuffer.wrap(content);
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
                channel.force(true);
            } catch (IOException e) {
                giveSpaceBack(temporary, e);
                throw e;
            }
        }
    }

    /** Half a file on a full disk is in the way of everybody. */
    private static void giveSpaceBack(Path temporary, IOException cause) {
        try {
            Files.deleteIfExists(temporary);
        } catch (IOException e) {
            cause.addSuppressed(e);
        }
    }

    private static void move(Path from, Path to) throws IOException {
        try {
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
        } catch (AtomicMoveNotSupportedException e) {
            throw new IOException("the file system cannot rename atomically", e);
        }
    }

    /** Makes the rename itself durable; Windows has no such call and needs none. */
    private static void forceDirectory(Path directory) throws IOException {
        if (directory.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
                channel.force(true);
            }
        }
    }

    private static void closeQuietly(FileChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            throw new CheckpointException("a lock file cannot be closed (" + e + ")", e);
        }
    }
}
