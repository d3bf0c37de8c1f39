package dev.weir.queues.item;

import dev.weir.protocol.queue.LastAnswer;
import dev.weir.protocol.queue.Payload;
import dev.weir.protocol.queue.QueueAnswer;
import dev.weir.protocol.queue.QueueAnswer.Status;
import dev.weir.protocol.queue.QueueEntry.Show;
import dev.weir.protocol.queue.QueueView;
import dev.weir.protocol.queue.ShownItem;
import dev.weir.queues.model.Ask;
import dev.weir.queues.model.Bucket;
import dev.weir.queues.model.Lane;
import dev.weir.queues.model.Place;
import dev.weir.queues.model.Queue;
import dev.weir.queues.state.ItemRecord;
import dev.weir.queues.state.ItemRecord.State;
import dev.weir.queues.state.RestRecord;
import it.unimi.dsi.fastutil.longs.LongIterator;
import java.time.Instant;
import java.util.List;

/** What readers see of queues and items. Looks at no more than a thousand sets of groups and priorities of a queue, whatever it has. */
public final class Shows {

    private static final int MOST_BUCKETS = 1_000;
    private static final long SECOND = 1_000;

    private final Lane lane;
    private final Rests rests;
    private final Replies replies;
    private final Whys whys;

    public Shows(Lane lane, Bounds bounds, Rests rests, Replies replies) {
        this.lane = lane;
        this.rests = rests;
        this.replies = replies;
        whys = new Whys(lane, bounds);
    }

    /** Answers a show; null when it waits for the end of the item. */
    public QueueAnswer show(String gateway, Queue queue, Show show) {
        ItemRecord item = lane.item(queue, show.key());
        RestRecord rest = item == null ? rests.find(queue, show.key()) : null;
        if (rest != null) {
            return QueueAnswer.shown(show.n(), List.of(resting(queue, rest)));
        }
        if (item == null) {
            return QueueAnswer.of(show.n(), Status.UNKNOWN, "queue " + queue.name() + " has no such key");
        }
        if (show.waitMs() == 0 || item.state == State.DEAD || lane.asks >= lane.options.maxAsks()) {
            return QueueAnswer.shown(show.n(), List.of(of(queue, item, null, null)));
        }
        lane.await(Ask.ofEnd(gateway, show, queue, item.number), show.waitMs());
        return null;
    }

    /** The wait for the end of an item is over: it is shown as it is. */
    public void giveUp(Ask ask) {
        lane.stopWaiting(ask);
        Show show = (Show) ask.entry;
        ItemRecord item = lane.item(ask.queue, ask.number);
        lane.answer(
                ask.gateway,
                item == null
                        ? QueueAnswer.of(show.n(), Status.UNKNOWN, "the item has gone")
                        : QueueAnswer.shown(show.n(), List.of(of(ask.queue, item, null, null))));
    }

    /** A key without an item for readers. */
    ShownItem resting(Queue queue, RestRecord rest) {
        return new ShownItem(
                rest.key,
                rest.content.kind(),
                rest.content.owner(),
                rest.content.given(),
                rest.content.payload(),
                rest.content.groups(),
                ShownItem.State.RESTING,
                0,
                null,
                Instant.ofEpochMilli(rest.createdAt),
                rest.due == 0 ? null : Instant.ofEpochMilli(rest.due),
                rest.content.expiresAt() == 0 ? null : Instant.ofEpochMilli(rest.content.expiresAt()),
                null,
                whys.ofKey(queue, rest),
                rest.content.recurs() ? rest.content.again() : null,
                kept(rest),
                null);
    }

    /** Null when no answer is kept. */
    private LastAnswer kept(RestRecord rest) {
        boolean isKept = rest != null && rest.result != null && lane.now() < rest.staleUntil;
        return isKept ? replies.answer(rest) : null;
    }

    /**
     * An item for readers.
     *
     * @param ended how it has ended; null when it has not
     */
    ShownItem of(Queue queue, ItemRecord item, ShownItem.State ended, Payload result) {
        boolean waits = ended == null && item.state == State.WAITING;
        RestRecord rest = ended == null ? rests.find(queue, item.key) : null;
        return new ShownItem(
                item.key,
                item.content.kind(),
                item.content.owner(),
                item.content.priority(),
                item.content.payload(),
                item.content.groups(),
                ended == null ? ShownItem.State.valueOf(item.state.name()) : ended,
                item.failures,
                item.error,
                Instant.ofEpochMilli(item.createdAt),
                startsAt(item, rest),
                item.content.expiresAt() == 0 ? null : Instant.ofEpochMilli(item.content.expiresAt()),
                waits ? position(Whys.share(queue, item).bestFirst(), place(item)) : null,
                ended == null ? whys.ofItem(queue, item, rest) : null,
                item.content.recurs() ? item.content.again() : null,
                kept(rest),
                result);
    }

    /** When an item that is put off starts, or the key of a dead one runs again; null for any other one. */
    private static Instant startsAt(ItemRecord item, RestRecord rest) {
        if (item.state == State.DEAD) {
            return rest == null || rest.due == 0 ? null : Instant.ofEpochMilli(rest.due);
        }
        return item.state == State.LATER ? Instant.ofEpochMilli(item.at) : null;
    }

    private static long place(ItemRecord item) {
        return Place.of(item.content.priority(), item.number);
    }

    /** How many places in these buckets are before a place, as far as is counted. */
    static int position(Iterable<Bucket> buckets, long place) {
        int before = 0;
        int looked = 0;
        for (Bucket bucket : buckets) {
            LongIterator others = bucket.places().iterator();
            while (before < ShownItem.MOST_POSITION && others.hasNext() && others.nextLong() < place) {
                before++;
            }
            looked++;
            if (looked == MOST_BUCKETS || before == ShownItem.MOST_POSITION) {
                break;
            }
        }
        return before;
    }

    public QueueView view(Queue queue) {
        return new QueueView(
                queue.name(),
                queue.settings(),
                queue.record.paused,
                queue.waiting(),
                queue.later(),
                queue.leased(),
                queue.dead().size(),
                queue.bytes(),
                queue.owners().size(),
                queue.record.pushed,
                queue.record.popped,
                queue.record.finished,
                queue.record.failed,
                queue.record.lost,
                queue.record.died,
                queue.record.deadDropped,
                queue.record.resting,
                queue.record.hits,
                oldestS(queue));
    }

    /** Of one priority in one set of groups the first is the oldest. Worse priorities count, too: items of these may wait for ever. */
    private Long oldestS(Queue queue) {
        List<Bucket> buckets = queue.lines().stream()
                .flatMap(line -> line.shares().stream())
                .flatMap(share -> share.buckets().stream())
                .limit(MOST_BUCKETS)
                .toList();
        long oldest = Long.MAX_VALUE;
        for (Bucket bucket : buckets) {
            oldest = Math.min(oldest, Place.number(bucket.first()));
        }
        int left = MOST_BUCKETS - buckets.size();
        for (Bucket bucket : buckets) {
            long place = bucket.firstWorse(bucket.first());
            for (; place != Long.MAX_VALUE && left > 0; left--) {
                oldest = Math.min(oldest, Place.number(place));
                place = bucket.firstWorse(place);
            }
        }
        return oldest == Long.MAX_VALUE ? null : Math.max(0, lane.now() - lane.item(oldest).createdAt) / SECOND;
    }
}
