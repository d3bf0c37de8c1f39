package dev.weir.engine.limit;

import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;

/** All limit groups of a lane that are in use or have a limit. */
public final class Groups {

    /** Groups that one event looks at because of their time: the next ones follow with the next tick. */
    private static final int OPENINGS_AT_ONCE = 1_000;

    private final GroupKeys keys;
    private final KeyTable<String, Group> byKey = new KeyTable<>();
    private final Openings openings = new Openings();
    private final Set<Group> changed = new LinkedHashSet<>();
    private final GroupNews news = new GroupNews();

    private final int lane;
    private final int lanes;
    private final long memoryMillis;
    /** How many groups were made. */
    private long waiters;
    /** How many groups have a limit. */
    private int limited;
    /** How many sets of groups have files of a task that wait. */
    private int buckets;
    /** How many files wait whose tasks choose among all theirs. */
    private long files;

    private final int most;
    private final int mostFiles;

    /** The groups of a single lane, which remembers commands for 30 days. */
    public Groups(LimitOptions options) {
        this(options, Duration.ofDays(30), 0, 1);
    }

    /**
     * The groups of one of several lanes, which share each limit.
     *
     * @param memory how long commands are remembered
     */
    public Groups(LimitOptions options, Duration memory, int lane, int lanes) {
        keys = new GroupKeys(options);
        memoryMillis = memory.toMillis();
        most = options.maxGroups();
        mostFiles = options.maxFilesInMemory();
        this.lane = lane;
        this.lanes = lanes;
    }

    public GroupKeys keys() {
        return keys;
    }

    /** Adds a group from state. Call this before all other methods after a restore. */
    public void restore(String key, GroupRecord stored, long nowMillis) {
        GroupRecord record = stored.noLaterThan(nowMillis);
        GroupLimit whole = record.limit() == null ? keys.limit(key) : record.limit();
        Group group = new Group(this, key, whole.ofLane(lane, lanes), record);
        add(group);
        if (group.isHeld()) {
            openings.look(group, group.heldUntil());
        }
        if (record != stored) {
            changed.add(group);
        }
    }

    /** What readers have not been shown. */
    public GroupNews news() {
        return news;
    }

    private void add(Group group) {
        byKey.add(group);
        limited += group.isLimited() ? 1 : 0;
        news.note(group);
    }

    /** The group with this key; made at the first call. */
    public Group get(String key) {
        Group group = byKey.get(key);
        if (group == null) {
            group = new Group(this, key, keys.limit(key).ofLane(lane, lanes), null);
            add(group);
        }
        return group;
    }

    /** Whether files or jobs are in the group, or a command has limited it. */
    public boolean isKnown(String key) {
        return byKey.get(key) != null;
    }

    public int size() {
        return byKey.size();
    }

    /** Whether there is room for a group, which may be known. */
    public boolean hasRoomFor(String key) {
        return byKey.size() < most || byKey.get(key) != null;
    }

    /** How many sets of groups have files of a task that wait. */
    public int sets() {
        return buckets;
    }

    /** The most groups that there may be. */
    public int most() {
        return most;
    }

    /** How many groups and sets of groups, whichever is more, these sets would add at most. */
    public int needed(Collection<List<String>> sets) {
        Set<List<String>> distinct = new HashSet<>(sets);
        Set<String> unknown = new HashSet<>();
        for (List<String> set : distinct) {
            for (String key : set) {
                if (byKey.get(key) == null) {
                    unknown.add(key);
                }
            }
        }
        return Math.max(unknown.size(), distinct.size());
    }

    /** Whether there is room for so many groups and sets of groups more; always for none. */
    public boolean hasRoomFor(int more) {
        return more == 0 || byKey.size() + more <= most && buckets + more <= most;
    }

    /** So many files more wait whose tasks choose among all theirs; negative when they do not wait any more. */
    public void filesWait(long more) {
        files += more;
    }

    /** How many files wait whose tasks choose among all theirs. */
    public long waitingFiles() {
        return files;
    }

    /** Whether there is room for so many of these files more. */
    public boolean hasRoomForFiles(int more) {
        return files + more <= mostFiles;
    }

    /** The most of these files that there may be. */
    public int mostFiles() {
        return mostFiles;
    }

    /** Whether any of them is limited now. */
    public boolean areLimited() {
        return limited > 0;
    }

    /**
     * The first of the groups, in the order of groups, that has no place for the files; null when they may start.
     *
     * @param waiter the waiter of the files; null if they have not waited
     * @param yields whether granted and reserved places are taken for them
     */
    public Group full(FileBucket files, Waiter waiter, boolean yields, long nowMillis) {
        GroupSet groups = files.groups();
        Group first = null;
        for (int i = 0; i < groups.size(); i++) {
            Group group = groups.group(i);
            if ((first == null || group.isBefore(first)) && group.isFullFor(files, waiter, yields, nowMillis)) {
                first = group;
            }
        }
        return first;
    }

    /**
     * Puts files into the queue of a group that has no place for them.
     *
     * @param waiter the waiter of the files; null if they have not waited
     * @return the waiter that stands in the queue now
     */
    public Waiter await(Group full, FileBucket files, Waiter waiter, long nowMillis) {
        Waiter waits = waiter == null ? new Waiter(files, nowMillis, ++waiters) : waiter;
        waits.await(full, nowMillis);
        news.note(full);
        return waits;
    }

    public void started(GroupSet groups, long nowMillis) {
        for (int i = 0; i < groups.size(); i++) {
            Group group = groups.group(i);
            group.started(nowMillis);
            news.note(group);
            if (group.limitsStarts()) {
                changed.add(group);
            }
            watch(group, nowMillis);
        }
    }

    /** As above, for a pool with possible waiters: it moves behind other pools. */
    public void started(GroupSet groups, String pool, long nowMillis) {
        for (int i = 0; i < groups.size(); i++) {
            groups.group(i).taken(pool, nowMillis);
        }
        started(groups, nowMillis);
    }

    /** After a restore: counts a job in flight. */
    public void counted(GroupSet groups) {
        for (int i = 0; i < groups.size(); i++) {
            groups.group(i).counted();
        }
    }

    public void ended(GroupSet groups, long nowMillis) {
        for (int i = 0; i < groups.size(); i++) {
            Group group = groups.group(i);
            group.ended();
            group.settle(nowMillis);
            news.note(group);
            forgetIfUnused(group, nowMillis);
        }
    }

    /** A bucket of these groups was made. */
    public void held(GroupSet groups) {
        buckets++;
        for (int i = 0; i < groups.size(); i++) {
            groups.group(i).held();
        }
    }

    /** A bucket of these groups was dropped. */
    public void dropped(GroupSet groups, long nowMillis) {
        buckets--;
        for (int i = 0; i < groups.size(); i++) {
            Group group = groups.group(i);
            group.dropped();
            if (group.isRecorded()) {
                // All groups of a task may go at once, and each takes a record of state with it.
                forgetLater(group, nowMillis);
            } else {
                forgetIfUnused(group, nowMillis);
            }
        }
    }

    /** Ends a restore: all files and jobs of the groups are known now. */
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
            news.forgotten(group);
            if (group.isRecorded()) {
                changed.add(group);
            }
        } else if (at != Long.MAX_VALUE) {
            openings.look(group, at);
        }
    }

    private void forgetLater(Group group, long nowMillis) {
        GroupLimit configured = group.isCommanded() ? keys.limit(group.key()) : null;
        long at = group.forgettableAt(nowMillis, configured, memoryMillis);
        if (at != Long.MAX_VALUE) {
            openings.look(group, at);
        }
    }

    /** Sets a limit at run time. Returns false when a newer command has been applied. */
    public boolean command(String key, GroupLimit limit, long at, long nowMillis) {
        Group group = get(key);
        boolean wasLimited = group.isLimited();
        boolean wasClosed = group.isClosed();
        if (!group.command(limit, limit.ofLane(lane, lanes), at)) {
            forgetIfUnused(group, nowMillis);
            return false;
        }
        limited += (group.isLimited() ? 1 : 0) - (wasLimited ? 1 : 0);
        changed.add(group);
        news.note(group);
        if (group.isClosed()) {
            group.queue().closed(nowMillis);
        } else if (wasClosed) {
            group.queue().opened(nowMillis);
        }
        group.settle(nowMillis);
        forgetIfUnused(group, nowMillis);
        return true;
    }

    /**
     * Lets nothing start in a group for a while. Of several holds the later end counts.
     *
     * @param untilMillis since 1970, no more than {@link GroupRecord#LONGEST_HOLD_MILLIS} from now
     */
    public void hold(String key, long untilMillis) {
        Group group = get(key);
        boolean wasLimited = group.isLimited();
        if (group.hold(untilMillis)) {
            limited += wasLimited ? 0 : 1;
            changed.add(group);
            news.note(group);
            openings.look(group, untilMillis);
        }
    }

    /** Ends the hold of a group, if it has one. */
    public void release(String key, long nowMillis) {
        Group group = byKey.get(key);
        if (group != null) {
            endHold(group, Long.MAX_VALUE);
            group.settle(nowMillis);
            forgetIfUnused(group, nowMillis);
        }
    }

    /** Sets a timer for a change by time alone: a reservation ends, or a start leaves the window while files wait. */
    void watch(Group group, long nowMillis) {
        if (group.isReserved()) {
            openings.look(group, group.queue().reservation().until());
        }
        if ((group.limitsStarts() || group.isHeld()) && group.hasWaiting()) {
            openings.look(group, group.growsAt(nowMillis));
        }
    }

    /** Grants places of windows that have opened, ends reservations and holds, and forgets unused groups; a thousand at most. */
    public void tick(long nowMillis) {
        for (int i = 0; i < OPENINGS_AT_ONCE && openings.isDue(nowMillis); i++) {
            Group group = openings.poll();
            if (group != null) {
                if (group.isReserved() && group.queue().reservation().until() <= nowMillis) {
                    group.queue().endReservation(nowMillis);
                }
                endHold(group, nowMillis);
                group.settle(nowMillis);
                forgetIfUnused(group, nowMillis);
            }
        }
    }

    private void endHold(Group group, long nowMillis) {
        if (group.endHold(nowMillis)) {
            limited -= group.isLimited() ? 0 : 1;
            changed.add(group);
            news.note(group);
        } else if (group.isHeld()) {
            openings.look(group, group.heldUntil());
        }
    }

    public long nextDeadlineMillis() {
        return openings.nextAt();
    }

    /** Passes each changed record to the consumer and clears its mark; a null record is to be removed. */
    public void drainChanged(BiConsumer<String, GroupRecord> consumer) {
        if (!changed.isEmpty()) {
            for (Group group : changed) {
                consumer.accept(group.key(), group.record());
            }
            changed.clear();
        }
    }

    /** The groups with these keys; unknown ones are made. A key that old state names twice counts once. */
    public GroupSet resolve(List<String> groupKeys) {
        return groupKeys.size() == 1
                ? get(groupKeys.get(0))
                : GroupSet.of(groupKeys.stream().distinct().map(this::get).toArray(Group[]::new));
    }

    /** The configured limits and those that commands have set, for people: the whole ones, also of one of several lanes. */
    public List<String> limitsInForce() {
        return keys.limitsInForce(byKey.entries());
    }

    /** A copy of all groups, for people. */
    public List<Group> all() {
        return byKey.entries();
    }
}
