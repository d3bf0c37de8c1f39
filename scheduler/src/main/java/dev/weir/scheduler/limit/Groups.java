package dev.weir.scheduler.limit;

import dev.weir.scheduler.options.CommandOptions;
import dev.weir.scheduler.options.GroupLimit;
import dev.weir.scheduler.options.LimitOptions;
import dev.weir.scheduler.state.GroupRecord;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.BiConsumer;

/** All limit groups of a lane that are in use or have a limit. */
public final class Groups {

    private record Opening(long at, Group group) {}

    private final GroupKeys keys;
    private final KeyTable<String, Group> byKey = new KeyTable<>();
    private final PriorityQueue<Opening> openings = new PriorityQueue<>((a, b) -> Long.compare(a.at, b.at));
    private final Set<Group> changed = new LinkedHashSet<>();

    private final int lane;
    private final int lanes;
    private final long memoryMillis;
    /** Changes at each start, without a pattern (a linear congruential generator; its upper half is used). */
    private long shuffled;
    /** How many numbers were drawn; see {@link Group.Waiter#ticket}. */
    private long tickets;
    /** How many have a limit. */
    private int limited;

    /** Of the only lane. */
    public Groups(LimitOptions options) {
        this(options, CommandOptions.defaults().memory(), 0, 1);
    }

    /**
     * Of one of several lanes, which share each limit.
     *
     * @param memory how long commands are remembered
     */
    public Groups(LimitOptions options, Duration memory, int lane, int lanes) {
        keys = new GroupKeys(options);
        memoryMillis = memory.toMillis();
        this.lane = lane;
        this.lanes = lanes;
    }

    public GroupKeys keys() {
        return keys;
    }

    /** After a restore, before anything else. */
    public void restore(String key, GroupRecord record) {
        GroupLimit whole = record.limit() == null ? keys.limit(key) : record.limit();
        add(new Group(key, whole.ofLane(lane, lanes), record));
    }

    private void add(Group group) {
        byKey.add(group);
        limited += group.isLimited() ? 1 : 0;
    }

    /** The group; made when it is not known yet. */
    public Group get(String key) {
        Group group = byKey.get(key);
        if (group == null) {
            group = new Group(key, keys.limit(key).ofLane(lane, lanes), null);
            add(group);
        }
        return group;
    }

    public int size() {
        return byKey.size();
    }

    /** Whether any of them is limited now. */
    public boolean areLimited() {
        return limited > 0;
    }

    /**
     * Of these that allow no start now, the one that comes first in the order in which places are kept; null when all allow one.
     *
     * @param waiter who wants to start, and may not take the places of those who were woken, nor those that are kept; null for one that
     *     goes before these
     * @param turnOf the group for which it was woken itself, and where it may take its place; null for none
     */
    public Group blocking(GroupSet groups, Group.Waiter waiter, Group turnOf, long nowMillis) {
        Group first = null;
        for (int i = 0; i < groups.size(); i++) {
            Group group = groups.group(i);
            int free = group.free(nowMillis);
            if (waiter != null && free > 0 && !group.isKeptFor(waiter)) {
                free -= group.isKeptFrom(waiter) ? 1 : 0;
                boolean givesWay = turnOf == null || isAfter(group, turnOf);
                free -= givesWay ? group.turns(waiter.pool()) : 0;
            }
            if (free <= 0 && (first == null || isBefore(group, first))) {
                first = group;
            }
        }
        return first;
    }

    /**
     * Whether places of a group are kept for those who wait for another one; the other way round they are not, or two would wait
     * for each other. The smaller comes first: jobs end more often in the larger one, so the place is empty for a shorter time.
     */
    public static boolean isBefore(Group group, Group other) {
        int size = group.limit().maxInFlight();
        int otherSize = other.limit().maxInFlight();
        if (size != otherSize) {
            return size < otherSize;
        }
        return group.hash() != other.hash()
                ? group.hash() < other.hash()
                : group.key().compareTo(other.key()) < 0;
    }

    /**
     * Whether a group comes after another one in the order in which those that were woken give way to each other. All use the same one
     * until something starts, so what gives way goes on to later groups only, and that ends.
     */
    private boolean isAfter(Group group, Group other) {
        int shuffle = (int) (shuffled >>> 32);
        return (group.hash() ^ shuffle) > (other.hash() ^ shuffle);
    }

    /** One that was woken for a group starts. */
    public static void turnUsed(Group group, Group.Waiter waiter) {
        group.turnUsed(waiter.pool());
    }

    /** One that was woken for a group finds it full and waits there again. */
    public void turnInVain(Group group, Group.Waiter waiter, long nowMillis) {
        group.turnInVain(waiter.pool(), nowMillis);
        armTimer(group, nowMillis);
    }

    /**
     * One waits for a group.
     *
     * @param first before all others of its pool, where turns are taken
     */
    public void park(Group group, Group.Waiter waiter, boolean first, long nowMillis) {
        group.park(waiter, first, this);
        armTimer(group, nowMillis);
    }

    /** One that is parked, first or not, waits no more. */
    public static void left(Group group, Group.Waiter waiter, boolean first) {
        group.left(waiter, first);
    }

    /** Whether one that was woken for a group may keep its place there while it waits for another one. */
    public boolean mayKeep(Group group, Group awaited, Group.Waiter waiter, long nowMillis) {
        return mayAwait(awaited, waiter, nowMillis) && group.mayKeep(waiter, shuffled, nowMillis);
    }

    /** Whether one may keep places in others while it waits for a group. */
    public static boolean mayAwait(Group group, Group.Waiter waiter, long nowMillis) {
        return !group.isClosed() && group.awaited().mayBegin(waiter, nowMillis);
    }

    /**
     * One may not keep a place in a group while it waits for another one: until then no one may that has waited shorter. Returns false
     * when the other group is closed, so that nobody may.
     */
    public static boolean ask(Group group, Group awaited, Group.Waiter waiter, long untilMillis) {
        if (awaited.isClosed()) {
            return false;
        }
        group.kept().candidates().add(waiter, untilMillis);
        awaited.awaited().candidates().add(waiter, untilMillis);
        return true;
    }

    /** One asks no more for places to be kept. */
    public static void withdraw(GroupSet groups, Group.Waiter waiter) {
        for (int i = 0; i < groups.size(); i++) {
            groups.group(i).kept().candidates().remove(waiter);
            groups.group(i).awaited().candidates().remove(waiter);
        }
    }

    /** Changes at each start. */
    long starts() {
        return shuffled;
    }

    /** A number for one who begins to wait; see {@link Group.Waiter#ticket}. */
    public long ticket() {
        return ++tickets;
    }

    /** One that was woken for a group keeps its place there, at most until then. */
    public void keep(Group group, Group.Waiter waiter, long nowMillis, long untilMillis) {
        group.kept().begin(waiter, shuffled, nowMillis, untilMillis);
        group.turnInVain(waiter.pool(), nowMillis);
        armTimer(group, nowMillis);
    }

    /**
     * One that keeps places in some of its groups waits for another of them.
     *
     * @param awaited null for none any more
     */
    public static void await(GroupSet groups, Group awaited, Group.Waiter waiter) {
        for (int i = 0; i < groups.size(); i++) {
            Group group = groups.group(i);
            if (group == awaited) {
                group.awaited().by(waiter);
            } else if (group.awaited().by() == waiter) {
                group.awaited().by(null);
            }
        }
    }

    /** One takes the place that was kept for it. */
    public static void keptUsed(Group group, long nowMillis) {
        group.kept().end(nowMillis);
    }

    /** One does without the place that was kept for it. */
    public void giveBack(Group group, long nowMillis) {
        group.kept().end(nowMillis);
        settle(group, 1, nowMillis);
    }

    public void started(GroupSet groups, long nowMillis) {
        for (int i = 0; i < groups.size(); i++) {
            Group group = groups.group(i);
            group.started(nowMillis);
            if (group.limitsStarts()) {
                changed.add(group);
            }
            armTimer(group, nowMillis);
        }
    }

    /** As above, where others of the pool may have waited: other pools come before it next time. */
    public void started(GroupSet groups, String pool, long nowMillis) {
        for (int i = 0; i < groups.size(); i++) {
            groups.group(i).taken(pool, nowMillis);
        }
        shuffled = shuffled * 6364136223846793005L + 1442695040888963407L;
        started(groups, nowMillis);
    }

    /** After a restore: a job that is out. */
    public void counted(GroupSet groups) {
        for (int i = 0; i < groups.size(); i++) {
            groups.group(i).counted();
        }
    }

    public void ended(GroupSet groups, long nowMillis) {
        for (int i = 0; i < groups.size(); i++) {
            Group group = groups.group(i);
            group.ended();
            settle(group, 1, nowMillis);
            forgetIfUnused(group, nowMillis);
        }
    }

    /** A bucket of these groups is gone. */
    public void dropped(GroupSet groups, long nowMillis) {
        for (int i = 0; i < groups.size(); i++) {
            Group group = groups.group(i);
            group.dropped();
            forgetIfUnused(group, nowMillis);
        }
    }

    /** After a restore, when everything that uses a group is known. */
    public void forgetUnused(long nowMillis) {
        byKey.entries().forEach(group -> forgetIfUnused(group, nowMillis));
    }

    private void forgetIfUnused(Group group, long nowMillis) {
        GroupLimit configured = group.isCommanded() ? keys.limit(group.key()) : null;
        long at = group.forgettableAt(nowMillis, configured, memoryMillis);
        if (at <= nowMillis) {
            byKey.remove(group);
            limited -= group.isLimited() ? 1 : 0;
            group.forget();
            if (group.isRecorded()) {
                changed.add(group);
            }
        } else if (at != Long.MAX_VALUE) {
            look(group, at);
        }
    }

    private void look(Group group, long at) {
        if (at < group.timerAt) {
            group.timerAt = at;
            openings.add(new Opening(at, group));
        }
    }

    /** A limit given at run time. Returns false when a newer command was here before. */
    public boolean command(String key, GroupLimit limit, long at, long nowMillis) {
        Group group = get(key);
        boolean wasLimited = group.isLimited();
        if (!group.command(limit, limit.ofLane(lane, lanes), at)) {
            forgetIfUnused(group, nowMillis);
            return false;
        }
        limited += (group.isLimited() ? 1 : 0) - (wasLimited ? 1 : 0);
        changed.add(group);
        if (group.isClosed()) {
            group.kept().candidates().giveBack(nowMillis);
            group.awaited().close(nowMillis);
            group.closed(nowMillis);
        }
        settle(group, Integer.MAX_VALUE, nowMillis);
        forgetIfUnused(group, nowMillis);
        return true;
    }

    /** One that was woken does not use its turn. */
    public void passOn(Group group, Group.Waiter waiter, long nowMillis) {
        group.passOn(waiter.pool(), nowMillis);
        armTimer(group, nowMillis);
    }

    /** One that was woken sees something else of its owner start first. */
    public void lapse(Group group, Group.Waiter waiter, long nowMillis) {
        group.lapse(waiter, nowMillis);
        armTimer(group, nowMillis);
    }

    /** One whose turn has lapsed starts after all, waits again, or is gone. */
    public void lapseEnded(Group group, Group.Waiter waiter, long nowMillis) {
        group.lapseEnded(waiter, nowMillis);
        armTimer(group, nowMillis);
    }

    private void settle(Group group, int more, long nowMillis) {
        group.wake(more, nowMillis);
        armTimer(group, nowMillis);
    }

    private void armTimer(Group group, long nowMillis) {
        if (group.isKept()) {
            look(group, group.keptUntil());
        }
        if (!group.limitsStarts() || !group.hasWaiting()) {
            return;
        }
        look(group, group.growsAt(nowMillis));
    }

    /** Wakes who waits for windows that have opened, and forgets groups that nobody needs any more. */
    public void tick(long nowMillis) {
        while (!openings.isEmpty() && openings.peek().at <= nowMillis) {
            Opening opening = openings.poll();
            if (opening.group.timerAt == opening.at) {
                opening.group.timerAt = Long.MAX_VALUE;
                if (opening.group.isKept()) {
                    opening.group.kept().lapse(nowMillis);
                }
                settle(opening.group, Integer.MAX_VALUE, nowMillis);
                forgetIfUnused(opening.group, nowMillis);
            }
        }
    }

    public long nextDeadlineMillis() {
        return openings.isEmpty() ? Long.MAX_VALUE : openings.peek().at;
    }

    /** Gives what has changed and must be kept, and forgets that it changed; a null record is to be removed. */
    public void drainChanged(BiConsumer<String, GroupRecord> consumer) {
        if (!changed.isEmpty()) {
            for (Group group : changed) {
                consumer.accept(group.key(), group.record());
            }
            changed.clear();
        }
    }

    /** The groups with these keys, those made that are not known yet. State from before may name one twice; it counts once. */
    public GroupSet resolve(List<String> groupKeys) {
        return groupKeys.size() == 1
                ? get(groupKeys.get(0))
                : GroupSet.of(groupKeys.stream().distinct().map(this::get).toArray(Group[]::new));
    }

    /** Groups that hold something now, for people. */
    public List<Group> all() {
        return byKey.entries();
    }
}
