package dev.weir.scheduler.model;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/** Priorities that commands have given to waiting files of a task, by position. The lane counts those of all its tasks. */
public final class GivenPriorities {

    private final Lane lane;
    private final TreeMap<Long, GivenPriority> byPosition = new TreeMap<>();

    GivenPriorities(Lane lane) {
        this.lane = lane;
    }

    /** A command gives a waiting file another priority, or state says that one did. */
    public void put(long position, GivenPriority priority) {
        lane.givenPriorities += byPosition.put(position, priority) == null ? 1 : 0;
    }

    /** Null when no command gave one. */
    public GivenPriority of(long position) {
        return byPosition.isEmpty() ? null : byPosition.get(position);
    }

    /** Returns whether there was one. */
    boolean forget(long position) {
        boolean had = !byPosition.isEmpty() && byPosition.remove(position) != null;
        lane.givenPriorities -= had ? 1 : 0;
        return had;
    }

    /** All of them, in order of positions. */
    public SortedMap<Long, GivenPriority> all() {
        return Collections.unmodifiableSortedMap(byPosition);
    }
}
