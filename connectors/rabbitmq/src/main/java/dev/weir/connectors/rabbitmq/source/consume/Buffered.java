package dev.weir.connectors.rabbitmq.source.consume;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How many bytes of bodies a reader holds: delivered by the broker, and not yet made into records. AMQP limits what a broker sends ahead
 * in messages only, so a window of large ones may hold more than the heap. Thread-safe.
 */
final class Buffered {

    private static final Logger LOG = LoggerFactory.getLogger(Buffered.class);

    private final long most;
    private final AtomicLong bytes = new AtomicLong();
    /** Windows of fewer messages than configured, because those were too large. */
    private final Map<String, Integer> narrowed = new ConcurrentHashMap<>();

    Buffered(long most) {
        this.most = most;
    }

    /** Takes a body into account; false if there is no room for it. One that is larger than all the room may come alone. */
    boolean takes(long body) {
        long before = bytes.getAndAdd(body);
        if (before > 0 && before + body > most) {
            give(body);
            return false;
        }
        return true;
    }

    /** Takes a body into account, whether or not there is room. */
    void takeAnyway(long body) {
        bytes.addAndGet(body);
    }

    /** A body is not held any more. */
    void give(long body) {
        bytes.addAndGet(-body);
    }

    long bytes() {
        return bytes.get();
    }

    /** How many messages of a queue may be delivered and not acknowledged. */
    int window(String queue, int configured) {
        return narrowed.getOrDefault(queue, configured);
    }

    /**
     * Makes a queue's window smaller, from the next time it is opened.
     *
     * @param before its window now
     * @param queues between how many the room is shared
     * @return why, in words
     */
    String narrow(String queue, int before, long averageBody, int queues) {
        long share = most / 2 / Math.max(1, queues);
        int window = (int) Math.max(1, Math.min(before / 2, share / Math.max(1, averageBody)));
        narrowed.put(queue, window);
        LOG.warn(
                "More than {} bytes of message bodies wait to be processed. Queue {} is opened again with a window of {} messages"
                        + " instead of {}; what it delivered and was not acknowledged comes again. To have it so from the start, lower"
                        + " setPrefetch; if the heap has room for more, raise setMaxBufferedBytes",
                most,
                queue,
                window,
                before);
        return "more than " + most + " bytes of message bodies wait: lower setPrefetch, or raise setMaxBufferedBytes";
    }

    /** Whether at most half of the room is used. */
    boolean isHalfEmpty() {
        return bytes.get() <= most / 2;
    }
}
