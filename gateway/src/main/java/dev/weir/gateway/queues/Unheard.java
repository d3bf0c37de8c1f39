package dev.weir.gateway.queues;

import dev.weir.gateway.broker.QueueChannel;
import dev.weir.protocol.queue.QueueAnswer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * What the queues have yet to answer before a gateway may stop: pops whose items must go back, and items that go back. Safe for use from
 * many threads.
 */
final class Unheard {

    private final Map<Long, Asked> entries = new ConcurrentHashMap<>();

    void add(Asked asked) {
        entries.put(asked.n, asked);
    }

    void answered(QueueAnswer answer) {
        Asked asked = entries.get(answer.n());
        if (asked != null) {
            asked.answer.complete(answer);
            remove(asked.n);
        }
    }

    /** No answer to it is waited for. */
    void remove(long n) {
        if (entries.remove(n) != null && entries.isEmpty()) {
            wake();
        }
    }

    /** No answer comes on this channel any more. */
    void removeAllOf(QueueChannel channel) {
        entries.values().removeIf(asked -> asked.wasSentOn(channel));
        wake();
    }

    private synchronized void wake() {
        notifyAll();
    }

    /** Waits until there is nothing left, or the time by {@link System#nanoTime} has come. */
    synchronized void awaitNone(long byNanos) throws InterruptedException {
        while (!entries.isEmpty()) {
            long left = TimeUnit.NANOSECONDS.toMillis(byNanos - System.nanoTime());
            if (left <= 0) {
                return;
            }
            wait(left);
        }
    }
}
