package dev.weir.job.start;

import java.io.DataInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;

/**
 * The checkpoints {@code <job id>/chk-<n>} and savepoints {@code savepoint-<id>} in a job's directory. One is complete if it has a
 * {@code _metadata}; a crash leaves incomplete ones. On any file system that Flink supports.
 */
final class Checkpoints {

    static final String METADATA = "_metadata";

    private Checkpoints() {}

    /** The newest complete checkpoint or savepoint below this directory; empty if there is none. */
    static Optional<Path> newest(Path directory) throws IOException {
        return newest(directory, Long.MIN_VALUE);
    }

    /** The newest one completed after a time in ms since 1970, by the clock of the file system; empty if there is none. */
    static Optional<Path> newest(Path directory, long afterMillis) throws IOException {
        FileSystem files = directory.getFileSystem();
        List<FileStatus> complete = new ArrayList<>();
        for (FileStatus child : list(files, directory)) {
            addIfComplete(files, child.getPath(), complete);
            if (child.isDir()) {
                for (FileStatus grandchild : list(files, child.getPath())) {
                    addIfComplete(files, grandchild.getPath(), complete);
                }
            }
        }
        return complete.stream()
                .filter(metadata -> metadata.getModificationTime() > afterMillis)
                .max(Comparator.comparingLong(FileStatus::getModificationTime)
                        .thenComparingLong(metadata -> number(metadata.getPath().getParent())))
                .map(metadata -> metadata.getPath().getParent());
    }

    /** Whether the path is a complete checkpoint or savepoint. */
    static boolean isComplete(Path checkpoint) throws IOException {
        return checkpoint.getFileSystem().exists(new Path(checkpoint, METADATA));
    }

    /**
     * Refuses a checkpoint that Flink could not read, before a job starts from it.
     *
     * @throws IOException naming the file and the remedies
     */
    static void check(Path checkpoint, String job, WaysOut waysOut) throws IOException {
        Path metadata = new Path(checkpoint, METADATA);
        try (DataInputStream in = new DataInputStream(checkpoint.getFileSystem().open(metadata))) {
            var unused = org.apache.flink.runtime.checkpoint.Checkpoints.loadCheckpointMetadata(
                    in, Checkpoints.class.getClassLoader(), checkpoint.toString());
        } catch (IOException | RuntimeException e) {
            throw new IOException(
                    "the checkpoint from which job " + job + " continues is damaged: " + metadata + " cannot be read ("
                            + e + "). Restore that file; or " + waysOut.of(job),
                    e);
        }
    }

    private static void addIfComplete(FileSystem files, Path candidate, List<FileStatus> complete) throws IOException {
        Path metadata = new Path(candidate, METADATA);
        if (files.exists(metadata)) {
            complete.add(files.getFileStatus(metadata));
        }
    }

    private static FileStatus[] list(FileSystem files, Path directory) throws IOException {
        try {
            FileStatus[] children = files.listStatus(directory);
            return children == null ? new FileStatus[0] : children;
        } catch (FileNotFoundException e) {
            return new FileStatus[0];
        }
    }

    /** The n of chk-n, to order checkpoints of equal age; a savepoint comes last. */
    private static long number(Path checkpoint) {
        String name = checkpoint.getName();
        return name.matches("chk-\\d{1,18}") ? Long.parseLong(name.substring("chk-".length())) : Long.MAX_VALUE;
    }
}
