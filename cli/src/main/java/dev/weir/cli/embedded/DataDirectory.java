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

/** The directory with all data of one running Weir. A lock prevents that two share a directory. */
public final class DataDirectory implements AutoCloseable {

    private final Path root;
    private final FileChannel lockFile;

    private DataDirectory(Path root, FileChannel lockFile) {
        this.root = root;
        this.lockFile = lockFile;
    }

    /** Opens the directory and makes it if absent. Throws if another running Weir uses it. */
    public static DataDirectory open(Path directory) throws IOException {
        Path root = Files.createDirectories(directory.toAbsolutePath().normalize());
        FileChannel channel =
                FileChannel.open(root.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            // The lock ends with the channel or with this process.
            FileLock lock = channel.tryLock();
            if (lock != null) {
                return new DataDirectory(root, channel);
            }
        } catch (OverlappingFileLockException e) {
            // The lock is held by this process; treated like one held by another.
        }
        channel.close();
        throw new IOException(
                root + " is in use by another running Weir; stop that one, or use another directory with --data");
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

    /** Readable by the owner only; pilots started by hand can connect without a password on their command line. */
    public Path brokerPasswordFile() {
        return root.resolve("broker-password");
    }

    /** Tokens and audit log of the gateway. */
    public Path gateway() {
        return root.resolve("gateway");
    }

    /** Address and token of the gateway for the commands that ask it; readable by the owner only. */
    public Path gatewayAccessFile() {
        return gateway().resolve("access.json");
    }

    /** The programs that local pilots may run. */
    public Path executables() {
        return root.resolve("executables");
    }

    /** The root of the storage for outputs and logs. */
    public Path storage() {
        return root.resolve("storage");
    }

    /** Input datasets: one directory each. */
    public Path datasets() {
        return root.resolve("datasets");
    }

    /** Deletes queues, messages, tables, with them what the DSM knows, and checkpoints. Files of datasets and outputs, programs and logs stay. */
    public void forgetState() throws IOException {
        for (Path state :
                List.of(broker(), database().resolve("data"), database().resolve("password"), flink())) {
            deleteTree(state);
        }
    }

    /** Deletes a directory with its contents; links are deleted, not followed. */
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
