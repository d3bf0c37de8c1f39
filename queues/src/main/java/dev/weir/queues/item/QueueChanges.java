package dev.weir.queues.item;

import dev.weir.engine.limit.GroupLimit;
import dev.weir.protocol.queue.QueueAnswer;
import dev.weir.protocol.queue.QueueAnswer.Status;
import dev.weir.protocol.queue.QueueEntry.Configure;
import dev.weir.protocol.queue.QueueEntry.QueueAction;
import dev.weir.protocol.queue.QueueEntry.Redrive;
import dev.weir.protocol.queue.QueueEntry.Remove;
import dev.weir.protocol.queue.QueueEntry.SetLimit;
import dev.weir.protocol.queue.QueueEntry.SetOwner;
import dev.weir.queues.model.Due;
import dev.weir.queues.model.Lane;
import dev.weir.queues.model.Owner;
import dev.weir.queues.model.Queue;
import dev.weir.queues.state.ItemRecord;
import dev.weir.queues.state.ItemRecord.State;
import dev.weir.queues.state.OwnerRecord;
import dev.weir.queues.state.QueueRecord;
import dev.weir.queues.state.RestRecord;
import dev.weir.queues.state.Tables;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** What is set for queues, owners and groups, and what is done to many items. */
public final class QueueChanges {

    private static final int STEP = 1_000;

    private final Lane lane;
    private final Bounds bounds;
    private final Ends ends;
    private final Rests rests;
    private final Wakes wakes;
    private final Ranks ranks;

    public QueueChanges(Lane lane, Bounds bounds, Ends ends, Rests rests, Wakes wakes, Ranks ranks) {
        this.lane = lane;
        this.bounds = bounds;
        this.ends = ends;
        this.rests = rests;
        this.wakes = wakes;
        this.ranks = ranks;
    }

    public QueueAnswer configure(Configure configure) {
        Queue queue = lane.queues.get(configure.queue());
        if (queue != null && queue.record.deleted) {
            return QueueAnswer.refused(
                    configure.n(), "queue", "queue " + queue.name() + " is being deleted: make it again in a moment");
        }
        if (queue == null && lane.queues.size() >= lane.options.maxQueues()) {
            return QueueAnswer.refused(
                    configure.n(), "queue", "there are the most queues, " + lane.options.maxQueues());
        }
        String fault = ranks.fault(configure.settings().rank());
        if (fault != null) {
            return QueueAnswer.refused(configure.n(), "rank.ranker", fault);
        }
        if (queue == null) {
            QueueRecord record = new QueueRecord();
            record.name = configure.queue();
            queue = lane.add(record);
        }
        boolean ranksAlike =
                Objects.equals(queue.settings().rank(), configure.settings().rank());
        queue.record.settings = configure.settings();
        if (!ranksAlike) {
            ranks.rankAll(queue);
        }
        queue.blockDues(0);
        lane.changed(queue);
        lane.watch(queue);
        return QueueAnswer.of(configure.n(), Status.OK);
    }

    public QueueAnswer act(Queue queue, QueueAction action) {
        lane.changed(queue);
        return switch (action.action()) {
            case PAUSE -> {
                queue.record.paused = true;
                queue.releasePlaces(lane.now());
                yield QueueAnswer.of(action.n(), Status.OK);
            }
            case RESUME -> {
                queue.record.paused = false;
                lane.agenda.add(queue);
                yield QueueAnswer.of(action.n(), Status.OK);
            }
            case PURGE -> QueueAnswer.counted(action.n(), purge(queue, false));
            case DELETE -> delete(queue, action);
        };
    }

    private int purge(Queue queue, boolean deadToo) {
        queue.record.purgedBelow = lane.nextNumber();
        int count = queue.purge(deadToo, lane.leases.values(), lane.now());
        lane.timers.set(queue.purge, lane.now());
        lane.watch(queue);
        return count;
    }

    private QueueAnswer delete(Queue queue, QueueAction action) {
        if (queue.leased() > 0) {
            return QueueAnswer.refused(
                    action.n(),
                    "action",
                    "workers have items of queue " + queue.name()
                            + ": pause it and wait for them, or remove these items and wait for the end of their leases");
        }
        queue.record.deleted = true;
        return QueueAnswer.counted(action.n(), purge(queue, true));
    }

    /** Goes on with a purge. */
    public void purgeStep(Queue queue) {
        if (!ends.purge(queue, STEP) || queue.record.deleted && !wakes.clear(queue, STEP)) {
            lane.timers.set(queue.purge, lane.now());
        } else if (queue.record.deleted && !queue.owners().isEmpty()) {
            for (Owner owner : queue.owners().stream().limit(STEP).toList()) {
                lane.work.remove(Tables.OWNER, Tables.key(queue.name(), owner.name()));
                queue.unsetOwner(owner.name());
            }
            lane.timers.set(queue.purge, lane.now());
        } else if (queue.record.deleted) {
            lane.timers.clear(queue.timer);
            lane.timers.clear(queue.rank);
            lane.work.remove(Tables.QUEUE, queue.name());
            lane.queues.remove(queue.name());
        }
    }

    public QueueAnswer setOwner(Queue queue, SetOwner owner) {
        Owner known = queue.owner(owner.owner());
        Map<String, Double> facts = known == null ? Map.of() : known.facts();
        return setOwner(owner.n(), queue, owner.owner(), owner.weight(), owner.maxItems(), facts);
    }

    QueueAnswer setOwner(long n, Queue queue, String owner, int weight, Integer maxItems, Map<String, Double> facts) {
        if (weight == 1 && maxItems == null && facts.isEmpty()) {
            lane.work.remove(Tables.OWNER, Tables.key(queue.name(), owner));
            queue.unsetOwner(owner);
            queue.blockDues(0);
            lane.changed(queue);
            return QueueAnswer.of(n, Status.OK);
        }
        if (queue.owner(owner) == null && queue.owners().size() >= lane.options.maxOwners()) {
            return QueueAnswer.refused(n, "owner", "the queue has the most owners, " + lane.options.maxOwners());
        }
        lane.work.put(
                Tables.OWNER,
                Tables.key(queue.name(), owner),
                new OwnerRecord(queue.name(), owner, weight, maxItems, facts));
        queue.setOwner(owner, weight, maxItems, facts);
        queue.blockDues(0);
        lane.changed(queue);
        return QueueAnswer.of(n, Status.OK);
    }

    public QueueAnswer setLimit(SetLimit limit) {
        if (!lane.groups.hasRoomFor(limit.group())) {
            return QueueAnswer.refused(limit.n(), "group", "there are the most limit groups, " + lane.groups.most());
        }
        GroupLimit whole = new GroupLimit(
                limit.maxInFlight() == null ? GroupLimit.UNLIMITED : limit.maxInFlight(),
                limit.maxStarts() == null ? GroupLimit.UNLIMITED : limit.maxStarts(),
                limit.windowS() == null ? null : Duration.ofSeconds(limit.windowS()));
        lane.groups.command(limit.group(), whole, lane.now(), lane.now());
        lane.groups.release(limit.group(), lane.now());
        return QueueAnswer.of(limit.n(), Status.OK);
    }

    /**
     * Dead items wait again, the oldest first, but for those without room, because an owner that has its most items holds up no other. Those
     * that have expired go: they would go as soon as they wait.
     */
    public QueueAnswer redrive(Queue queue, Redrive redrive) {
        // More than it may move: the oldest may all be of an owner that has its most items.
        List<Due> oldest = queue.dead().stream().limit(STEP).toList();
        int moved = 0;
        for (int i = 0; i < oldest.size() && moved < redrive.most(); i++) {
            ItemRecord item = lane.item(oldest.get(i).number());
            if (ends.hasExpired(item)) {
                ends.remove(queue, item);
                continue;
            }
            RestRecord rest = rests.find(queue, item.key);
            if (bounds.full(queue, item.content, item.key, item) != null
                    || item.content.recurs() && rest == null && !Rests.hasRoom(queue)) {
                continue;
            }
            queue.leave(item, lane.now());
            item.failures = 0;
            item.lost = 0;
            item.releases = 0;
            item.coolUntil = 0;
            ends.await(queue, item);
            if (rest != null) {
                rests.working(queue, rest);
            }
            moved++;
        }
        return QueueAnswer.counted(redrive.n(), moved);
    }

    public QueueAnswer remove(Queue queue, Remove remove) {
        ItemRecord item = lane.item(queue, remove.key());
        RestRecord rest = rests.find(queue, remove.key());
        if (rest != null) {
            rests.remove(queue, rest);
        }
        if (rest != null && item == null) {
            return QueueAnswer.of(remove.n(), Status.OK);
        }
        if (item == null || item.removed && item.successor == null) {
            return QueueAnswer.of(remove.n(), Status.UNKNOWN, "queue " + queue.name() + " has no such key");
        }
        if (item.state != State.LEASED) {
            ends.remove(queue, item);
        } else {
            item.removed = true;
            ends.succeed(queue, item, null);
        }
        return QueueAnswer.of(remove.n(), Status.OK);
    }
}
