package dev.weir.pilot;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Holds a pilot's directory by a lock on a file in it, which the system releases when the process dies. The file is removed with
 * the directory, so another process may lock it in the moment in which it goes: a lock counts only when the path still names the
 * file that was locked. Only the holder of the lock removes the file.
 */
final class DirectoryLock implements AutoCloseable {

    private static final String FILE = "lock";

    /**
     * Files to which this process has a channel open. Asked before one is opened: on POSIX systems, closing a second channel to a
     * file gives up the lock of the first.
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
        Duration left = wait;
        while (true) {
            DirectoryLock lock = create(directory) ? tryTake(directory, left) : null;
            left = Duration.ofNanos(until - System.nanoTime());
            if (lock != null || left.toMillis() <= 0) {
                return lock;
            }
        }
    }

    /** Takes a directory that has a lock; null when another holds it, or has just removed it. */
    static DirectoryLock tryTake(Path directory, Duration wait) throws IOException {
        try {
            Path file = directory.toRealPath().resolve(FILE);
            return reserve(file, wait) ? lock(file, wait) : null;
        } catch (NoSuchFileException e) {
            return null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while another pilot held " + directory);
        }
    }

    /** Against other pilots in this process; false when one has it all the time. */
    private static boolean reserve(Path file, Duration wait) throws InterruptedException {
        long until = System.nanoTime() + wait.toNanos();
        synchronized (HELD) {
            while (!HELD.add(file)) {
                long millis = Duration.ofNanos(until - System.nanoTime()).toMillis();
                if (millis <= 0) {
                    return false;
                }
                HELD.wait(millis);
            }
            return true;
        }
    }

    private static DirectoryLock lock(Path file, Duration wait) throws IOException, InterruptedException {
        FileChannel channel = null;
        boolean taken = false;
        try {
            Object before = key(file);
            channel = FileChannel.open(file, StandardOpenOption.WRITE);
            taken = isLocked(channel, wait) && Objects.equals(before, key(file));
            return taken ? new DirectoryLock(file, channel) : null;
        } finally {
            if (!taken) {
                giveUp(file, channel);
            }
        }
    }

    /** Against other processes. The system's own waiting has no time-out, so it is done in a thread; closing the channel ends it. */
    private static boolean isLocked(FileChannel channel, Duration wait) throws IOException, InterruptedException {
        if (channel.tryLock() != null) {
            return true;
        }
        if (wait.toMillis() <= 0) {
            return false;
        }
        CompletableFuture<FileLock> lock = new CompletableFuture<>();
        Thread waiting = new Thread(() -> await(channel, lock), "pilot-lock");
        waiting.setDaemon(true);
        waiting.start();
        try {
            return lock.get(wait.toMillis(), TimeUnit.MILLISECONDS) != null;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw new IOException("waiting for another pilot fails: " + e.getCause(), e.getCause());
        }
    }

    private static void await(FileChannel channel, CompletableFuture<FileLock> lock) {
        try {
            lock.complete(channel.lock());
        } catch (IOException | RuntimeException e) {
            lock.completeExceptionally(e);
        }
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
        if (isHeld()) {
            giveUp(file, channel);
        }
    }

    private static void giveUp(Path file, FileChannel channel) throws IOException {
        try (channel) {
            // The channel closes before the file is free for others in this process.
        } finally {
            synchronized (HELD) {
                HELD.remove(file);
                HELD.notifyAll();
            }
        }
    }
}
