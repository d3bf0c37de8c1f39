package dev.weir.queues.item;

import dev.weir.engine.limit.GroupSet;
import dev.weir.protocol.queue.LeasedItem;
import dev.weir.protocol.queue.QueueAnswer;
import dev.weir.protocol.queue.QueueAnswer.Status;
import dev.weir.protocol.queue.QueueEntry.Done;
import dev.weir.protocol.queue.QueueEntry.End;
import dev.weir.protocol.queue.QueueEntry.Extend;
import dev.weir.protocol.queue.QueueEntry.Hold;
import dev.weir.queues.api.Seal;
import dev.weir.queues.model.Lane;
import dev.weir.queues.model.LiveLease;
import dev.weir.queues.model.Queue;
import dev.weir.queues.state.ItemRecord;
import dev.weir.queues.state.ItemRecord.State;

/** Leases begin, go on and end. A token proves one; what the state does not know of it, because a restart forgot it, is believed. */
public final class Leases {

    private static final String STALE =
            "the lease has ended: the item was finished, given to another worker, or removed";

    private final Lane lane;
    private final Ends ends;
    private final Seal seal;
    private final String start;

    public Leases(Lane lane, Ends ends, Seal seal, String start) {
        this.lane = lane;
        this.ends = ends;
        this.seal = seal;
        this.start = start;
    }

    /** Begins the lease of an item that is in no order and has its places. */
    LeasedItem begin(Queue queue, ItemRecord item, GroupSet groups) {
        item.lease = start + "-" + item.leases++;
        item.removed = false;
        item.pushedAgain = false;
        item.leaseMost = lane.leaseEnd(queue.settings().maxLeaseS());
        hold(queue, item, groups, queue.settings().leaseS());
        return new LeasedItem(
                item.key,
                item.content.kind(),
                item.content.owner(),
                item.content.priority(),
                item.content.payload(),
                item.content.groups(),
                item.attempt(),
                new Token(queue.name(), item.key, item.number, item.lease).sealed(seal),
                queue.settings().leaseS());
    }

    private void hold(Queue queue, ItemRecord item, GroupSet groups, int leaseS) {
        item.state = State.LEASED;
        item.at = 0;
        item.leaseUntil = Math.min(item.leaseMost, lane.leaseEnd(leaseS));
        queue.enter(item, lane.now());
        live(queue, item, groups);
        lane.write(item);
        lane.watch(queue);
    }

    /** A leased item in memory; its places are counted. */
    public void live(Queue queue, ItemRecord item, GroupSet groups) {
        LiveLease lease = new LiveLease(item.number, queue, item.content.owner(), item.size(), item.recurs(), groups);
        lane.leases.put(item.number, lease);
        lane.placesTaken += groups.size();
        lane.leaseClock.set(lease.timer, 0, item.leaseUntil);
    }

    public QueueAnswer done(Done done) {
        Token token = Token.read(done.token(), seal);
        Queue queue = token == null ? null : lane.queues.get(token.queue());
        ItemRecord item = queue == null ? null : proven(queue, token, done.end() == End.FINISHED);
        if (item == null) {
            return QueueAnswer.of(done.n(), Status.STALE, STALE);
        }
        boolean removed = item.removed;
        switch (done.end()) {
            case FINISHED -> ends.finished(queue, item, done);
            case FAILED -> ends.failed(queue, item, done.error(), done.retry() == null || done.retry());
            case RELEASED -> ends.released(queue, item, done.unseen() != null && done.unseen());
        }
        lane.changed(queue);
        return removed ? QueueAnswer.of(done.n(), Status.STALE, STALE) : QueueAnswer.of(done.n(), Status.OK);
    }

    public QueueAnswer extend(Extend extend) {
        Token token = Token.read(extend.token(), seal);
        Queue queue = token == null ? null : lane.queues.get(token.queue());
        ItemRecord item = queue == null ? null : proven(queue, token, false);
        if (item == null || item.removed || item.leaseMost <= lane.leaseClock.now()) {
            return QueueAnswer.of(extend.n(), Status.STALE, STALE);
        }
        int leaseS = extend.leaseS() == null ? queue.settings().leaseS() : extend.leaseS();
        item.leaseUntil = Math.min(item.leaseMost, lane.leaseEnd(leaseS));
        lane.leaseClock.set(lane.leases.get(item.number).timer, 0, item.leaseUntil);
        lane.write(item);
        return QueueAnswer.extended(extend.n(), lane.leaseLeftS(item.leaseUntil));
    }

    public QueueAnswer hold(Hold hold) {
        Token token = Token.read(hold.token(), seal);
        Queue queue = token == null ? null : lane.queues.get(token.queue());
        ItemRecord item = queue == null ? null : proven(queue, token, false);
        if (item == null || item.removed) {
            return QueueAnswer.of(hold.n(), Status.STALE, STALE);
        }
        if (!item.content.groups().contains(hold.group())) {
            return QueueAnswer.refused(hold.n(), "group", "the item is not in group " + hold.group());
        }
        lane.groups.hold(hold.group(), lane.now() + hold.holdS() * 1_000L);
        lane.held.add(lane.groups.get(hold.group()));
        return QueueAnswer.of(hold.n(), Status.OK);
    }

    /**
     * The leased item that a token is about; null when its lease is over.
     *
     * @param anyLease whether the token of a lease that a restart has forgotten is believed although the item has another lease by now
     */
    private ItemRecord proven(Queue queue, Token token, boolean anyLease) {
        ItemRecord item = lane.item(queue, token.number());
        // A number that a restart has forgotten may have been given again.
        if (item == null || !token.isOf(item) || item.state == State.DEAD) {
            return null;
        }
        boolean isForgotten = token.isOfAnotherStart(start) && token.isUnknownTo(item.lease);
        if (item.state == State.LEASED) {
            return token.lease().equals(item.lease) || anyLease && isForgotten ? item : null;
        }
        return isForgotten ? adopt(queue, item, token) : null;
    }

    /** The item was leased after the state was written: the lease goes on. */
    private ItemRecord adopt(Queue queue, ItemRecord item, Token token) {
        queue.leave(item, lane.now());
        GroupSet groups = lane.groups.resolve(item.content.groups());
        lane.groups.started(groups, lane.now());
        item.lease = token.lease();
        item.successor = item.pushedAgain ? item.content : null;
        item.pushedAgain = false;
        item.leaseMost = lane.leaseEnd(queue.settings().maxLeaseS());
        queue.record.popped++;
        lane.changed(queue);
        hold(queue, item, groups, queue.settings().leaseS());
        return item;
    }
}
