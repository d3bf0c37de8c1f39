package dev.weir.connectors.rabbitmq.source.reader;

import dev.weir.connectors.rabbitmq.source.consume.Consumers;
import dev.weir.connectors.rabbitmq.source.split.QueueSplit;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.util.FlinkRuntimeException;

/**
 * Queues that were read to their end, until the broker is known to have the acknowledgement of their last message. Until then they stay in
 * the checkpoints, and if their channel breaks, the task fails: nothing is fetched from them any more, so what comes back to them
 * would stay there although the job succeeds. The restart takes it again, or recognises it. Not thread-safe: used by the task's thread.
 */
final class FinishedQueues {

    private final Consumers consumers;
    private final Map<String, QueueState> unsettled = new LinkedHashMap<>();

    FinishedQueues(Consumers consumers) {
        this.consumers = consumers;
    }

    /** A queue was read to its end. */
    void add(QueueState state) {
        AckPositions.Position newest = state.positions().newest();
        // Acknowledged on a channel that was replaced since: what was lost of that came again, and was read; unless the
        // broker has not noticed
        // the loss yet, which cannot be queried (see the README).
        boolean settled = newest.tag() == 0
                || (state.positions().allSent() && consumers.isReplaced(state.queue(), newest.channel()));
        if (settled) {
            consumers.release(state.queue());
        } else {
            unsettled.put(state.queue(), state);
        }
    }

    /**
     * What a checkpoint must hold of them.
     *
     * @throws FlinkRuntimeException if what was read of one comes again; in time, before this checkpoint covers it
     */
    List<QueueSplit> snapshot() {
        List<QueueSplit> splits = new ArrayList<>();
        for (QueueState state : unsettled.values()) {
            if (!consumers.isOpen(state.queue(), state.positions().newest().channel())) {
                throw new FlinkRuntimeException(lost(state));
            }
            splits.add(state.snapshot());
        }
        return splits;
    }

    /**
     * A checkpoint is complete, and what it covers is acknowledged: makes sure that the broker has heard it.
     *
     * @throws IOException if it has not
     */
    void settle() throws IOException {
        for (Iterator<QueueState> all = unsettled.values().iterator(); all.hasNext(); ) {
            QueueState state = all.next();
            AckPositions positions = state.positions();
            boolean heard = positions.allSent()
                    && consumers.isAnswered(state.queue(), positions.newest().channel());
            if (heard) {
                all.remove();
                consumers.release(state.queue());
            } else if (positions.allSent() || positions.allDueAndNotSent()) {
                throw new IOException(lost(state));
            }
        }
    }

    private String lost(QueueState state) {
        return consumers.describe(state.queue())
                + " was read to its end, and lost before its last messages were acknowledged. They come again; the task"
                + " fails, so that a restart takes them again from the last checkpoint, or recognises them with"
                + " EXACTLY_ONCE. A restart strategy must allow for it, or the job must be run again";
    }
}
