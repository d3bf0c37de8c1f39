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
 * Where one job keeps its checkpoints, over all its starts. When it was told to start from a certain checkpoint or savepoint, a
 * file says which: a supervisor that repeats the same command after a crash must not send the job back to where it once began, and
 * what is older than that file belongs to a life that was given up.
 */
final class JobDirectory {

    private static final String BEGUN = "begun-from";

    private final Path directory;
    private final FileSystem files;

    JobDirectory(Path directory) throws IOException {
        this.directory = directory;
        this.files = directory.getFileSystem();
    }

    /** From where to go on: the newest complete checkpoint or savepoint of this life, else what it began from. */
    Optional<Path> newest() throws IOException {
        if (!files.exists(begun())) {
            return Checkpoints.newest(directory);
        }
        Path from = begunFrom();
        Optional<Path> since =
                Checkpoints.newest(directory, files.getFileStatus(begun()).getModificationTime());
        return Optional.of(since.orElse(from));
    }

    /** Begins a life with this checkpoint or savepoint, or goes on with the life that began with it. */
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

    /** Renames it, if it is there, so that a start without a checkpoint never meets those of another life. */
    void setAside() throws IOException {
        if (!files.exists(directory)) {
            return;
        }
        Path aside = new Path(directory.getParent(), directory.getName() + ".before-" + System.currentTimeMillis());
        if (!files.rename(directory, aside)) {
            throw new IOException("cannot set " + directory + " aside as " + aside + "; move or delete it by hand");
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
                        begun() + " is empty, so nobody knows which checkpoints count; delete it and start with"
                                + " --from " + directory.getName() + "=PATH");
            }
            return new Path(path);
        }
    }
}
