package dev.weir.connectors.rabbitmq.source.consume;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How many bytes of bodies a reader holds: delivered by the broker, and not yet made into records. AMQP limits what a broker sends ahead
 * in messages only, so a window of large ones may hold more than the heap. Thread-safe.
 */
final class Buffered {

    private static final Logger LOG = LoggerFactory.getLogger(Buffered.class);

    /** After this a queue whose messages were too large gets its configured window again. */
    static final Duration NARROW_FOR = Duration.ofMinutes(10);

    private final long most;
    private final LongSupplier nanoClock;
    private final AtomicLong bytes = new AtomicLong();
    /** Windows of fewer messages than configured, because those were too large. */
    private final Map<String, Narrowed> narrowed = new ConcurrentHashMap<>();

    private record Narrowed(int window, long sinceNanos) {}

    /**
     * @param most bytes
     * @param nanoClock as {@link System#nanoTime}
     */
    Buffered(long most, LongSupplier nanoClock) {
        this.most = most;
        this.nanoClock = nanoClock;
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
        Narrowed now = narrowed.get(queue);
        return now == null ? configured : now.window();
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
        narrowed.put(queue, new Narrowed(window, nanoClock.getAsLong()));
        LOG.warn(
                "More than {} bytes of message bodies wait to be processed. Queue {} is opened again with a window of {} messages"
                        + " instead of {} for {} minutes; what it delivered and was not acknowledged comes again. To have it so from the start, lower"
                        + " setPrefetch; if the heap has room for more, raise setMaxBufferedBytes",
                most,
                queue,
                window,
                before,
                NARROW_FOR.toMinutes());
        return "more than " + most + " bytes of message bodies wait: lower setPrefetch, or raise setMaxBufferedBytes";
    }

    /** Each queue whose window was narrow for long enough, once. Its window is as configured from the next time it is opened. */
    List<String> takeWidened() {
        if (narrowed.isEmpty()) {
            return List.of();
        }
        List<String> over = new ArrayList<>();
        narrowed.forEach((queue, since) -> {
            if (nanoClock.getAsLong() - since.sinceNanos() >= NARROW_FOR.toNanos() && narrowed.remove(queue, since)) {
                over.add(queue);
            }
        });
        return over;
    }

    /** Whether a queue may be opened: one with a narrow window would fill what is left at once, and get a narrower one. */
    boolean hasRoomFor(String queue) {
        return !narrowed.containsKey(queue) || isHalfEmpty();
    }

    /** Whether at most half of the room is used. */
    boolean isHalfEmpty() {
        return bytes.get() <= most / 2;
    }
}
