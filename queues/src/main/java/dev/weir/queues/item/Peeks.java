package dev.weir.queues.item;

import dev.weir.protocol.queue.Kinds;
import dev.weir.protocol.queue.QueueEntry.Peek;
import dev.weir.protocol.queue.QueueLimits;
import dev.weir.protocol.queue.ShownItem;
import dev.weir.queues.model.Bucket;
import dev.weir.queues.model.Due;
import dev.weir.queues.model.DueList;
import dev.weir.queues.model.Lane;
import dev.weir.queues.model.Line;
import dev.weir.queues.model.Place;
import dev.weir.queues.model.Queue;
import dev.weir.queues.model.Share;
import dev.weir.queues.state.Content;
import dev.weir.queues.state.DueRecord;
import dev.weir.queues.state.ItemRecord;
import dev.weir.queues.state.RestRecord;
import dev.weir.queues.state.Tables;
import it.unimi.dsi.fastutil.longs.LongIterator;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PrimitiveIterator;
import java.util.PriorityQueue;
import java.util.stream.LongStream;

/** Shows items of a queue by their state. Reads no more than a thousand items or sets of groups, whatever the queue has; of leases it passes over those of others, in memory. */
public final class Peeks {

    private static final int MOST_BUCKETS = 1_000;
    private static final int MOST_ENTRIES = 1_000;

    private final Lane lane;
    private final Rests rests;
    private final Shows shows;

    public Peeks(Lane lane, Rests rests, Shows shows) {
        this.lane = lane;
        this.rests = rests;
        this.shows = shows;
    }

    /** The waiting ones by priority and age, not by the turns of owners; leased ones in no order; the others by their times. */
    public List<ShownItem> peek(Queue queue, Peek peek) {
        return switch (peek.state()) {
            case RESTING -> resting(queue, peek);
            case LEASED ->
                items(
                        queue,
                        peek,
                        lane.leases.values().stream()
                                .filter(lease -> lease.queue == queue && isOfOwner(peek, lease.owner))
                                .mapToLong(lease -> lease.number));
            case DEAD -> items(queue, peek, queue.dead().stream().mapToLong(Due::number));
            case LATER -> items(queue, peek, queue.laterItems().stream().mapToLong(Due::number));
            default -> items(queue, peek, next(queue, peek).stream().mapToLong(Place::number));
        };
    }

    private static boolean isWanted(Peek peek, Content content) {
        return isOfOwner(peek, content.owner()) && isOfKinds(peek, content.kind());
    }

    private static boolean isOfOwner(Peek peek, String owner) {
        return peek.owner() == null || peek.owner().equals(owner);
    }

    private static boolean isOfKinds(Peek peek, String kind) {
        return peek.kinds() == null || Kinds.match(peek.kinds(), kind);
    }

    private List<ShownItem> items(Queue queue, Peek peek, LongStream numbers) {
        List<ShownItem> shown = new ArrayList<>();
        int looked = 0;
        long size = 0;
        PrimitiveIterator.OfLong number = numbers.iterator();
        while (shown.size() < peek.most() && size < QueueLimits.ENOUGH && looked++ < MOST_ENTRIES && number.hasNext()) {
            ItemRecord item = lane.item(number.nextLong());
            if (isWanted(peek, item.content)) {
                shown.add(shows.of(queue, item, null, null));
                size += shown.get(shown.size() - 1).jsonBytes();
            }
        }
        return shown;
    }

    /** Entries of due lists of keys that were pushed or removed meanwhile are still there. */
    private List<ShownItem> resting(Queue queue, Peek peek) {
        Map<String, ShownItem> shown = new LinkedHashMap<>();
        int looked = 0;
        long size = 0;
        for (DueList list : queue.dueLists()) {
            for (long i = list.first; i < list.next; i++) {
                if (shown.size() == peek.most() || size >= QueueLimits.ENOUGH || looked++ == MOST_ENTRIES) {
                    return List.copyOf(shown.values());
                }
                DueRecord due = lane.work.get(Tables.DUE, Tables.key(queue.name(), list.entry(i)));
                RestRecord rest = lane.item(queue, due.key()) == null ? rests.find(queue, due.key()) : null;
                if (rest != null && isWanted(peek, rest.content) && !shown.containsKey(rest.key)) {
                    shown.put(rest.key, shows.resting(queue, rest));
                    size += shown.get(rest.key).jsonBytes();
                }
            }
        }
        return List.copyOf(shown.values());
    }

    static List<Long> next(Queue queue, Peek peek) {
        PriorityQueue<Long> best = new PriorityQueue<>((a, b) -> Long.compare(b, a));
        addBest(best, queue, peek);
        List<Long> places = new ArrayList<>(best);
        places.sort(null);
        return places;
    }

    private static void addBest(PriorityQueue<Long> best, Queue queue, Peek peek) {
        int looked = 0;
        for (Line line : queue.lines()) {
            for (Share share : shares(line, peek)) {
                for (Bucket bucket : share.bestFirst()) {
                    if (looked++ == MOST_BUCKETS) {
                        return;
                    }
                    add(best, bucket, peek.most());
                }
            }
        }
    }

    private static Collection<Share> shares(Line line, Peek peek) {
        if (!isOfKinds(peek, line.kind())) {
            return List.of();
        }
        if (peek.owner() == null) {
            return line.shares();
        }
        Share share = line.share(peek.owner());
        return share == null ? List.of() : List.of(share);
    }

    private static void add(PriorityQueue<Long> best, Bucket bucket, int most) {
        for (LongIterator places = bucket.places().iterator(); places.hasNext(); ) {
            long place = places.nextLong();
            if (best.size() == most && place >= best.peek()) {
                return;
            }
            best.add(place);
            if (best.size() > most) {
                best.poll();
            }
        }
    }
}
