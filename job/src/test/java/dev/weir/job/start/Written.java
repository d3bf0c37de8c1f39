package dev.weir.job.start;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.UUID;
import org.apache.flink.runtime.checkpoint.OperatorState;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.checkpoint.metadata.CheckpointMetadata;
import org.apache.flink.runtime.jobgraph.OperatorID;
import org.apache.flink.runtime.state.IncrementalKeyedStateHandle.HandleAndLocalPath;
import org.apache.flink.runtime.state.IncrementalRemoteKeyedStateHandle;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.filesystem.FileStateHandle;
import org.apache.flink.runtime.state.memory.ByteStreamStateHandle;
import org.rocksdb.EnvOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.SstFileWriter;

/** Makes what Flink leaves behind, with the time at which it was completed. */
record Written(Path root) {

    /** A complete checkpoint {@code chk-<id>}. */
    org.apache.flink.core.fs.Path complete(String name, long millis) throws IOException {
        return complete(name, Long.parseLong(name.substring(name.lastIndexOf('-') + 1)), millis);
    }

    /** A complete checkpoint or savepoint with this id. */
    org.apache.flink.core.fs.Path complete(String name, long id, long millis) throws IOException {
        return complete(name, id, List.of(), millis);
    }

    private org.apache.flink.core.fs.Path complete(String name, long id, List<OperatorState> states, long millis)
            throws IOException {
        Path checkpoint = Files.createDirectories(root.resolve(name));
        Path metadata = checkpoint.resolve("_metadata");
        try (OutputStream out = Files.newOutputStream(metadata)) {
            org.apache.flink.runtime.checkpoint.Checkpoints.storeCheckpointMetadata(
                    new CheckpointMetadata(id, states, List.of()), out);
        }
        Files.setLastModifiedTime(metadata, FileTime.fromMillis(millis));
        return flinks(checkpoint);
    }

    /** A complete checkpoint {@code chk-<id>} of keyed state: a thousand values in {@code shared/1.sst}. */
    org.apache.flink.core.fs.Path withState(String name, long millis) throws IOException, RocksDBException {
        Path shared = Files.createDirectories(root.resolve("shared")).resolve("1.sst");
        RocksDB.loadLibrary();
        try (EnvOptions environment = new EnvOptions();
                Options options = new Options();
                SstFileWriter writer = new SstFileWriter(environment, options)) {
            writer.open(shared.toString());
            for (int i = 1_000; i < 2_000; i++) {
                byte[] text = String.valueOf(i).getBytes(StandardCharsets.UTF_8);
                writer.put(text, text);
            }
            writer.finish();
        }
        OperatorState operator = new OperatorState("Schedule", "schedule", new OperatorID(1, 2), 1, 128);
        operator.putState(
                0,
                OperatorSubtaskState.builder()
                        .setManagedKeyedState(new IncrementalRemoteKeyedStateHandle(
                                new UUID(3, 4),
                                KeyGroupRange.of(0, 127),
                                1,
                                List.of(HandleAndLocalPath.of(
                                        new FileStateHandle(flinks(shared), Files.size(shared)), "1.sst")),
                                List.of(),
                                new ByteStreamStateHandle("meta", new byte[1])))
                        .build());
        return complete(name, Long.parseLong(name.substring(name.lastIndexOf('-') + 1)), List.of(operator), millis);
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
