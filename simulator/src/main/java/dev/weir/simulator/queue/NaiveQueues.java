package dev.weir.simulator.queue;

import dev.weir.protocol.queue.QueueAnswer.Status;
import dev.weir.protocol.queue.QueueEntry.Configure;
import dev.weir.protocol.queue.QueueEntry.Done;
import dev.weir.protocol.queue.QueueEntry.End;
import dev.weir.protocol.queue.QueueEntry.Hold;
import dev.weir.protocol.queue.QueueEntry.Redrive;
import dev.weir.protocol.queue.QueueEntry.Remove;
import dev.weir.protocol.queue.ShownItem.State;
import dev.weir.queues.state.RestRecord;
import dev.weir.simulator.invariant.Violation;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.stream.Stream;

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

    final NaivePushes pushes = new NaivePushes(this);
    final NaiveAnswers answers = new NaiveAnswers(this);

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
        if (millis < now) {
            queues.values().forEach(queue -> queue.rests.clockWentBack());
        }
        now = millis;
        beatAt = Math.min(beatAt, millis);
        groups.stepBack(millis);
        answers.forget();
    }

    /** What is due at a time happens. */
    void advance(long millis) {
        now = Math.max(now, millis);
        groups.advance(now);
        for (NaiveQueue queue : queues.values()) {
            queue.dropDead(now);
            for (Iterator<NaiveItem> items = queue.items.values().iterator(); items.hasNext(); ) {
                NaiveItem item = items.next();
                if (item.is(State.LATER) && item.at <= now) {
                    await(queue, item);
                }
                boolean waits = item.is(State.WAITING) || item.is(State.LATER);
                if (waits && item.wanted.hasExpired(now)) {
                    items.remove();
                    answers.removed(item);
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
            queue.items.remove(item.key);
            return over(queue, item);
        }
        if (dies) {
            queue.dies(item, now);
            answers.died(item);
        } else {
            item.asked = item.asked && answers.isAskedFor(item);
            await(queue, item);
        }
        return item;
    }

    /** An item has gone that was not finished, or of which those who asked have heard: its successor comes. */
    private NaiveItem over(NaiveQueue queue, NaiveItem item) {
        answers.removed(item);
        Wanted next = item.successor;
        boolean comes = next != null && (next.expiresAt() == 0 || next.expiresAt() > now);
        if (!comes) {
            return null;
        }
        NaiveRest rest = queue.rests.find(item.key);
        long earliest = Math.max(next.notBefore(), rest == null ? 0 : rest.graceUntil);
        NaiveItem follower = create(queue, item.key, next.notBefore(earliest), rest, false);
        follower.follows(item);
        return follower;
    }

    /**
     * A key gets an item in place of a dead one or of none.
     *
     * @param rest what rests of the key; null for nothing
     */
    NaiveItem create(NaiveQueue queue, String key, Wanted wanted, NaiveRest rest, boolean asked) {
        NaiveItem item = new NaiveItem(key, numbers++, wanted, now);
        item.asked = asked;
        if (rest != null) {
            boolean goesOn = Objects.equals(wanted.again(), rest.wanted.again());
            item.base = goesOn && rest.due > 0 ? rest.base : 0;
            item.pauseS = goesOn ? rest.pauseS : 0;
            item.digest = goesOn ? rest.digest : null;
            queue.rests.working(rest, now);
        }
        queue.items.put(key, item);
        queue.pushed++;
        await(queue, item);
        return item;
    }

    /** Follows the core in which keys that were due run now; of several it is not known which came first. */
    void follow(BiFunction<String, String, RestRecord> seen) {
        List<NaiveItem> run = new ArrayList<>();
        for (NaiveQueue queue : queues.values()) {
            queue.rests.follow(key -> seen.apply(queue.name, key), now, rest -> {
                NaiveItem present = queue.items.get(rest.key);
                Violation.check(
                        present == null || present.is(State.DEAD), "a key has one item", queue.name, rest, present);
                long notBefore = rest.due > now ? rest.due : 0;
                run.add(create(queue, rest.key, rest.wanted.notBefore(notBefore), rest, false));
            });
        }
        if (run.size() > 1) {
            run.forEach(item -> item.sure = false);
        }
    }

    void await(NaiveQueue queue, NaiveItem item) {
        item.priority = queue.priority(item);
        item.at = Math.max(item.wanted.notBefore(), item.coolUntil);
        item.state = item.at > now ? State.LATER : State.WAITING;
        if (item.outlived) {
            item.number = numbers++;
            item.sure = true;
            item.outlived = false;
        }
    }

    Status configure(Configure configure) {
        NaiveQueue queue = queues.computeIfAbsent(configure.queue(), NaiveQueue::new);
        queue.settings = configure.settings();
        queue.misranked().forEach(item -> await(queue, item));
        return Status.OK;
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
        item.leaseMost = clock + beatMillis + queue.settings.maxLeaseS() * 1_000L;
        item.leaseUntil = Math.min(item.leaseMost, clock + beatMillis + queue.settings.leaseS() * 1_000L);
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
        NaiveItem item = queue == null ? null : queue.items.get(lease.key());
        if (item == null || item.number != lease.number() || item.is(State.DEAD)) {
            return null;
        }
        boolean isOlder = item.lease != null
                && item.lease.startsWith(lease.start() + '-')
                && numberOf(item.lease) > numberOf(lease.name());
        boolean forgotten = !lease.start().equals(start) && !lease.name().equals(item.lease) && !isOlder;
        if (item.is(State.LEASED)) {
            return lease.name().equals(item.lease) || ends && forgotten ? item : null;
        }
        if (!forgotten) {
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
                queue.items.remove(item.key);
                if (item.removed) {
                    answers.removed(item);
                } else {
                    queue.rests.finished(item, done, now);
                    answers.finished(queue, item, done.result());
                }
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
                boolean byWorker = !Boolean.TRUE.equals(done.unseen());
                item.releases += byWorker ? 1 : 0;
                left(queue, item, byWorker && item.releases >= queue.settings.releases());
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
        item.leaseUntil = Math.min(item.leaseMost, clock + beatMillis + wanted * 1_000L);
        return (int) Math.max(0, (item.leaseUntil - clock - beatMillis) / 1_000);
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
        boolean rested = queue.rests.find(remove.key()) != null;
        queue.rests.remove(remove.key());
        if (rested && item == null) {
            return Status.OK;
        }
        if (item == null || item.removed && item.successor == null) {
            return Status.UNKNOWN;
        }
        if (item.is(State.LEASED)) {
            item.removed = true;
            item.successor = null;
        } else {
            queue.items.remove(item.key);
            answers.removed(item);
        }
        return Status.OK;
    }

    /** Everything that waits or is put off goes. Returns how many. */
    int purge(NaiveQueue queue) {
        numbers++;
        int before = queue.items.size();
        Stream.concat(queue.in(State.WAITING), queue.in(State.LATER)).forEach(answers::removed);
        queue.items.values().removeIf(item -> item.is(State.WAITING) || item.is(State.LATER));
        queue.items.values().forEach(item -> item.outlived = true);
        return before - queue.items.size();
    }

    /** Returns how many dead items wait again. A queue here has fewer than one call looks at. */
    int redrive(Redrive redrive) {
        NaiveQueue queue = queues.get(redrive.queue());
        int moved = 0;
        Iterator<NaiveItem> dead = queue.oldestDead().iterator();
        while (dead.hasNext() && moved < redrive.most()) {
            NaiveItem item = dead.next();
            NaiveRest rest = queue.rests.find(item.key);
            boolean staysDead = item.wanted.recurs() && rest == null && !queue.rests.hasRoom();
            if (item.wanted.hasExpired(now)) {
                queue.items.remove(item.key);
                answers.removed(item);
            } else if (!staysDead && !queue.isFull(item.key, item.wanted, null)) {
                item.revive();
                await(queue, item);
                if (rest != null) {
                    queue.rests.working(rest, now);
                }
                moved++;
            }
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
