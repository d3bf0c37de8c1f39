package dev.weir.scheduler.limit;

import dev.weir.scheduler.limit.Group.Waiter;
import java.util.ArrayDeque;

/**
 * Who of a pool waits for a group. Where turns are taken, the first in the queue is woken. Where the policy decides who goes first, that one
 * is looked for among all that wait here: two numbers to compare of each, and there are hardly more than tasks that hold slots.
 */
final class Line {

    private final Group group;
    private final boolean takesTurns;
    private final ArrayDeque<Waiter> queue = new ArrayDeque<>(4);
    /** Those in the queue that wait no more. */
    private int gone;
    /** How many were woken and have neither started nor parked again: places that are theirs, where turns are taken. */
    private int turns;

    Line(Group group, boolean takesTurns) {
        this.group = group;
        this.takesTurns = takesTurns;
    }

    int turns() {
        return turns;
    }

    void turnUsed() {
        turns--;
    }

    boolean hasWaiting() {
        return queue.size() > gone;
    }

    /** How many it keeps in memory. */
    int size() {
        return queue.size();
    }

    void park(Waiter waiter, boolean first) {
        if (first) {
            queue.addFirst(waiter);
        } else {
            queue.addLast(waiter);
        }
    }

    /** One that is in the queue waits no more. It stays until half of all are such. */
    void left() {
        if (++gone > queue.size() / 2) {
            queue.removeIf(waiter -> !waiter.waitsFor(group));
            gone = 0;
        }
    }

    /**
     * Wakes who may start. Returns how many of them will.
     *
     * @param free how many the group lets start now
     * @param more how many that is more than before, at most
     */
    int wake(int free, int more) {
        // Without turns a place is nobody's: who was woken earlier and waits for the window must not keep it from one
        // that goes before him.
        int places = takesTurns ? free - turns : Math.min(free, more);
        int woken = 0;
        while (woken < places && hasWaiting()) {
            Waiter waiter = takesTurns ? next() : best();
            if (waiter.wake(group)) {
                woken++;
            }
        }
        turns += woken;
        return woken;
    }

    private Waiter next() {
        Waiter first = queue.pollFirst();
        while (!first.waitsFor(group)) {
            gone--;
            first = queue.pollFirst();
        }
        return first;
    }

    private Waiter best() {
        Waiter best = null;
        for (Waiter waiter : queue) {
            if (waiter.waitsFor(group) && (best == null || waiter.goesBefore(best))) {
                best = waiter;
            }
        }
        queue.removeFirstOccurrence(best);
        return best;
    }
}
