package dev.weir.queues.model;

import dev.weir.engine.LeaseClock;
import dev.weir.engine.Outbox;
import dev.weir.engine.Session;
import dev.weir.engine.TimerHeap;
import dev.weir.engine.UnitOfWork;
import dev.weir.engine.limit.Group;
import dev.weir.engine.limit.Groups;
import dev.weir.protocol.queue.QueueAnswer;
import dev.weir.protocol.queue.QueueBeat;
import dev.weir.protocol.queue.QueueEntry;
import dev.weir.queues.api.Effect;
import dev.weir.queues.options.QueuesOptions;
import dev.weir.queues.state.DueListRecord;
import dev.weir.queues.state.ItemRecord;
import dev.weir.queues.state.QueueRecord;
import dev.weir.queues.state.Tables;
import it.unimi.dsi.fastutil.longs.Long2ObjectMap;
import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** All queues in memory, and what the parts share. */
public final class Lane {

    private static final long SILENT_STEP_MILLIS = 10_000;

    public final QueuesOptions options;
    public final UnitOfWork work;
    public final TimerHeap timers;
    public final Groups groups;
    public final LeaseClock leaseClock;
    public final Map<String, Queue> queues = new TreeMap<>();
    /** By number. Without objects for keys and entries, which took a tenth of the time of pops and ends in batches. */
    public final Long2ObjectMap<LiveLease> leases = new Long2ObjectOpenHashMap<>();
    /** Places that leases have, in all of their groups. */
    public long placesTaken;
    /** Groups that are held; those whose hold is over stay until they are counted. */
    public final Set<Group> held = new HashSet<>();
    /** Waits for the end of an item, by its number. */
    public final Map<Long, Set<Ask>> ends = new HashMap<>();
    /** Queues that may have something to give. */
    public final Set<Queue> agenda = new LinkedHashSet<>();
    /** Queues whose items have changed. */
    public final Set<Queue> touched = new LinkedHashSet<>();
    /** Pops, shows and answers that wait. */
    public int asks;
    /** Items in state, the dead and the purged ones included. */
    public long items;

    /** When {@link #giveUpSilent} looks next, in milliseconds since 1970. */
    private long silentAt;

    private final Session<Effect> session;

    public Lane(QueuesOptions options, Session<Effect> session) {
        this.options = options;
        this.session = session;
        work = session.work();
        timers = session.timers();
        // A limit comes without a time of its own, so none can be older than the last.
        groups = new Groups(options.limits(), Duration.ZERO, 0, 1);
        leaseClock = new LeaseClock(
                session,
                1,
                options.beatInterval().toMillis(),
                TimerKind.BEAT,
                () -> outbox().add(new Effect.SendBeat(new QueueBeat(Instant.ofEpochMilli(now())))));
    }

    public long now() {
        return session.now();
    }

    /** The reading of the lease clock at which a lease of so many seconds is over: that clock stands still until the next beat. */
    public long leaseEnd(int seconds) {
        return leaseClock.now() + options.beatInterval().toMillis() + seconds * 1_000L;
    }

    /** How many seconds a lease lasts at least. */
    public int leaseLeftS(long until) {
        return (int)
                Math.max(0, (until - leaseClock.now() - options.beatInterval().toMillis()) / 1_000);
    }

    /** Kinds for which nobody asks any more keep no places from others; looked at now and then. */
    public void giveUpSilent() {
        if (now() >= silentAt) {
            silentAt = now() + SILENT_STEP_MILLIS;
            queues.values().forEach(queue -> queue.lines().forEach(line -> line.giveUpIfSilent(now())));
        }
    }

    public long nextNumber() {
        return session.nextNumber();
    }

    private Outbox<Effect> outbox() {
        return session.effects();
    }

    public void answer(String gateway, QueueAnswer answer) {
        outbox().add(new Effect.Answer(gateway, answer));
    }

    public void announceLow(Queue queue, long few) {
        outbox().add(new Effect.AnnounceLow(queue.name(), few));
    }

    /** Lets a show or an answer wait for the end of an item. */
    public void await(Ask ask, long millis) {
        ends.computeIfAbsent(ask.number, number -> new LinkedHashSet<>(2)).add(ask);
        asks++;
        timers.set(ask.timer, now() + millis);
    }

    /** It does not wait any more. */
    public void stopWaiting(Ask ask) {
        Set<Ask> others = ends.get(ask.number);
        if (others != null) {
            others.remove(ask);
            if (others.isEmpty()) {
                ends.remove(ask.number);
            }
        }
        asks--;
        timers.clear(ask.timer);
    }

    /** An item has another number: who waits for its end goes on waiting. */
    public void renumbered(long before, long number) {
        Set<Ask> waiting = ends.remove(before);
        if (waiting != null) {
            waiting.forEach(ask -> ask.number = number);
            ends.put(number, waiting);
        }
    }

    /** Whether somebody who wants the result of an item waits for it; who only looks does not count. */
    public boolean isAskedFor(long number) {
        return ends.getOrDefault(number, Set.of()).stream()
                .anyMatch(ask -> ask.entry instanceof QueueEntry.Answer answer && answer.start());
    }

    /** Adds a queue from state, or a new one. */
    public Queue add(QueueRecord record) {
        Queue queue = new Queue(record, agenda, groups);
        queues.put(record.name, queue);
        return queue;
    }

    public void changed(Queue queue) {
        touched.add(queue);
        work.put(Tables.QUEUE, queue.name(), queue.record);
    }

    public void changed(Queue queue, DueList list) {
        String key = Tables.key(queue.name(), Long.toString(list.name));
        if (list.first == list.next) {
            work.remove(Tables.DUE_LIST, key);
        } else {
            work.put(Tables.DUE_LIST, key, new DueListRecord(queue.name(), list.name, list.first, list.next));
        }
    }

    /** The item as this event has left it so far; null when there is none. */
    public ItemRecord item(long number) {
        return work.get(Tables.ITEM, Tables.key(number));
    }

    /** The item with this number that is neither purged nor gone; null for none. */
    public ItemRecord item(Queue queue, long number) {
        ItemRecord item = item(number);
        return item == null || isPurged(queue, item) ? null : item;
    }

    /** The item of a key that is neither purged nor gone; null for none. */
    public ItemRecord item(Queue queue, String key) {
        String number = work.get(Tables.KEY, Tables.key(queue.name(), key));
        ItemRecord item = number == null ? null : item(Long.parseLong(number));
        return item == null || isPurged(queue, item) ? null : item;
    }

    /** Whether an item is gone although the state still has it. */
    public static boolean isPurged(Queue queue, ItemRecord item) {
        return queue.record.deleted
                || item.number < queue.record.purgedBelow
                        && (item.state == ItemRecord.State.WAITING || item.state == ItemRecord.State.LATER);
    }

    public void write(ItemRecord item) {
        work.put(Tables.ITEM, Tables.key(item.number), item);
    }

    /** Sets the timer at which something of the queue is due. Of queues with something due the one that has waited longest is next. */
    public void watch(Queue queue) {
        touched.add(queue);
        long at = Math.max(queue.nextAt(), now());
        if (at == Long.MAX_VALUE) {
            timers.clear(queue.timer);
        } else if (!queue.timer.isSet() || Math.max(queue.timer.at(), now()) != at) {
            timers.set(queue.timer, at);
        }
    }
}
