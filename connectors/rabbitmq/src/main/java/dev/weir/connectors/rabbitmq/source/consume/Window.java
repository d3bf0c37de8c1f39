package dev.weir.connectors.rabbitmq.source.consume;

import java.time.Duration;
import java.util.ArrayDeque;

/**
 * How many deliveries of a channel are unacknowledged, and since when, derived from their tags: a channel numbers them in order. The
 * connection's thread reports what is delivered, the task's what is acknowledged; one that watches asks for their age; the rest belongs to
 * the thread that fetches.
 */
final class Window {

    /** AMQP counts the prefetch in 16 bits. */
    static final int MAX_LIMIT = 65_535;

    private final int prefetch;
    private volatile int limit;
    /** The newest delivery before the present consumer, whose prefetch counts only what comes after it. */
    private volatile long startTag;

    private volatile long newestTag;
    private volatile long acknowledgedTag;
    private boolean full;
    private long fullSinceNanos;
    private boolean widened;
    /** What had been delivered at some times, oldest first, as far as it is unacknowledged. */
    private final ArrayDeque<Mark> marks = new ArrayDeque<>();

    private record Mark(long tag, long nanos) {}

    Window(int prefetch) {
        this.prefetch = prefetch;
        this.limit = prefetch;
    }

    void delivered(long tag) {
        newestTag = tag;
    }

    /** The newest delivery; 0 if there was none. */
    long newest() {
        return newestTag;
    }

    void acknowledged(long tag) {
        acknowledgedTag = tag;
    }

    /** Whether the broker delivers nothing more before something is acknowledged. */
    boolean isFull() {
        return newestTag - Math.max(acknowledgedTag, startTag) >= limit;
    }

    /** Whether it is full and was at every look for that long; once it was widened, whether it is full. */
    boolean isStuck(long nowNanos, Duration patience) {
        if (!isFull()) {
            full = false;
            return false;
        }
        if (!full) {
            full = true;
            fullSinceNanos = nowNanos;
        }
        return widened || nowNanos - fullSinceNanos >= patience.toNanos();
    }

    /** Another consumer begins, whose prefetch counts from here. */
    void startAnew() {
        widened = true;
        startTag = newestTag;
    }

    /**
     * Makes room for as many again.
     *
     * @return how many may be unacknowledged now; the same as before if AMQP can count no further
     */
    int widen() {
        widened = true;
        limit = Math.min(MAX_LIMIT, limit + prefetch);
        return limit;
    }

    boolean isWidened() {
        return widened;
    }

    int limit() {
        return limit;
    }

    /** How long a message has been unacknowledged at least, as seen by calls like this one. */
    Duration oldestUnacknowledged(long nowNanos) {
        long done = acknowledgedTag;
        while (!marks.isEmpty() && marks.getFirst().tag() <= done) {
            marks.removeFirst();
        }
        long newest = newestTag;
        if (newest > done && (marks.isEmpty() || marks.getLast().tag() < newest)) {
            marks.addLast(new Mark(newest, nowNanos));
        }
        return marks.isEmpty()
                ? Duration.ZERO
                : Duration.ofNanos(nowNanos - marks.getFirst().nanos());
    }
}
