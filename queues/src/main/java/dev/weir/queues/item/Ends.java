package dev.weir.queues.item;

import dev.weir.protocol.queue.Payload;
import dev.weir.protocol.queue.QueueAnswer;
import dev.weir.protocol.queue.QueueEntry;
import dev.weir.protocol.queue.QueueSettings;
import dev.weir.protocol.queue.ShownItem;
import dev.weir.queues.model.Ask;
import dev.weir.queues.model.Due;
import dev.weir.queues.model.Lane;
import dev.weir.queues.model.LiveLease;
import dev.weir.queues.model.Queue;
import dev.weir.queues.state.Content;
import dev.weir.queues.state.ItemRecord;
import dev.weir.queues.state.ItemRecord.State;
import dev.weir.queues.state.RestRecord;
import dev.weir.queues.state.Tables;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/** What becomes of an item: it waits again, is dead, or goes. */
public final class Ends {

    private static final int MOST_DOUBLINGS = 30;

    private final Lane lane;
    private final Shows shows;
    private final Rests rests;
    private final Replies replies;
    private final Ranks ranks;

    public Ends(Lane lane, Shows shows, Rests rests, Replies replies, Ranks ranks) {
        this.lane = lane;
        this.shows = shows;
        this.rests = rests;
        this.replies = replies;
        this.ranks = ranks;
    }

    /** What a run takes over from the one before by the same rule: its date, by which the next one is counted, its pause, and the last digest. */
    private record Before(long base, int pauseS, String digest) {
        static final Before NONE = new Before(0, 0, null);
    }

    /**
     * Makes an item of a key that is not there, and lets it wait.
     *
     * @param rest what is kept of the key; null for nothing
     */
    void create(Queue queue, String key, Content content, RestRecord rest, boolean isAskedFor) {
        boolean goesOn = rest != null && Objects.equals(content.again(), rest.content.again());
        Before before = goesOn ? new Before(rest.due > 0 ? rest.base : 0, rest.pauseS, rest.digest) : Before.NONE;
        create(queue, key, content, rest, isAskedFor, before);
    }

    private void create(Queue queue, String key, Content content, RestRecord rest, boolean isAskedFor, Before before) {
        ItemRecord item = new ItemRecord();
        item.number = lane.nextNumber();
        item.queue = queue.name();
        item.key = key;
        item.content = content;
        item.asked = isAskedFor;
        item.base = before.base;
        item.pauseS = before.pauseS;
        item.digest = before.digest;
        item.createdAt = lane.now();
        if (rest != null) {
            rests.working(queue, rest);
        }
        lane.items++;
        lane.work.put(Tables.KEY, Tables.key(queue.name(), key), Tables.key(item.number));
        await(queue, item);
        queue.record.pushed++;
        lane.changed(queue);
    }

    /** An item that is in no order starts to wait as soon as it may. */
    void await(Queue queue, ItemRecord item) {
        long at = Math.max(item.content.notBefore(), item.coolUntil);
        item.content = ranks.ranked(queue, item);
        item.state = at > lane.now() ? State.LATER : State.WAITING;
        item.at = item.state == State.LATER ? at : 0;
        if (item.number < queue.record.purgedBelow) {
            // What waits below that number is purged.
            lane.work.remove(Tables.ITEM, Tables.key(item.number));
            long before = item.number;
            item.number = lane.nextNumber();
            lane.renumbered(before, item.number);
            lane.work.put(Tables.KEY, Tables.key(queue.name(), item.key), Tables.key(item.number));
        }
        queue.enter(item, lane.now());
        lane.write(item);
        lane.watch(queue);
    }

    /** What decides about the priority of an item that waits has changed. */
    void rerank(Queue queue, ItemRecord item) {
        if (ranks.ranked(queue, item).priority() != item.content.priority()) {
            queue.leave(item, lane.now());
            await(queue, item);
        }
    }

    /** Facts of a key come. */
    void learn(Queue queue, ItemRecord item, Map<String, Double> facts) {
        boolean waits = item.state == State.WAITING || item.state == State.LATER;
        if (waits) {
            queue.leave(item, lane.now());
        }
        item.content = item.content.facts(facts);
        item.successor = item.successor == null ? null : item.successor.facts(facts);
        if (waits) {
            await(queue, item);
        } else {
            lane.write(item);
        }
    }

    /** Somebody wants the result of an item and waits for it: it goes before others, and starts as soon as grace and failures let it. */
    void somebodyAsks(Queue queue, ItemRecord item) {
        boolean isLeased = item.state == State.LEASED;
        // A thousand may ask for one key: state is read only if there is a date.
        long grace = item.content.notBefore() == 0 ? 0 : rests.graceUntil(queue, item.key);
        boolean isPutOff = !isLeased && item.content.notBefore() > grace;
        if (item.asked && !isPutOff) {
            return;
        }
        if (isLeased) {
            item.asked = true;
            lane.write(item);
        } else {
            queue.leave(item, lane.now());
            item.asked = true;
            if (isPutOff) {
                startsEarlier(item);
                item.content = item.content.notBefore(grace);
            }
            await(queue, item);
        }
    }

    /** Before its first date: that still is the one by which the others are counted. */
    static void startsEarlier(ItemRecord item) {
        item.base = item.content.recurs() ? Rests.dateOf(item) : item.base;
    }

    /** No client waits for it any more. */
    void nobodyAsks(Queue queue, ItemRecord item) {
        if (item.state == State.WAITING || item.state == State.LATER) {
            queue.leave(item, lane.now());
            item.asked = false;
            await(queue, item);
        }
    }

    /** Gives a leased item a successor; null for none. */
    void succeed(Queue queue, ItemRecord item, Content successor) {
        long bytes = item.size();
        boolean recurred = item.recurs();
        item.successor = successor;
        queue.changed(item, bytes, recurred);
        LiveLease lease = lane.leases.get(item.number);
        lease.bytes = item.size();
        lease.recurs = item.recurs();
        lane.write(item);
    }

    /** Ends a lease: the item is in no order from now on, and its places are free. */
    private void land(Queue queue, ItemRecord item) {
        if (lane.leases.size() >= lane.options.maxLeased()) {
            // Pops of any queue may wait for this one.
            lane.agenda.addAll(lane.queues.values());
        }
        LiveLease lease = lane.leases.remove(item.number);
        lane.placesTaken -= lease.groups.size();
        queue.uncount(item);
        lane.leaseClock.clear(lease.timer, 0);
        lane.groups.ended(lease.groups, lane.now());
    }

    void finished(Queue queue, ItemRecord item, QueueEntry.Done done) {
        land(queue, item);
        queue.record.finished++;
        if (item.removed) {
            // Its worker hears that what it did counts for nothing, so who waits must not hear it.
            over(queue, item, ShownItem.State.REMOVED, null);
        } else {
            rests.finished(queue, item, done);
            over(queue, item, ShownItem.State.FINISHED, done.result() == null ? Payload.NONE : done.result());
        }
    }

    void failed(Queue queue, ItemRecord item, String error, boolean retry) {
        land(queue, item);
        queue.record.failed++;
        item.failures++;
        item.error = error;
        QueueSettings settings = queue.settings();
        if (isOver(queue, item)) {
            return;
        }
        if (!retry || item.failures >= settings.attempts()) {
            dies(queue, item);
            return;
        }
        long pause = (long) settings.backOffS() << Math.min(MOST_DOUBLINGS, item.failures - 1);
        item.coolUntil = lane.now() + Math.min(pause, settings.maxBackOffS()) * 1_000L;
        awaitAnother(queue, item);
    }

    /** @param unseen no worker has handed it back, because it reached none: that says nothing of the item, however often it happens */
    void released(Queue queue, ItemRecord item, boolean unseen) {
        land(queue, item);
        item.releases += unseen ? 0 : 1;
        if (!isOver(queue, item)) {
            if (!unseen && item.releases >= queue.settings().releases()) {
                item.error = "handed back " + item.releases + " times";
                dies(queue, item);
            } else {
                awaitAnother(queue, item);
            }
        }
    }

    /** The worker was silent for too long. */
    public void lost(LiveLease lease) {
        Queue queue = lease.queue;
        ItemRecord item = lane.item(lease.number);
        land(queue, item);
        queue.record.lost++;
        item.lost++;
        if (!isOver(queue, item)) {
            item.error = "its worker was silent for too long";
            if (item.lost >= queue.settings().lostLeases()) {
                dies(queue, item);
            } else {
                awaitAnother(queue, item);
            }
        }
        lane.changed(queue);
    }

    /** A lease brought nothing: the item waits for another one, and before others only if a client still waits for it. */
    private void awaitAnother(Queue queue, ItemRecord item) {
        item.asked = item.asked && lane.isAskedFor(item.number);
        await(queue, item);
    }

    /** Whether a landed item goes whatever its worker said: it was removed, or a push replaced it. */
    private boolean isOver(Queue queue, ItemRecord item) {
        if (item.removed || item.successor != null) {
            over(queue, item, ShownItem.State.REMOVED, null);
            return true;
        }
        return false;
    }

    private void dies(Queue queue, ItemRecord item) {
        item.state = State.DEAD;
        item.at = lane.now();
        // Who waits hears of it below, so that it goes before no others when it is tried again.
        item.asked = false;
        item.content = item.content.ranked(item.content.given());
        rests.died(queue, item);
        tell(queue, item, shows.of(queue, item, null, null));
        queue.record.died++;
        lane.changed(queue);
        if (queue.settings().maxDead() == 0) {
            queue.record.deadDropped++;
            forget(item);
            return;
        }
        // One for one: after the bound was lowered the timer of the queue drops the others.
        if (queue.dead().size() >= queue.settings().maxDead()) {
            dropOldestDead(queue);
        }
        queue.enter(item, lane.now());
        lane.write(item);
        lane.watch(queue);
    }

    private void dropOldestDead(Queue queue) {
        Due oldest = queue.dead().pollFirst();
        forget(lane.item(oldest.number()));
        queue.record.deadDropped++;
        lane.changed(queue);
    }

    /** Whether an item that has no lease may not start any more. */
    boolean hasExpired(ItemRecord item) {
        return item.content.expiresAt() > 0 && item.content.expiresAt() <= lane.now();
    }

    /** The item of a key; null for none. One that has expired goes now, if its timer has not come yet: what meets it would go with it. */
    ItemRecord present(Queue queue, String key) {
        ItemRecord item = lane.item(queue, key);
        if (item != null && item.state != State.LEASED && item.state != State.DEAD && hasExpired(item)) {
            remove(queue, item);
            return null;
        }
        return item;
    }

    /** Takes an item out that is not leased. */
    void remove(Queue queue, ItemRecord item) {
        queue.leave(item, lane.now());
        over(queue, item, ShownItem.State.REMOVED, null);
        lane.watch(queue);
    }

    /** An item in no order goes; its successor comes, unless its time is over already: it would hold the turn of its owner. */
    private void over(Queue queue, ItemRecord item, ShownItem.State how, Payload result) {
        tell(queue, item, shows.of(queue, item, how, result));
        forget(item);
        Content next = item.successor;
        if (next != null && (next.expiresAt() == 0 || next.expiresAt() > lane.now())) {
            RestRecord rest = rests.find(queue, item.key);
            long grace = rest == null ? 0 : rest.graceUntil;
            boolean goesOn = !item.removed && next.recurs() && next.again().equals(item.content.again());
            Before before = goesOn ? new Before(Rests.dateOf(item), item.pauseS, item.digest) : Before.NONE;
            create(queue, item.key, next.notBefore(Math.max(next.notBefore(), grace)), rest, false, before);
        }
    }

    private void forget(ItemRecord item) {
        lane.work.remove(Tables.KEY, Tables.key(item.queue, item.key));
        forgetNumber(item);
    }

    private void forgetNumber(ItemRecord item) {
        lane.work.remove(Tables.ITEM, Tables.key(item.number));
        lane.items--;
    }

    private void tell(Queue queue, ItemRecord item, ShownItem shown) {
        Set<Ask> waiting = lane.ends.remove(item.number);
        if (waiting != null) {
            for (Ask ask : waiting) {
                lane.asks--;
                lane.timers.clear(ask.timer);
                lane.answer(
                        ask.gateway,
                        ask.entry instanceof QueueEntry.Answer answer
                                ? replies.ended(queue, answer, shown)
                                : QueueAnswer.shown(ask.entry.n(), List.of(shown)));
            }
        }
    }

    /** What has become due in a queue, so many at most. Returns how many. */
    public int due(Queue queue, int most) {
        int left = most;
        for (; left > 0 && isDue(queue.laterItems()); left--) {
            ItemRecord item = lane.item(queue.laterItems().first().number());
            queue.leave(item, lane.now());
            await(queue, item);
        }
        left -= expire(queue, left);
        for (; left > 0 && queue.deadAt() <= lane.now(); left--) {
            dropOldestDead(queue);
        }
        lane.watch(queue);
        return most - left;
    }

    /** Removes what has expired, so many at most. Returns how many. */
    int expire(Queue queue, int most) {
        int removed = 0;
        for (; removed < most && isDue(queue.expiring()); removed++) {
            remove(queue, lane.item(queue.expiring().first().number()));
        }
        return removed;
    }

    private boolean isDue(TreeSet<Due> dues) {
        return !dues.isEmpty() && dues.first().at() <= lane.now();
    }

    /** Removes purged items from state, so many at most. Returns whether all are gone. */
    public boolean purge(Queue queue, int most) {
        for (int i = 0; i < most && queue.isPurging(); i++) {
            ItemRecord item = lane.item(queue.nextPurged());
            if (item != null) {
                tell(queue, item, shows.of(queue, item, ShownItem.State.REMOVED, null));
                String key = Tables.key(item.queue, item.key);
                // Unless a push has made another item of its key since.
                if (Tables.key(item.number).equals(lane.work.get(Tables.KEY, key))) {
                    lane.work.remove(Tables.KEY, key);
                }
                forgetNumber(item);
            }
        }
        return !queue.isPurging();
    }
}
