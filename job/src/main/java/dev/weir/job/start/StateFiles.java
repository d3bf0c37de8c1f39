package dev.weir.job.start;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.flink.core.fs.Path;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.checkpoint.metadata.CheckpointMetadata;
import org.apache.flink.runtime.state.IncrementalRemoteKeyedStateHandle;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.OperatorStateHandle;
import org.apache.flink.runtime.state.StreamStateHandle;

/** The files that a checkpoint's {@code _metadata} names. Flink reads them only after the start, and fails again and again at a missing one. */
final class StateFiles {

    private StateFiles() {}

    /**
     * Looks at each file's length, which costs one request each; their content is not read.
     *
     * @return the first file that is missing or too short, in words; empty if all are there
     * @throws IOException when the storage cannot be asked, which says nothing about the checkpoint
     */
    static Optional<String> damage(CheckpointMetadata checkpoint) throws IOException {
        Iterable<StreamStateHandle> all = checkpoint.getOperatorStates().stream()
                .flatMap(operator -> operator.getStates().stream())
                .flatMap(StateFiles::handles)::iterator;
        for (StreamStateHandle handle : all) {
            Optional<Path> file = handle.maybeGetPath();
            Optional<String> damage = file.isPresent() ? damage(file.get(), handle.getStateSize()) : Optional.empty();
            if (damage.isPresent()) {
                return damage;
            }
        }
        return Optional.empty();
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

    private static Stream<StreamStateHandle> handles(OperatorSubtaskState state) {
        return Stream.of(
                        state.getManagedOperatorState().stream().map(OperatorStateHandle::getDelegateStateHandle),
                        state.getRawOperatorState().stream().map(OperatorStateHandle::getDelegateStateHandle),
                        state.getManagedKeyedState().stream().flatMap(StateFiles::handles),
                        state.getRawKeyedState().stream().flatMap(StateFiles::handles))
                .flatMap(all -> all);
    }

    /** A kind of state that is not known here is left to Flink. */
    private static Stream<StreamStateHandle> handles(KeyedStateHandle state) {
        if (state instanceof IncrementalRemoteKeyedStateHandle incremental) {
            return incremental.streamSubHandles();
        }
        return state instanceof StreamStateHandle whole ? Stream.of(whole) : Stream.empty();
    }
}
