package dev.weir.pilot;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;

/**
 * Holds a pilot's directory by a lock on a file in it, which the system releases when the process dies. The file is removed with
 * the directory, so another process may lock it in the moment in which it goes: a lock counts only when the path still names the
 * file that was locked. Only who holds the lock removes the file.
 */
final class DirectoryLock implements AutoCloseable {

    private static final String FILE = "lock";

    /** Between two tries while another process holds it. */
    private static final Duration STEP = Duration.ofMillis(20);

    /**
     * Files locked by this process. Asked before one is opened: on POSIX systems, closing a second channel to a file gives up the
     * lock of the first.
     */
    private static final Set<Path> HELD = new HashSet<>();

    private final Path file;
    private final FileChannel channel;

    private DirectoryLock(Path file, FileChannel channel) {
        this.file = file;
        this.channel = channel;
    }

    /** Whether a directory is one that pilots lock. */
    static boolean isIn(Path directory) {
        return Files.exists(directory.resolve(FILE), LinkOption.NOFOLLOW_LINKS);
    }

    /** Makes the directory if need be and takes it; null when another holds it all the time. */
    static DirectoryLock take(Path directory, Duration wait) throws IOException {
        long until = System.nanoTime() + wait.toNanos();
        while (true) {
            DirectoryLock lock = create(directory) ? tryTake(directory) : null;
            if (lock != null || System.nanoTime() - until > 0) {
                return lock;
            }
            try {
                Thread.sleep(STEP.toMillis());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("interrupted while another process held " + directory);
            }
        }
    }

    /** Takes a directory that has a lock; null when another holds it, or has just removed it. */
    static DirectoryLock tryTake(Path directory) throws IOException {
        synchronized (HELD) {
            try {
                Path file = directory.toRealPath().resolve(FILE);
                return HELD.contains(file) ? null : lock(file);
            } catch (NoSuchFileException e) {
                return null;
            }
        }
    }

    private static DirectoryLock lock(Path file) throws IOException {
        Object before = key(file);
        FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
        try {
            if (channel.tryLock() != null && Objects.equals(before, key(file))) {
                HELD.add(file);
                return new DirectoryLock(file, channel);
            }
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
        channel.close();
        return null;
    }

    private static Object key(Path file) throws IOException {
        return Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                .fileKey();
    }

    /** False when another process removes the directory at this moment. */
    private static boolean create(Path directory) throws IOException {
        try {
            Files.createDirectories(directory);
            Files.createFile(directory.resolve(FILE));
            return true;
        } catch (NoSuchFileException e) {
            return false;
        } catch (FileAlreadyExistsException e) {
            if (Files.exists(directory) && !Files.isDirectory(directory)) {
                throw e;
            }
            return isIn(directory);
        }
    }

    boolean isHeld() {
        return channel.isOpen();
    }

    /** Removes the file, as the last one of its directory; the lock is of no use afterwards. */
    void remove() throws IOException {
        Files.deleteIfExists(file);
    }

    @Override
    public void close() throws IOException {
        synchronized (HELD) {
            HELD.remove(file);
            channel.close();
        }
    }
}
