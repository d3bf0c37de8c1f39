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
 * What a job has left in its directory: checkpoints {@code <job id>/chk-<n>} and savepoints {@code savepoint-<id>}. Only one that
 * has its {@code _metadata} is complete; a crash leaves others behind. On any file system that Flink knows.
 */
final class Checkpoints {

    static final String METADATA = "_metadata";

    private Checkpoints() {}

    /** The newest complete one below this directory, checkpoint or savepoint; empty when there is none. */
    static Optional<Path> newest(Path directory) throws IOException {
        return newest(directory, Long.MIN_VALUE);
    }

    /** The same, of those completed after a time in ms since 1970, by the clock of the file system. */
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

    /** Whether this is one, and complete. */
    static boolean isComplete(Path checkpoint) throws IOException {
        return checkpoint.getFileSystem().exists(new Path(checkpoint, METADATA));
    }

    /**
     * Refuses one that Flink could not read, before anything is begun with it.
     *
     * @throws IOException saying which file, and what can be done
     */
    static void check(Path checkpoint, String job, WaysOut waysOut) throws IOException {
        Path metadata = new Path(checkpoint, METADATA);
        try (DataInputStream in = new DataInputStream(checkpoint.getFileSystem().open(metadata))) {
            var unused = org.apache.flink.runtime.checkpoint.Checkpoints.loadCheckpointMetadata(
                    in, Checkpoints.class.getClassLoader(), checkpoint.toString());
        } catch (IOException | RuntimeException e) {
            throw new IOException(
                    "the checkpoint that job " + job + " goes on from is damaged: " + metadata + " cannot be read (" + e
                            + "). Bring that file back; or " + waysOut.of(job),
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

    /** The n of chk-n, for two that are equally old; a savepoint is taken at the very end. */
    private static long number(Path checkpoint) {
        String name = checkpoint.getName();
        return name.matches("chk-\\d{1,18}") ? Long.parseLong(name.substring("chk-".length())) : Long.MAX_VALUE;
    }
}
