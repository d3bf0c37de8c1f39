package dev.weir.queues.model;

import dev.weir.engine.interleave.Iwrr;
import dev.weir.engine.limit.Groups;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The waiting items of one kind of a queue. Items of priority 1 come first, and their owners take turns; then the owners take turns by
 * their weights.
 */
public final class Line {

    /** A worker that has nothing to do asks every few seconds, one that is started by a clock every few minutes. */
    public static final long SILENT_MILLIS = 5 * 60_000;

    private final Queue queue;
    private final String kind;
    private final String pool;
    private final Groups groups;
    private final Map<String, Share> shares = new LinkedHashMap<>();
    private final Iwrr express = new Iwrr();
    private final Iwrr turns = new Iwrr();
    /** Whose turn it is, until it gives or has nothing to give. */
    private Share.Turn nextExpress;

    private Share.Turn next;
    private long arrivals;
    /** When a pop asked for this kind last, in milliseconds since 1970; 0 for never. */
    private long askedAt;
    /** Whether one has lately: otherwise it keeps no place of a group from others, because nobody would use it. */
    private boolean wanted;

    Line(Queue queue, String kind, Groups groups) {
        this.queue = queue;
        this.kind = kind;
        pool = queue.name() + '/' + kind;
        this.groups = groups;
    }

    public Queue queue() {
        return queue;
    }

    public String kind() {
        return kind;
    }

    /** Its name among those that wait for groups. */
    public String pool() {
        return pool;
    }

    public Collection<Share> shares() {
        return shares.values();
    }

    public long askedAt() {
        return askedAt;
    }

    public void asked(long nowMillis) {
        askedAt = nowMillis;
        wanted = true;
    }

    boolean isWanted() {
        return wanted;
    }

    /** If nobody has asked for it lately, the places that groups keep for it go to others. */
    public void giveUpIfSilent(long nowMillis) {
        if (wanted && nowMillis - askedAt > SILENT_MILLIS) {
            wanted = false;
            releasePlaces(nowMillis);
        }
    }

    /** The items of an owner; null when it has none that wait. */
    public Share share(String owner) {
        return shares.get(owner);
    }

    boolean isEmpty() {
        return shares.isEmpty();
    }

    void add(Owner owner, long place, List<String> keys, long nowMillis) {
        Share share = shares.get(owner.name());
        if (share == null) {
            share = new Share(this, owner, groups, arrivals++);
            shares.put(owner.name(), share);
        }
        share.add(place, keys, nowMillis);
    }

    void remove(String owner, long place, List<String> keys, long nowMillis) {
        Share share = shares.get(owner);
        if (share == null) {
            throw new IllegalStateException("owner " + owner + " has no item that waits");
        }
        share.remove(place, keys, nowMillis);
        forgetIfEmpty(share);
    }

    private void forgetIfEmpty(Share share) {
        if (share.items() == 0) {
            shares.remove(share.owner().name());
        }
    }

    /** What a share can give has changed. */
    void changed(Share share) {
        long first = share.first();
        if (first == Long.MAX_VALUE) {
            turns.remove(share.turn);
            express.remove(share.express);
        } else {
            turns.add(share.turn);
            if (Place.priority(first) == 1) {
                express.add(share.express);
            } else {
                express.remove(share.express);
            }
            queue.agenda().add(queue);
        }
    }

    /** An owner has another weight. */
    void weighed(Owner owner) {
        Share share = shares.get(owner.name());
        if (share != null) {
            share.turn.weigh(0, owner.weight());
            turns.changed(share.turn);
        }
    }

    /** The bucket whose first item is the next; null when none may start. */
    public Bucket head(long nowMillis) {
        while (true) {
            Share.Turn turn = turn();
            if (turn == null) {
                return null;
            }
            Bucket bucket = turn.share.candidate(nowMillis);
            if (bucket != null && turn.isReady()) {
                return bucket;
            }
        }
    }

    private Share.Turn turn() {
        nextExpress = nextExpress != null && nextExpress.isReady() ? nextExpress : (Share.Turn) express.next();
        if (nextExpress != null) {
            return nextExpress;
        }
        next = next != null && next.isReady() ? next : (Share.Turn) turns.next();
        return next;
    }

    /** Takes the first item of the {@link #head}; returns its number. */
    public long take(Bucket head, long nowMillis) {
        if (nextExpress != null) {
            nextExpress = null;
        } else {
            next = null;
        }
        long number = head.share.take(head, nowMillis);
        forgetIfEmpty(head.share);
        return number;
    }

    /** What groups have granted to its items or reserved for them goes to others. */
    void releasePlaces(long nowMillis) {
        shares.values().forEach(share -> share.releasePlaces(nowMillis));
    }

    /** All that waits goes at once. */
    void clear(long nowMillis) {
        shares.values().forEach(share -> share.clear(nowMillis));
        shares.clear();
    }
}
