package dev.weir.queues.item;

import dev.weir.protocol.queue.LeasedItem;
import dev.weir.protocol.queue.QueueAnswer;
import dev.weir.protocol.queue.QueueAnswer.Status;
import dev.weir.protocol.queue.QueueEntry.Pop;
import dev.weir.protocol.queue.QueueLimits;
import dev.weir.queues.model.Ask;
import dev.weir.queues.model.Bucket;
import dev.weir.queues.model.Lane;
import dev.weir.queues.model.Line;
import dev.weir.queues.model.Place;
import dev.weir.queues.model.Queue;
import dev.weir.queues.model.Share;
import dev.weir.queues.state.ItemRecord;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Workers take items: at once, or when one comes while they wait. */
public final class Pops {

    /** Expired items that the pops of one event remove: no event may take long, and a million may expire at one time. */
    private static final int EXPIRED_AT_ONCE = 100;

    private final Lane lane;
    private final Leases leases;
    private final Ends ends;
    /** How many this event has removed. */
    private int expired;
    /** Queues of which this event may remove no more, so that their pops wait. */
    private final Set<Queue> givenUp = new HashSet<>();
    /** What this event has given items of. */
    private final Set<Share> served = new LinkedHashSet<>();

    public Pops(Lane lane, Leases leases, Ends ends) {
        this.lane = lane;
        this.leases = leases;
        this.ends = ends;
    }

    /** Answers a pop; null when it waits. */
    public QueueAnswer pop(String gateway, Queue queue, Pop pop) {
        // Those that wait already go first.
        serve(queue);
        List<LeasedItem> items = take(queue, pop);
        if (!items.isEmpty() || pop.waitMs() == 0) {
            return QueueAnswer.popped(pop.n(), items);
        }
        if (lane.asks >= lane.options.maxAsks()) {
            return QueueAnswer.of(pop.n(), Status.FULL, "so many requests wait already: " + lane.asks);
        }
        Ask ask = Ask.ofPop(gateway, pop, queue);
        queue.pops.add(ask);
        lane.asks++;
        lane.timers.set(ask.timer, lane.now() + pop.waitMs());
        return null;
    }

    /** Gives what a queue has to the pops that wait for it, the oldest first. */
    public void serve(Queue queue) {
        while (!queue.pops.isEmpty() && mayLease()) {
            Set<String> kinds = readyKinds(queue);
            Ask oldest = kinds.isEmpty() ? null : queue.pops.oldest(kinds);
            if (oldest == null) {
                return;
            }
            // None when what seemed ready has expired: it is gone now, or so much of it was there that the next event
            // goes on.
            List<LeasedItem> items = take(queue, oldest.pop());
            if (items.isEmpty() && givenUp.contains(queue)) {
                return;
            }
            if (!items.isEmpty()) {
                queue.pops.remove(oldest);
                end(oldest, items);
            }
        }
    }

    /** Only those that are wanted are looked at: an item that finds a group full waits for a place there, which nobody would use. */
    private Set<String> readyKinds(Queue queue) {
        Set<String> kinds = new HashSet<>(4);
        for (Line line : queue.givesItems() ? queue.lines() : List.<Line>of()) {
            if (queue.pops.want(line.kind())) {
                line.asked(lane.now());
                if (line.head(lane.now()) != null) {
                    kinds.add(line.kind());
                }
            }
        }
        return kinds;
    }

    /** The wait of a pop is over. */
    public void giveUp(Ask ask) {
        ask.queue.pops.remove(ask);
        end(ask, List.of());
    }

    private void end(Ask ask, List<LeasedItem> items) {
        lane.asks--;
        lane.timers.clear(ask.timer);
        lane.answer(ask.gateway, QueueAnswer.popped(ask.pop().n(), items));
    }

    private boolean mayLease() {
        return lane.leases.size() < lane.options.maxLeased();
    }

    private List<LeasedItem> take(Queue queue, Pop pop) {
        if (!queue.givesItems()) {
            return List.of();
        }
        // What has expired would hold the turn of its owner, and hide a better item of another kind.
        expired += ends.expire(queue, EXPIRED_AT_ONCE - expired);
        List<Line> lines = asked(queue, pop);
        List<LeasedItem> items = new ArrayList<>(1);
        long size = 0;
        while (items.size() < pop.most() && size < QueueLimits.ENOUGH && mayLease()) {
            LeasedItem item = next(queue, lines);
            if (item == null) {
                break;
            }
            items.add(item);
            size += item.jsonBytes();
        }
        if (!items.isEmpty()) {
            queue.record.popped += items.size();
            lane.changed(queue);
        }
        return items;
    }

    private List<Line> asked(Queue queue, Pop pop) {
        List<Line> lines = new ArrayList<>(1);
        for (Line line : queue.lines()) {
            if (pop.kinds().isEmpty() || pop.kinds().contains(line.kind())) {
                line.asked(lane.now());
                lines.add(line);
            }
        }
        return lines;
    }

    /** Leases the best of the first items of these kinds; null when none may start, or when more has expired than this event removes. */
    private LeasedItem next(Queue queue, List<Line> lines) {
        Line best = null;
        Bucket head = null;
        for (Line line : lines) {
            Bucket own = line.head(lane.now());
            if (own != null && (head == null || own.first() < head.first())) {
                best = line;
                head = own;
            }
        }
        if (head == null) {
            return null;
        }
        ItemRecord item = lane.item(Place.number(head.first()));
        if (ends.hasExpired(item)) {
            // It is not taken: what never runs is no start in its groups.
            givenUp.add(queue);
            return null;
        }
        best.take(head, lane.now());
        served.add(head.share());
        queue.uncount(item);
        return leases.begin(queue, item, head.groups());
    }

    /** Places that were granted to what has given something else meanwhile go to others. */
    public void releaseGrants() {
        served.forEach(share -> share.releaseGrants(lane.now()));
        served.clear();
    }

    /** The event ends. Queues whose pops have given up are served by the next one, which the timers of what has expired bring at once. */
    public void settled() {
        expired = 0;
        lane.agenda.addAll(givenUp);
        givenUp.clear();
    }
}
