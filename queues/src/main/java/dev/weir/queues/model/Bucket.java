package dev.weir.queues.model;

import dev.weir.engine.limit.FileBucket;
import dev.weir.engine.limit.GroupSet;
import dev.weir.engine.limit.Waiter;
import it.unimi.dsi.fastutil.longs.LongAVLTreeSet;
import it.unimi.dsi.fastutil.longs.LongIterator;
import it.unimi.dsi.fastutil.longs.LongSortedSet;
import java.util.List;

/** Waiting items of one owner and kind that are in the same limit groups: either all can start now, or none can. */
public final class Bucket implements FileBucket {

    final Share share;
    final List<String> keys;
    private final GroupSet groups;
    /** A million of them must fit: of primitive values, an entry has 32 bytes and not 56. */
    private final LongSortedSet places = new LongAVLTreeSet();

    /** The first place; while it is in an order, it must not change. */
    private long first = Long.MAX_VALUE;
    /** Null unless it has found a group full since its last start. */
    Waiter waiter;

    Bucket(Share share, List<String> keys, GroupSet groups) {
        this.share = share;
        this.keys = keys;
        this.groups = groups;
    }

    void add(long place) {
        places.add(place);
        first = places.firstLong();
    }

    boolean remove(long place) {
        boolean was = places.remove(place);
        first = places.isEmpty() ? Long.MAX_VALUE : places.firstLong();
        return was;
    }

    /** The first place; {@link Long#MAX_VALUE} when it is empty. */
    public long first() {
        return first;
    }

    /** The first place of a worse priority than that of a place; {@link Long#MAX_VALUE} for none. */
    public long firstWorse(long place) {
        LongIterator worse = places.iterator(Place.last(Place.priority(place)));
        return worse.hasNext() ? worse.nextLong() : Long.MAX_VALUE;
    }

    public LongSortedSet places() {
        return places;
    }

    boolean isEmpty() {
        return places.isEmpty();
    }

    /** Whether it waits in the queue of a group. */
    boolean isParked() {
        return waiter != null && waiter.waitsIn() != null;
    }

    boolean hasGrant() {
        return waiter != null && waiter.hasGrant();
    }

    public Share share() {
        return share;
    }

    /** What it waits for; null unless it has found a group full. */
    public Waiter waiter() {
        return waiter;
    }

    @Override
    public String pool() {
        return share.line().pool();
    }

    @Override
    public Object task() {
        return share;
    }

    @Override
    public long files() {
        return places.size();
    }

    @Override
    public GroupSet groups() {
        return groups;
    }

    @Override
    public boolean takesTurns() {
        return true;
    }

    @Override
    public boolean isRanked() {
        return true;
    }

    @Override
    public boolean goesBefore(FileBucket other) {
        return first < ((Bucket) other).first;
    }

    @Override
    public boolean mayStart() {
        return !places.isEmpty()
                && share.line().isWanted()
                && share.line().queue().givesItems();
    }

    @Override
    public void granted() {
        share.granted(this);
    }
}
