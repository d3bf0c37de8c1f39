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
     * back: nothing leaves that a failure could undo. A failure while publishing repeats messages, with the same ids.
     */
    ON_COMMIT
}
