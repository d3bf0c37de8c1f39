package dev.weir.scheduler.limit;

import dev.weir.scheduler.limit.Group.Waiter;
import java.util.ArrayList;
import java.util.List;

/**
 * Who waits for a group, by pool, the one first that took a place longest ago. Of the pools that are woken for one place it goes to
 * whoever has room at that moment, and a pool whose window is always full would never get one. So when another pool has taken a place
 * while somebody of a pool was woken, the next one is kept for that pool until one of it starts: see {@link KeptPlace} for how long.
 */
final class Lines {

    private final Group group;
    private final Groups registry;
    /** Pools are few. */
    private final List<Line> lines = new ArrayList<>(1);
    /** Of all pools: see {@link Line#turns()}. */
    private int turns;

    Lines(Group group, Groups registry) {
        this.group = group;
        this.registry = registry;
    }

    void park(Waiter waiter, boolean first) {
        Line line = line(waiter.pool());
        if (line == null) {
            line = new Line(group, registry, waiter.pool(), waiter.takesTurns());
            lines.add(line);
        }
        line.park(waiter, first);
    }

    /** Null when nobody of the pool has waited. */
    private Line line(String pool) {
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).pool().equals(pool)) {
                return lines.get(i);
            }
        }
        return null;
    }

    /** One of a pool takes a place. Others are woken before it from now on, and those that were woken were passed over. */
    void taken(String pool, long nowMillis) {
        Line own = null;
        for (int i = 0; i < lines.size(); i++) {
            Line line = lines.get(i);
            if (line.pool().equals(pool)) {
                own = line;
            } else if (line.turns() > 0 && line.takesTurns() && !line.isPassedOver()) {
                line.passedOver(nowMillis);
            }
        }
        if (own != null) {
            if (own.isPassedOver()) {
                withdraw(own, nowMillis);
            }
            if (lines.get(lines.size() - 1) != own) {
                lines.remove(own);
                lines.add(own);
            }
        }
    }

    void left(Waiter waiter, boolean first) {
        Line line = line(waiter.pool());
        line.left(waiter, first);
        if (line.isPassedOver() && line.turns() == 0 && !line.hasWaiting()) {
            group.kept().candidates().remove(line);
            line.served();
        }
    }

    /** How many of a pool were woken for a place and have not taken it. */
    int turns(String pool) {
        Line line = turns == 0 ? null : line(pool);
        return line == null ? 0 : line.turns();
    }

    /** Whether the place that is kept is for this pool. */
    boolean isKeptFor(String pool) {
        Line line = line(pool);
        return line != null && group.kept().isFor(line);
    }

    /** The pool for which a place may be kept; null when nobody of it has waited. */
    Claimant claimant(String pool) {
        return line(pool);
    }

    /** How many of those who wait in a line may start now. */
    private int freeFor(Line line, long nowMillis) {
        int free = group.free(nowMillis);
        return line.takesTurns() && group.isKept() && !group.kept().isFor(line) ? free - 1 : free;
    }

    /** One that was woken has started, or something is kept for itself. */
    void turnUsed(String pool) {
        turns--;
        line(pool).turnUsed();
    }

    /** One that was woken parks again, because nothing is free any more. */
    void turnInVain(String pool, long nowMillis) {
        turnUsed(pool);
        settle(line(pool), nowMillis);
    }

    /** Wakes as many of each pool as may start; see {@link Group#wake}. */
    void wake(int more, long nowMillis) {
        if (group.free(nowMillis) > 0) {
            boolean first = true;
            for (int i = 0; i < lines.size(); i++) {
                Line line = lines.get(i);
                turns += line.wake(freeFor(line, nowMillis), more);
                forget(line, nowMillis);
                if (first && line.isPassedOver() && line.turns() > 0) {
                    first = false;
                    keep(line, nowMillis);
                }
            }
        }
    }

    /** A pool of which nobody waits any more was not passed over. */
    private void forget(Line line, long nowMillis) {
        if (line.isPassedOver() && line.turns() == 0 && !line.hasWaiting()) {
            withdraw(line, nowMillis);
        }
    }

    /** The group is closed: while nobody gets a place, nobody is passed over. */
    void closed(long nowMillis) {
        for (int i = 0; i < lines.size(); i++) {
            withdraw(lines.get(i), nowMillis);
        }
    }

    /**
     * Keeps a place for a pool that was passed over. If that may not be yet, no one may keep one that has waited shorter; but while the
     * group rests from pools, they may.
     */
    private void keep(Line line, long nowMillis) {
        KeptPlace kept = group.kept();
        if (kept.isFor(line)) {
            return;
        }
        long waited = Math.min(KeptPlace.LONGEST_OF_POOL_MILLIS, nowMillis - line.passedOverSince());
        long until = nowMillis + Math.max(KeptPlace.SHORTEST_MILLIS, waited);
        if (kept.mayBegin(line, null, registry.starts(), nowMillis)) {
            kept.candidates().remove(line);
            kept.begin(line, registry.starts(), nowMillis, until);
        } else if (!kept.rests(line, nowMillis)) {
            kept.candidates().add(line, until);
        }
    }

    void passOn(String pool, long nowMillis) {
        turnUsed(pool);
        wakeNext(line(pool), nowMillis);
    }

    void lapse(Waiter waiter, long nowMillis) {
        turns--;
        Line line = line(waiter.pool());
        line.lapse(waiter);
        wakeNext(line, nowMillis);
    }

    void lapseEnded(Waiter waiter, long nowMillis) {
        Line line = line(waiter.pool());
        line.lapseEnded(waiter);
        wakeNext(line, nowMillis);
    }

    private void wakeNext(Line line, long nowMillis) {
        turns += line.wake(freeFor(line, nowMillis), 0);
        settle(line, nowMillis);
    }

    /** When nobody of a pool is left who was woken, the place that is kept for it goes to others; and when nobody waits, it asks no more. */
    private void settle(Line line, long nowMillis) {
        if (!line.isPassedOver() || line.turns() > 0) {
            return;
        }
        boolean kept = group.kept().isFor(line);
        if (!line.hasWaiting()) {
            withdraw(line, nowMillis);
        } else if (kept) {
            line.giveBack(nowMillis);
        }
        if (kept) {
            wake(1, nowMillis);
        }
    }

    private void withdraw(Line line, long nowMillis) {
        line.giveBack(nowMillis);
        line.served();
    }

    boolean hasWaiting() {
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).hasWaiting()) {
                return true;
            }
        }
        return false;
    }

    /** How many it keeps in memory. */
    int size() {
        return lines.stream().mapToInt(Line::size).sum();
    }
}
