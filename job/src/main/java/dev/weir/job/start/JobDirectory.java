package dev.weir.job.start;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.fs.FSDataOutputStream;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.FileSystem.WriteMode;
import org.apache.flink.core.fs.Path;

/**
 * The directory of one job's checkpoints, over all its starts. When a start names a checkpoint or savepoint, a file records
 * which: a supervisor that repeats the command after a crash must not send the job back to that point. Checkpoints
 * older than that file belong to an abandoned history.
 */
final class JobDirectory {

    private static final String BEGUN = "begun-from";

    private final Path directory;
    private final FileSystem files;

    JobDirectory(Path directory) throws IOException {
        this.directory = directory;
        this.files = directory.getFileSystem();
    }

    /** The starting point: the newest complete checkpoint or savepoint of the current history, else the one that it began from. */
    Optional<Path> newest() throws IOException {
        if (!files.exists(begun())) {
            return Checkpoints.newest(directory);
        }
        Path from = begunFrom();
        Optional<Path> since =
                Checkpoints.newest(directory, files.getFileStatus(begun()).getModificationTime());
        return Optional.of(since.orElse(from));
    }

    /** Begins a new history with this checkpoint or savepoint, or continues the history that began with it. */
    Optional<Path> from(Path given) throws IOException {
        if (files.exists(begun()) && begunFrom().equals(given)) {
            return newest();
        }
        if (!Checkpoints.isComplete(given)) {
            throw new IOException("there is no complete checkpoint or savepoint at " + given + ": it has no file "
                    + Checkpoints.METADATA);
        }
        files.mkdirs(directory);
        try (FSDataOutputStream out = files.create(begun(), WriteMode.OVERWRITE)) {
            out.write(given.toString().getBytes(StandardCharsets.UTF_8));
        }
        return Optional.of(given);
    }

    /** Renames the directory if it exists, so that a start with empty state never finds old checkpoints. */
    void setAside() throws IOException {
        if (!files.exists(directory)) {
            return;
        }
        Path aside = new Path(directory.getParent(), directory.getName() + ".before-" + System.currentTimeMillis());
        if (!files.rename(directory, aside)) {
            throw new IOException("cannot rename " + directory + " to " + aside + "; move or delete it by hand");
        }
    }

    private Path begun() {
        return new Path(directory, BEGUN);
    }

    private Path begunFrom() throws IOException {
        try (FSDataInputStream in = files.open(begun())) {
            String path = new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
            if (path.isEmpty()) {
                throw new IOException(
                        begun() + " is empty, so the valid checkpoints are unknown; delete it and start with"
                                + " --from " + directory.getName() + "=PATH");
            }
            return new Path(path);
        }
    }
}
