package dev.weir.simulator.queue;

import dev.weir.protocol.queue.Item;
import dev.weir.protocol.queue.QueueAnswer.Status;
import dev.weir.protocol.queue.QueueEntry.Configure;
import dev.weir.protocol.queue.QueueEntry.Done;
import dev.weir.protocol.queue.QueueEntry.End;
import dev.weir.protocol.queue.QueueEntry.Hold;
import dev.weir.protocol.queue.QueueEntry.Push;
import dev.weir.protocol.queue.QueueEntry.Redrive;
import dev.weir.protocol.queue.QueueEntry.Remove;
import dev.weir.protocol.queue.ShownItem.State;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * All queues, as their documents describe them: looks at all items each time. It follows the core in who goes next, which {@link Order}
 * judges.
 */
final class NaiveQueues {

    private final long beatMillis;
    final Map<String, NaiveQueue> queues = new TreeMap<>();
    NaiveGroups groups = new NaiveGroups();
    /** Names the run of Weir. */
    String start;

    private long now;
    private long numbers;
    /** On which leases run: it advances with beats. */
    private long clock;

    private long beatAt;

    NaiveQueues(long beatMillis, String start) {
        this.beatMillis = beatMillis;
        this.start = start;
    }

    NaiveQueues copy() {
        NaiveQueues copy = new NaiveQueues(beatMillis, start);
        queues.forEach((name, queue) -> copy.queues.put(name, queue.copy()));
        copy.groups = groups.copy();
        copy.now = now;
        copy.numbers = numbers;
        copy.clock = clock;
        copy.beatAt = beatAt;
        return copy;
    }

    long now() {
        return now;
    }

    /** A run begins, or the clock went back by so much that it counts as that. */
    void restart(String newStart, long millis) {
        start = newStart;
        now = millis;
        beatAt = Math.min(beatAt, millis);
        groups.stepBack(millis);
    }

    /** What is due at a time happens. */
    void advance(long millis) {
        now = Math.max(now, millis);
        groups.advance(now);
        for (NaiveQueue queue : queues.values()) {
            for (Iterator<NaiveItem> items = queue.items.values().iterator(); items.hasNext(); ) {
                NaiveItem item = items.next();
                if (item.is(State.LATER) && item.at <= now) {
                    await(item);
                }
                boolean waits = item.is(State.WAITING) || item.is(State.LATER);
                boolean isTooOld = item.is(State.DEAD) && item.at + queue.settings.deadS() * 1_000L <= now;
                if (isTooOld) {
                    queue.dropped.add(item.key);
                }
                if (isTooOld || waits && item.wanted.expiresAt() > 0 && item.wanted.expiresAt() <= now) {
                    items.remove();
                }
            }
        }
    }

    /** A beat has come back. Of the leases that run out at once it is not known which goes first. */
    void heard() {
        clock += beatAt == 0 ? 0 : Math.min(Math.max(0, now - beatAt), beatMillis);
        beatAt = Math.max(beatAt, now);
        long before = numbers;
        List<NaiveItem> numbered = new ArrayList<>();
        for (NaiveQueue queue : queues.values()) {
            List<NaiveItem> deadBefore = queue.oldestDead();
            List<NaiveItem> died = new ArrayList<>();
            List<NaiveItem> over = queue.in(State.LEASED)
                    .filter(item -> item.leaseUntil <= clock)
                    .toList();
            for (NaiveItem item : over) {
                long given = numbers;
                NaiveItem left = lost(queue, item);
                if (left != null && left.is(State.DEAD)) {
                    died.add(left);
                } else if (numbers > given) {
                    numbered.add(left);
                }
            }
            queue.doubt(deadBefore, died);
        }
        if (numbers > before + 1) {
            numbered.forEach(item -> item.sure = false);
        }
    }

    private NaiveItem lost(NaiveQueue queue, NaiveItem item) {
        queue.lost++;
        item.lost++;
        return left(queue, item, item.lost >= queue.settings.lostLeases());
    }

    /** A lease has ended without a finish. Returns what is there of the key now; null for nothing. */
    private NaiveItem left(NaiveQueue queue, NaiveItem item, boolean dies) {
        if (item.removed || item.successor != null) {
            return over(queue, item);
        }
        if (dies) {
            queue.dies(item, now);
        } else {
            await(item);
        }
        return item;
    }

    private NaiveItem over(NaiveQueue queue, NaiveItem item) {
        queue.items.remove(item.key);
        return item.successor == null ? null : create(queue, item.key, item.successor);
    }

    private NaiveItem create(NaiveQueue queue, String key, Wanted wanted) {
        NaiveItem item = new NaiveItem(key, numbers++, wanted, now);
        queue.items.put(key, item);
        queue.pushed++;
        await(item);
        return item;
    }

    private void await(NaiveItem item) {
        item.at = Math.max(item.wanted.notBefore(), item.coolUntil);
        item.state = item.at > now ? State.LATER : State.WAITING;
        if (item.outlived) {
            item.number = numbers++;
            item.sure = true;
            item.outlived = false;
        }
    }

    Status configure(Configure configure) {
        queues.computeIfAbsent(configure.queue(), NaiveQueue::new).settings = configure.settings();
        return Status.OK;
    }

    Status push(Push push, boolean again) {
        NaiveQueue queue = queues.get(push.queue());
        Wanted wanted = Wanted.of(push.item());
        if (wanted.expiresAt() > 0 && wanted.expiresAt() <= now) {
            return Status.REFUSED;
        }
        NaiveItem item = queue.items.get(push.item().key());
        if (item == null || item.is(State.DEAD)) {
            if (!again && queue.isFull(push.item().key(), wanted, null)) {
                return Status.FULL;
            }
            create(queue, push.item().key(), wanted);
            return Status.CREATED;
        }
        boolean replaces = push.item().ifPresent() == Item.IfPresent.REPLACE;
        if (replaces && !again && queue.isFull(item.key, wanted, item)) {
            return Status.FULL;
        }
        return item.is(State.LEASED) ? succeed(item, wanted, again) : change(queue, item, wanted, again);
    }

    /** A push meets a leased item: it runs once more. */
    private static Status succeed(NaiveItem item, Wanted wanted, boolean again) {
        Wanted last = item.successor;
        switch (wanted.item().ifPresent()) {
            case KEEP -> {
                if (last != null || !item.removed && !again) {
                    return Status.LEASED;
                }
                item.successor = wanted;
            }
            case RAISE ->
                item.successor =
                        last != null ? last.raised(wanted) : item.removed ? wanted : item.wanted.raised(wanted);
            case REPLACE ->
                item.successor = last == null
                        ? wanted
                        : new Wanted(wanted.item(), Math.min(last.priority(), wanted.priority()), wanted.notBefore());
        }
        return Status.AGAIN;
    }

    private Status change(NaiveQueue queue, NaiveItem item, Wanted wanted, boolean again) {
        item.pushedAgain |= again || wanted.item().ifPresent() != Item.IfPresent.KEEP;
        if (wanted.item().ifPresent() == Item.IfPresent.REPLACE) {
            item.wanted = wanted;
            item.failures = 0;
            item.lost = 0;
            item.releases = 0;
            item.coolUntil = 0;
            await(item);
            return Status.REPLACED;
        }
        Wanted raised = item.wanted.raised(wanted);
        if (wanted.item().ifPresent() == Item.IfPresent.KEEP || raised.equals(item.wanted)) {
            return Status.WAITING;
        }
        item.wanted = raised;
        await(item);
        return Status.RAISED;
    }

    /** The item gets its next lease. */
    Lease lease(NaiveQueue queue, NaiveItem item, String token) {
        item.lease = start + "-" + item.leases++;
        item.removed = false;
        item.pushedAgain = false;
        hold(queue, item);
        return new Lease(token, queue.name, item.key, item.number, start, item.lease);
    }

    private void hold(NaiveQueue queue, NaiveItem item) {
        item.state = State.LEASED;
        item.leaseMost = clock + queue.settings.maxLeaseS() * 1_000L;
        item.leaseUntil = Math.min(item.leaseMost, clock + queue.settings.leaseS() * 1_000L);
        queue.popped++;
        groups.started(item.groups(), now);
    }

    /**
     * The item that a worker may speak of; null when its lease is over.
     *
     * @param ends whether it has finished: that counts whoever has the item now, if a restart forgot the lease
     */
    private NaiveItem proven(Lease lease, boolean ends) {
        NaiveQueue queue = queues.get(lease.queue());
        NaiveItem item = queue.items.get(lease.key());
        if (item == null || item.number != lease.number() || item.is(State.DEAD)) {
            return null;
        }
        boolean forgotten = !lease.start().equals(start) && !lease.name().equals(item.lease);
        boolean isOlder = item.lease != null
                && item.lease.startsWith(lease.start() + '-')
                && numberOf(item.lease) > numberOf(lease.name());
        if (item.is(State.LEASED)) {
            return lease.name().equals(item.lease) || ends && forgotten ? item : null;
        }
        if (!forgotten || isOlder) {
            return null;
        }
        item.lease = lease.name();
        item.successor = item.pushedAgain ? item.wanted : null;
        item.pushedAgain = false;
        hold(queue, item);
        return item;
    }

    private static int numberOf(String lease) {
        return Integer.parseInt(lease.substring(lease.indexOf('-') + 1));
    }

    Status done(Done done, Lease lease) {
        NaiveQueue queue = queues.get(lease.queue());
        NaiveItem item = proven(lease, done.end() == End.FINISHED);
        if (item == null) {
            return Status.STALE;
        }
        boolean removed = item.removed;
        switch (done.end()) {
            case FINISHED -> {
                queue.finished++;
                over(queue, item);
            }
            case FAILED -> {
                queue.failed++;
                item.failures++;
                boolean dies = done.retry() != null && !done.retry() || item.failures >= queue.settings.attempts();
                if (!dies && !item.removed && item.successor == null) {
                    long pause = queue.settings.backOffS() * (1L << Math.min(30, item.failures - 1));
                    item.coolUntil = now + Math.min(pause, queue.settings.maxBackOffS()) * 1_000L;
                }
                left(queue, item, dies);
            }
            case RELEASED -> {
                item.releases++;
                left(queue, item, item.releases >= queue.settings.releases());
            }
        }
        return removed ? Status.STALE : Status.OK;
    }

    /** For how many seconds the lease goes on; -1 when it is over. */
    int extend(Lease lease, Integer seconds) {
        NaiveItem item = proven(lease, false);
        if (item == null || item.removed || item.leaseMost <= clock) {
            return -1;
        }
        int wanted = seconds == null ? queues.get(lease.queue()).settings.leaseS() : seconds;
        item.leaseUntil = Math.min(item.leaseMost, clock + wanted * 1_000L);
        return (int) ((item.leaseUntil - clock) / 1_000);
    }

    Status hold(Hold hold, Lease lease) {
        NaiveItem item = proven(lease, false);
        if (item == null || item.removed) {
            return Status.STALE;
        }
        if (!item.groups().contains(hold.group())) {
            return Status.REFUSED;
        }
        groups.hold(hold.group(), now + hold.holdS() * 1_000L);
        return Status.OK;
    }

    Status remove(Remove remove) {
        NaiveQueue queue = queues.get(remove.queue());
        NaiveItem item = queue.items.get(remove.key());
        if (item == null || item.removed && item.successor == null) {
            return Status.UNKNOWN;
        }
        if (item.is(State.LEASED)) {
            item.removed = true;
            item.successor = null;
        } else {
            queue.items.remove(item.key);
        }
        return Status.OK;
    }

    /** Everything that waits or is put off goes. Returns how many. */
    int purge(NaiveQueue queue) {
        numbers++;
        int before = queue.items.size();
        queue.items.values().removeIf(item -> item.is(State.WAITING) || item.is(State.LATER));
        queue.items.values().forEach(item -> item.outlived = true);
        return before - queue.items.size();
    }

    /** Returns how many dead items wait again. */
    int redrive(Redrive redrive) {
        NaiveQueue queue = queues.get(redrive.queue());
        int moved = 0;
        for (NaiveItem item : queue.oldestDead().stream().limit(redrive.most()).toList()) {
            if (queue.isFull(item.key, item.wanted, null)) {
                break;
            }
            item.failures = 0;
            item.lost = 0;
            item.releases = 0;
            item.coolUntil = 0;
            await(item);
            moved++;
        }
        return moved;
    }

    long leased() {
        long leased = 0;
        for (NaiveQueue queue : queues.values()) {
            leased += queue.count(State.LEASED);
        }
        return leased;
    }

    long leasedIn(String group) {
        long leased = 0;
        for (NaiveQueue queue : queues.values()) {
            for (NaiveItem item : queue.items.values()) {
                leased += item.is(State.LEASED) && item.groups().contains(group) ? 1 : 0;
            }
        }
        return leased;
    }
}
