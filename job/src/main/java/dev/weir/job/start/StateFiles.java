package dev.weir.job.start;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.flink.core.fs.Path;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.checkpoint.metadata.CheckpointMetadata;
import org.apache.flink.runtime.state.IncrementalKeyedStateHandle.HandleAndLocalPath;
import org.apache.flink.runtime.state.IncrementalRemoteKeyedStateHandle;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.OperatorStateHandle;
import org.apache.flink.runtime.state.StreamStateHandle;

/** The files that a checkpoint's {@code _metadata} names. Flink reads them only after the start, and fails again and again at a missing one. */
final class StateFiles {

    private StateFiles() {}

    /** A part of the state, and its name where it is used; that of a part which has none there is empty. */
    private record Part(StreamStateHandle handle, String name) {

        Part(StreamStateHandle handle) {
            this(handle, "");
        }

        Part(HandleAndLocalPath file) {
            this(file.getHandle(), file.getLocalPath());
        }
    }

    /**
     * Looks at each file's length, which costs one request each. Of RocksDB's files on a local or mounted file system it reads the
     * content, and compares the checksums in it.
     *
     * @return the first file that is missing, too short or not as it was written, in words; empty if there is none
     * @throws IOException when the storage cannot be asked, which says nothing about the checkpoint
     */
    static Optional<String> damage(CheckpointMetadata checkpoint) throws IOException {
        Iterable<Part> all = checkpoint.getOperatorStates().stream()
                .flatMap(operator -> operator.getStates().stream())
                .flatMap(StateFiles::parts)::iterator;
        for (Part part : all) {
            Optional<Path> file = part.handle().maybeGetPath();
            Optional<String> damage =
                    file.isPresent() ? damage(file.get(), part.handle().getStateSize()) : Optional.empty();
            if (damage.isEmpty() && file.isPresent() && part.name().endsWith(SstFiles.ENDING) && isLocal(file.get())) {
                damage = SstFiles.damage(java.nio.file.Path.of(file.get().getPath()));
            }
            if (damage.isPresent()) {
                return damage;
            }
        }
        return Optional.empty();
    }

    private static boolean isLocal(Path file) {
        String scheme = file.toUri().getScheme();
        return scheme == null || scheme.equals("file");
    }

    private static Optional<String> damage(Path file, long expected) throws IOException {
        try {
            long length = file.getFileSystem().getFileStatus(file).getLen();
            return length < expected
                    ? Optional.of(file + " has " + length + " of " + expected + " bytes")
                    : Optional.empty();
        } catch (FileNotFoundException e) {
            return Optional.of(file + " is missing");
        }
    }

    private static Stream<Part> parts(OperatorSubtaskState state) {
        return Stream.of(
                        state.getManagedOperatorState().stream()
                                .map(OperatorStateHandle::getDelegateStateHandle)
                                .map(Part::new),
                        state.getRawOperatorState().stream()
                                .map(OperatorStateHandle::getDelegateStateHandle)
                                .map(Part::new),
                        state.getManagedKeyedState().stream().flatMap(StateFiles::parts),
                        state.getRawKeyedState().stream().flatMap(StateFiles::parts))
                .flatMap(all -> all);
    }

    /** A kind of state that is not known here is left to Flink. */
    private static Stream<Part> parts(KeyedStateHandle state) {
        if (state instanceof IncrementalRemoteKeyedStateHandle incremental) {
            Stream<Part> files = Stream.of(incremental.getSharedState(), incremental.getPrivateState())
                    .flatMap(List::stream)
                    .map(Part::new);
            return Stream.concat(files, Stream.of(new Part(incremental.getMetaDataStateHandle())));
        }
        return state instanceof StreamStateHandle whole ? Stream.of(new Part(whole)) : Stream.empty();
    }
}
