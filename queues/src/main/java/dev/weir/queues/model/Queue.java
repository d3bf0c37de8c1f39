package dev.weir.queues.model;

import dev.weir.engine.Timer;
import dev.weir.engine.limit.Groups;
import dev.weir.protocol.queue.QueueSettings;
import dev.weir.queues.state.Content;
import dev.weir.queues.state.ItemRecord;
import dev.weir.queues.state.QueueRecord;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** A queue in memory: which of its items wait, and for what. */
public final class Queue {

    /** Kinds with items that wait. */
    public static final int MOST_KINDS = 1_000;

    public final QueueRecord record;
    private final Set<Queue> agenda;
    private final Groups groups;
    /** By kind. */
    private final Map<String, Line> lines = new TreeMap<>();

    private final Map<String, Owner> owners = new LinkedHashMap<>();
    private final TreeSet<Due> later = new TreeSet<>();
    private final TreeSet<Due> expiring = new TreeSet<>();
    /** The numbers of dead items, with when they died, the oldest first. */
    private final TreeSet<Due> dead = new TreeSet<>();

    public final WaitingPops pops = new WaitingPops();

    private final Numbers purged = new Numbers();
    /** By when they open. */
    private final TreeMap<Long, DueList> dueLists = new TreeMap<>();
    /** Something was due and did not fit in: not before this time is it looked at again. */
    private long duesBlockedUntil;
    /** Owners whose items are to be ranked anew, after those of {@link #toRank}. */
    private final Set<Owner> ownersToRank = new LinkedHashSet<>();

    private final Numbers toRank = new Numbers();

    public final Timer timer = new Timer(TimerKind.QUEUE, this);
    public final Timer purge = new Timer(TimerKind.PURGE, this);
    public final Timer rank = new Timer(TimerKind.RANK, this);

    private long waiting;
    private long leased;
    private long recurring;
    private long bytes;

    /** @param agenda takes queues that may have something to give */
    Queue(QueueRecord record, Set<Queue> agenda, Groups groups) {
        this.record = record;
        this.agenda = agenda;
        this.groups = groups;
    }

    public String name() {
        return record.name;
    }

    public QueueSettings settings() {
        return record.settings;
    }

    Set<Queue> agenda() {
        return agenda;
    }

    /** Whether pops get items. */
    public boolean givesItems() {
        return !record.paused && !record.deleted;
    }

    public Collection<Line> lines() {
        return lines.values();
    }

    /** The items of a kind that wait; null when none ever did. */
    public Line line(String kind) {
        return lines.get(kind);
    }

    /** Whether there is room for items of a kind. Kinds without items make room. */
    public boolean hasRoomForKind(String kind) {
        if (lines.size() >= MOST_KINDS && !lines.containsKey(kind)) {
            lines.values().removeIf(Line::isEmpty);
        }
        return lines.size() < MOST_KINDS || lines.containsKey(kind);
    }

    /** Whether an item with this content would wait in a set of groups that there is already, or in no group. */
    public boolean hasSet(Content content) {
        Line line = lines.get(content.kind());
        Share share = line == null ? null : line.share(content.owner());
        return content.groups().isEmpty() || share != null && share.bucket(content.groups()) != null;
    }

    private Line lineOf(String kind) {
        return lines.computeIfAbsent(kind, name -> new Line(this, name, groups));
    }

    public Collection<Owner> owners() {
        return owners.values();
    }

    /** Null when it has no items and nothing was set for it. */
    public Owner owner(String name) {
        return owners.get(name);
    }

    private Owner ownerOf(String name) {
        return owners.computeIfAbsent(name, Owner::new);
    }

    public long waiting() {
        return waiting;
    }

    public long later() {
        return later.size();
    }

    public long leased() {
        return leased;
    }

    /** Of keys and payloads of all items that are not dead. */
    public long bytes() {
        return bytes;
    }

    /** How many items are not dead. */
    public long live() {
        return waiting + later.size() + leased;
    }

    /** Of how many items that are not dead the keys run again. */
    public long recurring() {
        return recurring;
    }

    public TreeSet<Due> dead() {
        return dead;
    }

    public TreeSet<Due> laterItems() {
        return later;
    }

    public TreeSet<Due> expiring() {
        return expiring;
    }

    /** When something of it is due, in milliseconds since 1970; {@link Long#MAX_VALUE} for never. */
    public long nextAt() {
        long at = Math.min(
                duesAt(),
                Math.min(
                        later.isEmpty() ? Long.MAX_VALUE : later.first().at(),
                        expiring.isEmpty() ? Long.MAX_VALUE : expiring.first().at()));
        return Math.min(at, deadAt());
    }

    /** When the oldest dead item goes, in milliseconds since 1970: at once when there are more than may be kept; {@link Long#MAX_VALUE} for none. */
    public long deadAt() {
        if (dead.isEmpty()) {
            return Long.MAX_VALUE;
        }
        return dead.size() > settings().maxDead()
                ? 0
                : dead.first().at() + settings().deadS() * 1_000L;
    }

    /** Counts an item in, and puts it where its state says; not one that is purged. */
    public void enter(ItemRecord item, long nowMillis) {
        if (item.state == ItemRecord.State.DEAD) {
            dead.add(new Due(item.at, item.number));
            return;
        }
        Owner owner = ownerOf(item.content.owner());
        owner.items++;
        bytes += item.size();
        recurring += item.recurs() ? 1 : 0;
        switch (item.state) {
            case WAITING -> {
                waiting++;
                lineOf(item.content.kind())
                        .add(owner, Place.of(item.content.priority(), item.number), item.content.groups(), nowMillis);
            }
            case LATER -> later.add(new Due(item.at, item.number));
            default -> leased++;
        }
        if (item.state != ItemRecord.State.LEASED && item.content.expiresAt() > 0) {
            expiring.add(new Due(item.content.expiresAt(), item.number));
        }
    }

    /** Undoes {@link #enter}; call it before anything of the item changes. */
    public void leave(ItemRecord item, long nowMillis) {
        if (item.state == ItemRecord.State.WAITING) {
            lines.get(item.content.kind())
                    .remove(
                            item.content.owner(),
                            Place.of(item.content.priority(), item.number),
                            item.content.groups(),
                            nowMillis);
        }
        uncount(item);
    }

    /** The same for an item that waits and was just taken from its line. */
    public void uncount(ItemRecord item) {
        if (item.state == ItemRecord.State.DEAD) {
            dead.remove(new Due(item.at, item.number));
            return;
        }
        bytes -= item.size();
        recurring -= item.recurs() ? 1 : 0;
        duesBlockedUntil = 0;
        switch (item.state) {
            case WAITING -> waiting--;
            case LATER -> later.remove(new Due(item.at, item.number));
            default -> leased--;
        }
        if (item.content.expiresAt() > 0) {
            expiring.remove(new Due(item.content.expiresAt(), item.number));
        }
        Owner owner = owners.get(item.content.owner());
        owner.items--;
        if (owner.items == 0 && !owner.isSet()) {
            owners.remove(owner.name());
        }
    }

    /**
     * An item that stays where it is has another successor.
     *
     * @param bytesBefore its size before
     * @param recurredBefore whether it recurred before
     */
    public void changed(ItemRecord item, long bytesBefore, boolean recurredBefore) {
        bytes += item.size() - bytesBefore;
        recurring += (item.recurs() ? 1 : 0) - (recurredBefore ? 1 : 0);
    }

    /** Sets weight, bound and facts of an owner. */
    public void setOwner(String name, int weight, Integer maxItems, Map<String, Double> facts) {
        Owner owner = ownerOf(name);
        owner.set(weight, maxItems, facts);
        lines.values().forEach(line -> line.weighed(owner));
    }

    /** An owner is like those for which nothing was set. */
    public void unsetOwner(String name) {
        Owner owner = owners.get(name);
        if (owner != null) {
            owner.unset();
            lines.values().forEach(line -> line.weighed(owner));
            if (owner.items == 0) {
                owners.remove(name);
            }
        }
    }

    /** It gives nothing for now: places of groups that are kept for its items go to others. */
    public void releasePlaces(long nowMillis) {
        lines.values().forEach(line -> line.releasePlaces(nowMillis));
    }

    /**
     * Everything that waits or is put off leaves memory at once, and the state step by step ({@link #nextPurged}).
     *
     * @param deadToo also what is dead
     * @param leases all that there are
     * @return how many items
     */
    public int purge(boolean deadToo, Collection<LiveLease> leases, long nowMillis) {
        long count = waiting + later.size() + (deadToo ? dead.size() : 0);
        for (Line line : lines.values()) {
            for (Share share : line.shares()) {
                for (Bucket bucket : share.buckets()) {
                    bucket.places().forEach(place -> purged.add(Place.number(place)));
                }
            }
        }
        later.forEach(due -> purged.add(due.number()));
        if (deadToo) {
            dead.forEach(due -> purged.add(due.number()));
            dead.clear();
        }
        lines.values().forEach(line -> line.clear(nowMillis));
        lines.clear();
        later.clear();
        expiring.clear();
        waiting = 0;
        duesBlockedUntil = 0;
        recount(leases);
        return (int) count;
    }

    /** After a purge: counts what is still there, which is leased. */
    private void recount(Collection<LiveLease> leases) {
        bytes = 0;
        recurring = 0;
        owners.values().forEach(owner -> owner.items = 0);
        for (LiveLease lease : leases) {
            if (lease.queue == this) {
                bytes += lease.bytes;
                recurring += lease.recurs ? 1 : 0;
                owners.get(lease.owner).items++;
            }
        }
        owners.values().removeIf(owner -> owner.items == 0 && !owner.isSet());
    }

    /** When something is due of keys that rest, in milliseconds since 1970; {@link Long#MAX_VALUE} for never. */
    public long duesAt() {
        return dueLists.isEmpty()
                ? Long.MAX_VALUE
                : Math.max(duesBlockedUntil, dueLists.firstEntry().getValue().opensAt());
    }

    /** What was due did not fit in. It is tried again at a time, or when an item has left. */
    public void blockDues(long untilMillis) {
        duesBlockedUntil = untilMillis;
    }

    /** Null for none. */
    public DueList firstDueList() {
        return dueLists.isEmpty() ? null : dueLists.firstEntry().getValue();
    }

    public Collection<DueList> dueLists() {
        return dueLists.values();
    }

    /** The list in which something is noted that is due at a time. */
    public DueList dueListFor(long at, long now) {
        DueList list = new DueList(DueList.nameOf(at, now), 0, 0);
        return dueLists.computeIfAbsent(list.order(), order -> list);
    }

    /** Adds a list from state. */
    public void restore(DueList list) {
        dueLists.put(list.order(), list);
    }

    public void remove(DueList list) {
        dueLists.remove(list.order());
    }

    /** The items of an owner that wait are to be ranked anew. */
    public void rankAnew(Owner owner) {
        ownersToRank.add(owner);
    }

    public boolean isRanking() {
        return !toRank.isEmpty() || !ownersToRank.isEmpty();
    }

    /** The number of the next item to rank; -1 when its owner has none; only while {@link #isRanking}. */
    public long nextToRank() {
        if (toRank.isEmpty()) {
            Owner owner = ownersToRank.iterator().next();
            ownersToRank.remove(owner);
            for (Line line : lines.values()) {
                Share share = line.share(owner.name());
                if (share != null) {
                    share.buckets()
                            .forEach(bucket -> bucket.places().forEach(place -> toRank.add(Place.number(place))));
                }
            }
        }
        return toRank.isEmpty() ? -1 : toRank.poll();
    }

    /** After a restore: an item that was purged is still in state. */
    public void stillPurged(long number) {
        purged.add(number);
    }

    public boolean isPurging() {
        return !purged.isEmpty();
    }

    /** The next purged number to remove from state; only while {@link #isPurging}. */
    public long nextPurged() {
        return purged.poll();
    }
}
