package dev.weir.gateway.queues;

import dev.weir.gateway.broker.QueueChannel;
import dev.weir.protocol.queue.QueueAnswer;
import java.util.concurrent.CompletableFuture;

/** An entry that is on its way, and who waits for its answer. */
final class Asked {

    final long n;
    final String key;
    final byte[] json;
    /** Fails with {@link java.util.concurrent.TimeoutException} at its end. */
    final CompletableFuture<QueueAnswer> answer = new CompletableFuture<>();

    /** Whether its answer may bring items. */
    final boolean isPop;

    private final Deadline deadline;
    /** Null until it is sent. */
    private volatile QueueChannel sentOn;

    /**
     * @param key its routing key
     * @param json the entry as it is sent
     */
    Asked(long n, String key, byte[] json, boolean isPop, Deadline deadline) {
        this.n = n;
        this.key = key;
        this.json = json;
        this.isPop = isPop;
        this.deadline = deadline;
        deadline.holdFor(answer);
    }

    long leftMillis() {
        return deadline.leftMillis();
    }

    void sending(QueueChannel channel) {
        sentOn = channel;
    }

    boolean isSent() {
        return sentOn != null;
    }

    boolean wasSentOn(QueueChannel channel) {
        return sentOn == channel;
    }
}
