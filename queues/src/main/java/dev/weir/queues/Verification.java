package dev.weir.queues;

import dev.weir.engine.limit.Group;
import dev.weir.queues.model.Bucket;
import dev.weir.queues.model.Lane;
import dev.weir.queues.model.Line;
import dev.weir.queues.model.Queue;
import dev.weir.queues.model.Share;
import it.unimi.dsi.fastutil.longs.LongSortedSet;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** Compares a lane's memory with one that is built from its state: what differs would change decisions after a restart. */
final class Verification {

    private final Lane lane;
    private final Lane rebuilt;

    Verification(Lane lane, Lane rebuilt) {
        this.lane = lane;
        this.rebuilt = rebuilt;
    }

    /** Throws {@link IllegalStateException} with what differs. */
    void run() {
        same("items in state", lane.items, rebuilt.items);
        same("queues", lane.queues.keySet(), rebuilt.queues.keySet());
        same("leases", new TreeSet<>(lane.leases.keySet()), new TreeSet<>(rebuilt.leases.keySet()));
        same("groups", inFlight(lane), inFlight(rebuilt));
        same("places taken", lane.placesTaken, rebuilt.placesTaken);
        lane.queues.forEach((name, queue) -> queue(name, queue, rebuilt.queues.get(name)));
    }

    private static Map<String, Integer> inFlight(Lane of) {
        Map<String, Integer> inFlight = new TreeMap<>();
        for (Group group : of.groups.all()) {
            if (group.inFlight() > 0) {
                inFlight.put(group.key(), group.inFlight());
            }
        }
        return inFlight;
    }

    private static void queue(String name, Queue queue, Queue other) {
        same(name + ": waiting", queue.waiting(), other.waiting());
        same(name + ": later", queue.laterItems(), other.laterItems());
        same(name + ": expiring", queue.expiring(), other.expiring());
        same(name + ": dead", queue.dead(), other.dead());
        same(name + ": leased", queue.leased(), other.leased());
        same(name + ": keys that run again", queue.recurring(), other.recurring());
        same(name + ": due lists", dueLists(queue), dueLists(other));
        same(name + ": bytes", queue.bytes(), other.bytes());
        same(name + ": owners", owners(queue), owners(other));
        same(name + ": places", places(queue), places(other));
        same(name + ": purging", queue.isPurging(), other.isPurging());
    }

    private static Map<Long, String> dueLists(Queue queue) {
        Map<Long, String> lists = new TreeMap<>();
        queue.dueLists().forEach(list -> lists.put(list.name, list.first + " to " + list.next));
        return lists;
    }

    private static Map<String, String> owners(Queue queue) {
        Map<String, String> owners = new TreeMap<>();
        queue.owners()
                .forEach(owner -> owners.put(
                        owner.name(),
                        owner.items() + " items, weight " + owner.weight() + ", bound " + owner.maxItems() + ", facts "
                                + new TreeMap<>(owner.facts())));
        return owners;
    }

    private static Map<String, LongSortedSet> places(Queue queue) {
        Map<String, LongSortedSet> places = new TreeMap<>();
        for (Line line : queue.lines()) {
            for (Share share : line.shares()) {
                for (Bucket bucket : share.buckets()) {
                    places.put(
                            line.kind() + " of " + share.owner().name() + " in "
                                    + bucket.groups().keys(),
                            bucket.places());
                }
            }
        }
        return places;
    }

    private static void same(String what, Object known, Object stored) {
        if (!known.equals(stored)) {
            throw new IllegalStateException(what + ": in memory " + known + ", from state " + stored);
        }
    }
}
