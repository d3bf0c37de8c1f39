package dev.weir.queues.model;

import dev.weir.engine.interleave.Member;
import dev.weir.engine.limit.Group;
import dev.weir.engine.limit.GroupSet;
import dev.weir.engine.limit.Groups;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The waiting items of one owner and kind. The best one whose groups have room is the next. */
public final class Share {

    private final Line line;
    private final Owner owner;
    private final Groups groups;
    private final Map<List<String>, Bucket> buckets = new HashMap<>(2);
    /** Buckets that are not parked at a group; the best first. */
    private final TreeSet<Bucket> ready = new TreeSet<>((a, b) -> Long.compare(a.first(), b.first()));
    /** Buckets with a grant of a group. */
    private final Set<Bucket> granted = new LinkedHashSet<>(2);
    /** Its turns among the owners with an item of priority 1, and among all owners. */
    final Turn express;

    final Turn turn;
    private int items;

    /** A share as a policy sees it. */
    static final class Turn extends Member {
        final Share share;

        Turn(Share share, long arrival, int weight) {
            this.share = share;
            this.arrival = arrival;
            this.weight = weight;
        }
    }

    Share(Line line, Owner owner, Groups groups, long arrival) {
        this.line = line;
        this.owner = owner;
        this.groups = groups;
        express = new Turn(this, arrival, 1);
        turn = new Turn(this, arrival, owner.weight());
    }

    public Line line() {
        return line;
    }

    public Owner owner() {
        return owner;
    }

    /** How many of its items wait. */
    public int items() {
        return items;
    }

    /** The first place of those that are not known to wait for a group; {@link Long#MAX_VALUE} for none. */
    long first() {
        return ready.isEmpty() ? Long.MAX_VALUE : ready.first().first();
    }

    public Collection<Bucket> buckets() {
        return buckets.values();
    }

    /** The buckets that are not parked, the best first, and then the parked ones in no order. */
    public Iterable<Bucket> bestFirst() {
        return () -> Stream.concat(ready.stream(), buckets.values().stream().filter(Bucket::isParked))
                .iterator();
    }

    /** Its items in a set of groups; null for none. */
    public Bucket bucket(List<String> keys) {
        return buckets.get(keys);
    }

    void add(long place, List<String> keys, long nowMillis) {
        Bucket bucket = buckets.get(keys);
        if (bucket == null) {
            GroupSet set = groups.resolve(keys);
            if (!keys.isEmpty()) {
                groups.held(set);
            }
            bucket = new Bucket(this, keys, set);
            buckets.put(keys, bucket);
        }
        items++;
        Bucket changed = bucket;
        if (bucket.isParked()) {
            bucket.waiter.rerank(() -> changed.add(place));
            releaseGrantsBehind(place, nowMillis);
        } else if (place > bucket.first()) {
            // It keeps its place among the buckets. Most items that are pushed, or read at a start, come behind others.
            bucket.add(place);
        } else {
            ready.remove(bucket);
            bucket.add(place);
            ready.add(bucket);
        }
        line.changed(this);
    }

    /** Removes an item that waits. Throws {@link IllegalStateException} if it is not here. */
    void remove(long place, List<String> keys, long nowMillis) {
        Bucket bucket = buckets.get(keys);
        if (bucket == null || !bucket.places().contains(place)) {
            throw new IllegalStateException("no item waits at " + Place.number(place) + " in groups " + keys);
        }
        items--;
        if (bucket.isParked() && bucket.files() > 1) {
            bucket.waiter.rerank(() -> bucket.remove(place));
        } else {
            // The last one leaves the queue of a group with its bucket, at whose place it stands until then.
            ready.remove(bucket);
            drop(bucket, place, nowMillis);
        }
        line.changed(this);
    }

    /** Items without groups take no room of sets of groups. */
    private void dropped(Bucket bucket, long nowMillis) {
        if (!bucket.keys.isEmpty()) {
            groups.dropped(bucket.groups(), nowMillis);
        }
    }

    private void drop(Bucket bucket, long place, long nowMillis) {
        if (bucket.files() == 1) {
            buckets.remove(bucket.keys);
            granted.remove(bucket);
            if (bucket.waiter != null) {
                bucket.waiter.leave(nowMillis);
                bucket.waiter = null;
            }
            bucket.remove(place);
            dropped(bucket, nowMillis);
        } else {
            boolean wasFirst = bucket.first() == place;
            bucket.remove(place);
            ready.add(bucket);
            if (wasFirst && granted.contains(bucket)) {
                releaseGrants(nowMillis);
            }
        }
    }

    /** The bucket whose first item is the next; those whose groups are full are parked. Null when none may start. */
    Bucket candidate(long nowMillis) {
        while (!ready.isEmpty()) {
            Bucket best = ready.first();
            Group full = groups.full(best, best.waiter, true, nowMillis);
            if (full == null) {
                return best;
            }
            ready.remove(best);
            granted.remove(best);
            best.waiter = groups.await(full, best, best.waiter, nowMillis);
            line.changed(this);
        }
        return null;
    }

    /**
     * Takes the first item of the {@link #candidate}: it has a place in its groups from now on. The grants of its other items end when the
     * event does ({@link #releaseGrants}): a batch of pops uses them, and each release has all that lose one look for a place again.
     *
     * @return its number
     */
    long take(Bucket bucket, long nowMillis) {
        long place = bucket.first();
        items--;
        // Started first: a group without items may be forgotten.
        groups.started(bucket.groups(), bucket.pool(), nowMillis);
        granted.remove(bucket);
        if (bucket.waiter != null) {
            bucket.waiter.started(nowMillis);
            bucket.waiter = null;
        }
        ready.remove(bucket);
        drop(bucket, place, nowMillis);
        line.changed(this);
        return Place.number(place);
    }

    /** A parked item is at this place now: a group that has granted a place to one behind it must choose again. */
    private void releaseGrantsBehind(long place, long nowMillis) {
        for (Bucket other : granted) {
            if (other.first() > place) {
                releaseGrants(nowMillis);
                return;
            }
        }
    }

    /** Its grants go to others. */
    public void releaseGrants(long nowMillis) {
        for (Bucket other : new ArrayList<>(granted)) {
            // The release of one can end the wait of the next.
            if (other.waiter != null && granted.remove(other)) {
                other.waiter.release(nowMillis);
            }
        }
    }

    /** So do its reservations: nothing of it starts for now. */
    void releasePlaces(long nowMillis) {
        releaseGrants(nowMillis);
        for (Bucket bucket : buckets.values()) {
            if (bucket.waiter != null && bucket.waiter.hasReservation()) {
                bucket.waiter.release(nowMillis);
            }
        }
    }

    /** A group has granted a bucket a place, or does not let it wait any more. */
    void granted(Bucket bucket) {
        if (bucket.hasGrant()) {
            granted.add(bucket);
        } else {
            bucket.waiter = null;
        }
        if (!bucket.isEmpty()) {
            ready.add(bucket);
        }
        line.changed(this);
    }

    /** All that waits goes at once; the caller has taken the places. */
    void clear(long nowMillis) {
        for (Bucket bucket : new ArrayList<>(buckets.values())) {
            ready.remove(bucket);
            granted.remove(bucket);
            if (bucket.waiter != null) {
                bucket.waiter.leave(nowMillis);
                bucket.waiter = null;
            }
            dropped(bucket, nowMillis);
        }
        buckets.clear();
        granted.clear();
        ready.clear();
        items = 0;
        line.changed(this);
    }
}
