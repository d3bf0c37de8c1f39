package dev.weir.connectors.rabbitmq.sink;

import org.apache.flink.annotation.PublicEvolving;

/** When a message leaves. */
@PublicEvolving
public enum Publishing {
    /**
     * As soon as the record arrives; confirms are awaited at the checkpoint. After a failure the records since the last
     * checkpoint are processed, and thus published, again.
     */
    AT_ONCE,

    /**
     * When the checkpoint that holds the record is complete, in the order of arrival. For effects that cannot be taken
     * back: nothing leaves that a failure could undo. But every restore, after a failure or from a savepoint, publishes all messages of
     * that checkpoint again, with the same ids, although they were confirmed: a checkpoint is complete before what it holds is
     * published, so it cannot say what was. A log line then gives their number. Consumers recognise them by their ids.
     */
    ON_COMMIT
}
