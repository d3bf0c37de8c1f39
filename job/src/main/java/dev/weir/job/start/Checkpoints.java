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
import org.apache.flink.runtime.checkpoint.metadata.CheckpointMetadata;

/**
 * The checkpoints {@code <job id>/chk-<n>} and savepoints {@code savepoint-<id>} in a job's directory. One is complete if it has a
 * {@code _metadata}; a crash leaves incomplete ones. On any file system that Flink supports.
 *
 * <p>Flink numbers the checkpoints and savepoints of a job, and a start that continues goes on counting. So the number gives the order;
 * times of files do not, since clocks are set back.
 */
final class Checkpoints {

    static final String METADATA = "_metadata";

    /** Of a savepoint that cannot be read. Taking it for the newest can only refuse a start, never lose work. */
    private static final long UNKNOWN = Long.MAX_VALUE;

    private Checkpoints() {}

    private record Found(Path path, long number, long modifiedMillis) {}

    /** The complete checkpoints and savepoints below this directory, damaged ones among them, from the newest on. */
    static List<Path> newestFirst(Path directory) throws IOException {
        FileSystem files = directory.getFileSystem();
        List<Found> complete = new ArrayList<>();
        for (FileStatus child : list(files, directory)) {
            addIfComplete(files, child.getPath(), complete);
            if (child.isDir()) {
                for (FileStatus grandchild : list(files, child.getPath())) {
                    addIfComplete(files, grandchild.getPath(), complete);
                }
            }
        }
        // Two starts from one checkpoint give the same number twice.
        complete.sort(Comparator.comparingLong(Found::number)
                .thenComparingLong(Found::modifiedMillis)
                .reversed());
        return complete.stream().map(Found::path).toList();
    }

    /** By its name: Flink calls a checkpoint {@code chk-<n>}. */
    static boolean isSavepoint(Path checkpoint) {
        return !checkpoint.getName().startsWith("chk-");
    }

    /** Whether the path is a complete checkpoint or savepoint. */
    static boolean isComplete(Path checkpoint) throws IOException {
        return checkpoint.getFileSystem().exists(new Path(checkpoint, METADATA));
    }

    /** Why Flink could not restore this checkpoint: its metadata cannot be read, or a file is missing or too short. Empty if it can. */
    static Optional<Exception> damage(Path checkpoint) throws IOException {
        CheckpointMetadata metadata;
        try {
            metadata = read(checkpoint);
        } catch (IOException | RuntimeException e) {
            return Optional.of(new IOException(new Path(checkpoint, METADATA) + " cannot be read (" + e + ")", e));
        }
        // A storage that cannot be asked for a file fails the start: taken for damage it could lose work.
        return StateFiles.damage(metadata).map(IOException::new);
    }

    private static CheckpointMetadata read(Path checkpoint) throws IOException {
        Path metadata = new Path(checkpoint, METADATA);
        try (DataInputStream in = new DataInputStream(checkpoint.getFileSystem().open(metadata))) {
            return org.apache.flink.runtime.checkpoint.Checkpoints.loadCheckpointMetadata(
                    in, Checkpoints.class.getClassLoader(), checkpoint.toString());
        }
    }

    private static void addIfComplete(FileSystem files, Path candidate, List<Found> complete) throws IOException {
        Path metadata = new Path(candidate, METADATA);
        if (files.exists(metadata)) {
            complete.add(new Found(
                    candidate, number(candidate), files.getFileStatus(metadata).getModificationTime()));
        }
    }

    static FileStatus[] list(FileSystem files, Path directory) throws IOException {
        try {
            FileStatus[] children = files.listStatus(directory);
            return children == null ? new FileStatus[0] : children;
        } catch (FileNotFoundException e) {
            return new FileStatus[0];
        }
    }

    /** The n of chk-n; a savepoint has it only inside. */
    private static long number(Path checkpoint) {
        String name = checkpoint.getName();
        if (name.matches("chk-\\d{1,18}")) {
            return Long.parseLong(name.substring("chk-".length()));
        }
        try {
            return read(checkpoint).getCheckpointId();
        } catch (IOException | RuntimeException e) {
            return UNKNOWN;
        }
    }
}
