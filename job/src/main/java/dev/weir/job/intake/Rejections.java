package dev.weir.job.intake;

import dev.weir.job.wire.Inbound;
import dev.weir.job.wire.Outbound;
import dev.weir.protocol.Rejected;
import java.io.Serializable;
import java.time.Instant;
import java.util.UUID;
import org.apache.flink.util.OutputTag;

/**
 * Makes the message for operators about a rejected message, with the first 64 KiB of it.
 *
 * @param queue the queue of rejected messages
 */
public record Rejections(String queue) implements Serializable {

    /** The side output of every operator that can reject. */
    public static final OutputTag<Outbound> TAG = new OutputTag<>("rejected", Outbound.TYPE);

    /** The id is derived from the message and its arrival, so that a replay has the same id. */
    public Outbound of(Inbound message, String field, String reason) {
        String id = UUID.nameUUIDFromBytes(message.body()) + ":" + message.receivedAtMillis();
        return Outbound.toQueue(
                queue,
                id,
                Rejected.of(
                        reason == null || reason.isBlank() ? "rejected without a reason" : reason,
                        field,
                        message.queue(),
                        Instant.ofEpochMilli(message.receivedAtMillis()),
                        message.body()));
    }
}
