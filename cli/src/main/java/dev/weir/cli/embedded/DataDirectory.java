package dev.weir.cli.embedded;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Where one running Weir keeps everything; it holds a lock, so that no two share a directory. */
public final class DataDirectory implements AutoCloseable {

    private final Path root;
    private final FileChannel lockFile;

    private DataDirectory(Path root, FileChannel lockFile) {
        this.root = root;
        this.lockFile = lockFile;
    }

    /** Opens it, making it if absent. Throws when another running Weir has it. */
    public static DataDirectory open(Path directory) throws IOException {
        Path root = Files.createDirectories(directory.toAbsolutePath().normalize());
        FileChannel channel =
                FileChannel.open(root.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            // Never released by hand: it ends with the channel, or with this process.
            FileLock lock = channel.tryLock();
            if (lock != null) {
                return new DataDirectory(root, channel);
            }
        } catch (OverlappingFileLockException e) {
            // In this very process; the same answer.
        }
        channel.close();
        throw new IOException(
                root + " is in use by another running Weir; stop that one, or give another directory with --data");
    }

    public Path root() {
        return root;
    }

    public Path broker() {
        return root.resolve("broker");
    }

    public Path database() {
        return root.resolve("database");
    }

    public Path flink() {
        return root.resolve("flink");
    }

    public Path logs() {
        return root.resolve("logs");
    }

    /** Readable by the owner only; lets pilots started by hand connect without a password on their command line. */
    public Path brokerPasswordFile() {
        return root.resolve("broker-password");
    }

    /** The programs that pilots of this machine may run. */
    public Path executables() {
        return root.resolve("executables");
    }

    /** The root of the storage that outputs and logs go to. */
    public Path storage() {
        return root.resolve("storage");
    }

    /** Datasets to read: one directory each. */
    public Path datasets() {
        return root.resolve("datasets");
    }

    /** Forgets queues, messages, tables and checkpoints. Datasets, outputs, programs and logs stay. */
    public void forgetState() throws IOException {
        for (Path state :
                List.of(broker(), database().resolve("data"), database().resolve("password"), flink())) {
            deleteTree(state);
        }
    }

    /** Deletes a directory of ours with all that is in it; links are deleted, not followed. */
    public static void deleteTree(Path tree) throws IOException {
        if (!Files.exists(tree)) {
            return;
        }
        try (Stream<Path> found = Files.walk(tree)) {
            for (Path path : found.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }

    @Override
    public void close() throws IOException {
        lockFile.close();
    }
}
