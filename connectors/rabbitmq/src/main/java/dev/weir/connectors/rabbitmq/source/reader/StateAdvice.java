package dev.weir.connectors.rabbitmq.source.reader;

import dev.weir.connectors.rabbitmq.source.split.QueueSplit;
import dev.weir.connectors.rabbitmq.source.split.QueueSplitSerializer;
import java.util.List;
import java.util.Optional;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.ReadableConfig;

/**
 * Warns, once, when the ids that a reader keeps are more than Flink's default checkpoint storage takes of a task: no checkpoint would
 * complete with it, and what Flink says of that names no option of ours. A source cannot find out where a job keeps its checkpoints; only what Flink's
 * own configuration says can be seen. Not thread-safe.
 */
final class StateAdvice {

    /** What Flink keeps of one task's state in the JobManager's memory, its default storage. */
    static final long MOST_BYTES = 5 << 20;

    private boolean silent;

    private StateAdvice(boolean silent) {
        this.silent = silent;
    }

    /** Advice where Flink is configured so; none if its checkpoints go elsewhere. */
    static StateAdvice of(ReadableConfig flink) {
        boolean elsewhere =
                flink.getOptional(CheckpointingOptions.CHECKPOINTS_DIRECTORY).isPresent()
                        || flink.getOptional(CheckpointingOptions.CHECKPOINT_STORAGE)
                                .filter(storage -> !storage.equals("jobmanager"))
                                .isPresent();
        return new StateAdvice(elsewhere);
    }

    /** What to say about that which is to go into a checkpoint. */
    Optional<String> look(List<QueueSplit> splits) {
        long bytes = splits.stream().mapToLong(QueueSplitSerializer::bytes).sum();
        if (silent || bytes <= MOST_BYTES) {
            return Optional.empty();
        }
        silent = true;
        return Optional.of("EXACTLY_ONCE keeps " + bytes + " bytes of message ids of " + splits.size()
                + " queues in this task's part of a checkpoint. Flink's default storage, the JobManager's memory, takes no more than "
                + MOST_BYTES
                + " of a task, and no checkpoint completes beyond: set execution.checkpointing.dir, or a lower"
                + " setRememberedAcknowledged or setPrefetch, or a higher parallelism");
    }
}
