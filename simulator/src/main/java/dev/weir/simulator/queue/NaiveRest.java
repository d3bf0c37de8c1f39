package dev.weir.simulator.queue;

import dev.weir.protocol.queue.Payload;

/** What outlives the items of a key. Times are in milliseconds since 1970, 0 for none. */
final class NaiveRest implements Cloneable {

    final String key;
    Wanted wanted;
    long createdAt;
    /** When it runs again. */
    long due;
    /** By how much later that may be: a jitter is not known before it is seen. */
    long jitter;

    long base;
    boolean refresh;
    int pauseS;
    /** Of the last result; null for none. */
    String digest;

    long graceUntil;
    /** Null for none. */
    Payload result;

    long answeredAt;
    long freshUntil;
    long staleUntil;
    /** The clock went back by so much that it counts as a restart: its end may be noticed only when the key is used. */
    boolean mayOutlast;

    NaiveRest(String key) {
        this.key = key;
    }

    NaiveRest copy() {
        try {
            return (NaiveRest) clone();
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException(e);
        }
    }

    boolean isFresh(long now) {
        return result != null && answeredAt <= now && now < freshUntil;
    }

    /** Whether its answer may still be given, fresh or stale. */
    boolean isKept(long now) {
        return result != null && now < staleUntil;
    }

    /** When answer and grace are over. */
    long endsAt() {
        return Math.max(graceUntil, result == null ? 0 : staleUntil);
    }

    boolean hasFuture(long now) {
        return due > 0 || endsAt() > now;
    }

    @Override
    public String toString() {
        return key + " (rests, due " + due + ", ends " + endsAt() + ", " + wanted.again() + ")";
    }
}
