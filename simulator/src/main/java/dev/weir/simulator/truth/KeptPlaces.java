package dev.weir.simulator.truth;

import dev.weir.scheduler.options.PoolOptions;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Which groups may keep a place empty: for a file that waits for another of its groups, or for another pool that has no room. */
final class KeptPlaces {

    private final State state;

    KeptPlaces(State state) {
        this.state = state;
    }

    /** Whether a file of the task waits of which each group has a place that is not kept for another. */
    boolean leaveRoomForOneOf(TaskTruth task, long now) {
        boolean known = !task.simple && task.isRunning() && task.dataset.isReadable();
        for (int set = 0; known && set < task.freshIn.length; set++) {
            List<String> groups = task.groupsOfFresh(set);
            if (groups != null && leaveRoom(groups, state.pools.get(task.pool), now)) {
                return true;
            }
        }
        return false;
    }

    /** Whether all of these groups have a place for a file of the pool: one more than the one that each may keep. */
    boolean leaveRoom(List<String> groups, PoolTruth pool, long now) {
        boolean last = false;
        for (String key : groups) {
            int room = state.group(key).room(now);
            if (room == 0) {
                return false;
            }
            last |= room == 1;
        }
        // Looking through all files takes long, and is hardly ever needed.
        if (last && takesTurns(pool)) {
            for (String key : groups) {
                if (state.group(key).room(now) == 1 && mayKeep(key, pool, new HashSet<>(), now)) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Where the policy decides who goes first, nothing is kept and nobody gives way. */
    private static boolean takesTurns(PoolTruth pool) {
        return !pool.options.policy().equals(PoolOptions.STRICT);
    }

    /**
     * Whether a file waits that is in the group and may not start: another of its groups is full, but not closed by a command, or keeps
     * its only place for a file that may not start for such a reason, or the file's pool takes no more. For a file in one group only the last,
     * and nothing is kept for it against others of its pool.
     *
     * @param against the pool of a file that would take the place
     * @param seen groups that are full only if this one is
     */
    private boolean mayKeep(String group, PoolTruth against, Set<String> seen, long now) {
        seen.add(group);
        for (TaskTruth task : state.tasks.values()) {
            PoolTruth pool = state.pools.get(task.pool);
            if (!takesTurns(pool) || !task.isRunning()) {
                continue;
            }
            // What was begun is tried again without a place among the active tasks.
            int waiting = task.place == TaskTruth.Place.NONE ? Statuses.COOLING : Statuses.PENDING;
            boolean full = !pool.hasFixedWindow() || pool.paused || pool.placesAtMost() >= pool.options.window();
            for (JobTruth job : task.jobs) {
                List<String> groups = job.is(waiting) && task.isRead(job) ? state.groupsOf(job) : List.of();
                boolean crosses = groups.size() > 1;
                boolean waitsForPool = full && (crosses || pool != against);
                if (groups.contains(group) && (waitsForPool || crosses && isHeldBack(groups, pool, seen, now))) {
                    return true;
                }
            }
        }
        return false;
    }

    private boolean isHeldBack(List<String> groups, PoolTruth pool, Set<String> seen, long now) {
        for (String other : groups) {
            if (!seen.contains(other)) {
                GroupTruth full = state.group(other);
                int room = full.room(now);
                if (room == 0 && !full.isClosed() || room == 1 && mayKeep(other, pool, seen, now)) {
                    return true;
                }
            }
        }
        return false;
    }
}
