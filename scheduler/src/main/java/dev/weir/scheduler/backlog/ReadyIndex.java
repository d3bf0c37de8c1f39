package dev.weir.scheduler.backlog;

import java.util.Arrays;

/**
 * The buckets of a task that may start now. An array where the last bucket replaces a removed one (as in Nacelnik.Mk1), or, for priority
 * order, a heap by best priority, then position.
 */
final class ReadyIndex {

    private final boolean ofRetries;
    private final boolean byPriority;
    private Bucket[] buckets = new Bucket[1];
    private int size;
    private int turn;

    ReadyIndex(boolean ofRetries, boolean byPriority) {
        this.ofRetries = ofRetries;
        this.byPriority = byPriority;
    }

    boolean isEmpty() {
        return size == 0;
    }

    int size() {
        return size;
    }

    Bucket at(int index) {
        return buckets[index];
    }

    /** The best bucket in priority order; otherwise each bucket in turn. */
    Bucket first() {
        if (byPriority) {
            return buckets[0];
        }
        turn = turn + 1 >= size ? 0 : turn + 1;
        return buckets[turn];
    }

    Bucket random(Dice dice) {
        return buckets[dice.below(size)];
    }

    void add(Bucket bucket) {
        if (slot(bucket) >= 0) {
            return;
        }
        if (size == buckets.length) {
            buckets = Arrays.copyOf(buckets, size < 8 ? 8 : size + (size >> 1));
        }
        place(bucket, size++);
        if (byPriority) {
            up(slot(bucket));
        }
    }

    void remove(Bucket bucket) {
        int hole = slot(bucket);
        if (hole < 0) {
            return;
        }
        setSlot(bucket, -1);
        Bucket last = buckets[--size];
        buckets[size] = null;
        if (last != bucket) {
            place(last, hole);
            if (byPriority) {
                up(hole);
                down(slot(last));
            }
        }
    }

    /** The best file of a bucket has changed. */
    void changed(Bucket bucket) {
        if (byPriority && slot(bucket) >= 0) {
            up(slot(bucket));
            down(slot(bucket));
        }
    }

    private void up(int from) {
        int at = from;
        while (at > 0 && before(buckets[at], buckets[at - 1 >>> 1])) {
            swap(at, at - 1 >>> 1);
            at = at - 1 >>> 1;
        }
    }

    private void down(int from) {
        int at = from;
        for (int child = 2 * at + 1; child < size; child = 2 * at + 1) {
            if (child + 1 < size && before(buckets[child + 1], buckets[child])) {
                child++;
            }
            if (!before(buckets[child], buckets[at])) {
                return;
            }
            swap(at, child);
            at = child;
        }
    }

    private static boolean before(Bucket a, Bucket b) {
        return a.best() < b.best();
    }

    private void swap(int a, int b) {
        Bucket other = buckets[a];
        place(buckets[b], a);
        place(other, b);
    }

    private void place(Bucket bucket, int at) {
        buckets[at] = bucket;
        setSlot(bucket, at);
    }

    private int slot(Bucket bucket) {
        return ofRetries ? bucket.retrySlot : bucket.freshSlot;
    }

    private void setSlot(Bucket bucket, int slot) {
        if (ofRetries) {
            bucket.retrySlot = slot;
        } else {
            bucket.freshSlot = slot;
        }
    }
}
