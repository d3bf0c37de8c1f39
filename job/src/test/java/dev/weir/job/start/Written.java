package dev.weir.job.start;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import org.apache.flink.runtime.checkpoint.metadata.CheckpointMetadata;

/** Makes what Flink leaves behind, with the time at which it was completed. */
record Written(Path root) {

    /** A complete checkpoint {@code chk-<id>}. */
    org.apache.flink.core.fs.Path complete(String name, long millis) throws IOException {
        return complete(name, Long.parseLong(name.substring(name.lastIndexOf('-') + 1)), millis);
    }

    /** A complete checkpoint or savepoint with this id. */
    org.apache.flink.core.fs.Path complete(String name, long id, long millis) throws IOException {
        Path checkpoint = Files.createDirectories(root.resolve(name));
        Path metadata = checkpoint.resolve("_metadata");
        try (OutputStream out = Files.newOutputStream(metadata)) {
            org.apache.flink.runtime.checkpoint.Checkpoints.storeCheckpointMetadata(
                    new CheckpointMetadata(id, List.of(), List.of()), out);
        }
        Files.setLastModifiedTime(metadata, FileTime.fromMillis(millis));
        return flinks(checkpoint);
    }

    /** A checkpoint or savepoint whose metadata cannot be read. */
    org.apache.flink.core.fs.Path damaged(String name, long millis) throws IOException {
        Path checkpoint = Files.createDirectories(root.resolve(name));
        Files.write(checkpoint.resolve("_metadata"), new byte[0]);
        Files.setLastModifiedTime(checkpoint.resolve("_metadata"), FileTime.fromMillis(millis));
        return flinks(checkpoint);
    }

    void incomplete(String name) throws IOException {
        Files.createDirectories(root.resolve(name));
    }

    static org.apache.flink.core.fs.Path flinks(Path path) {
        return new org.apache.flink.core.fs.Path(path.toUri().toString());
    }
}
