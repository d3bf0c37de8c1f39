package dev.weir.scheduler.limit;

import dev.weir.scheduler.limit.Group.Waiter;
import java.util.ArrayDeque;

/** What waits of one owner for a group: first come, first woken. */
final class Party implements KeyTable.Entry<Object, Party> {

    private final Object owner;
    private final int hash;
    private Party next;
    private final ArrayDeque<Waiter> queue = new ArrayDeque<>(1);
    /** Those in the queue that wait no more. */
    private int gone;
    /** How many were woken, saw something else of their owner start first, and have not been looked at since. */
    int lapsed;

    /** Where it stands among the parties of its line; null: in no list. */
    Parties list;

    Party before;
    Party after;

    Party(Object owner) {
        this.owner = owner;
        hash = KeyTable.spread(owner);
    }

    @Override
    public Object key() {
        return owner;
    }

    @Override
    public int hash() {
        return hash;
    }

    @Override
    public Party next() {
        return next;
    }

    @Override
    public void nextIs(Party other) {
        next = other;
    }

    boolean hasWaiting() {
        return queue.size() > gone;
    }

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
    void left(Group group) {
        if (++gone > queue.size() / 2) {
            queue.removeIf(waiter -> !waiter.waitsFor(group));
            gone = 0;
        }
    }

    /** One that waits; not when none does. */
    Waiter first(Group group) {
        while (!queue.peekFirst().waitsFor(group)) {
            gone--;
            queue.pollFirst();
        }
        return queue.peekFirst();
    }

    /** Wakes one that uses it. Returns false when there is none; then none waits any more. */
    boolean wake(Group group) {
        while (hasWaiting()) {
            Waiter waiter = first(group);
            queue.pollFirst();
            if (waiter.wake(group)) {
                return true;
            }
        }
        return false;
    }
}
