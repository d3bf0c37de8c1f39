package dev.weir.simulator.truth;

import dev.weir.scheduler.options.GroupLimit;
import java.util.ArrayDeque;
import java.util.Deque;

/** What must be true of one limit group. */
final class GroupTruth {

    /** No limit looks further back. */
    private static final long LONGEST_WINDOW_MILLIS = 60_000;

    final String key;
    GroupLimit limit;
    long limitAt = Long.MIN_VALUE;
    int inFlight;
    /** Those that count, and those that may count: since before the limit began to need them. */
    private final Deque<Long> starts;

    private final Deque<Long> allStarts;

    GroupTruth(String key, GroupLimit limit) {
        this(key, limit, new ArrayDeque<>(4), new ArrayDeque<>(4));
    }

    private GroupTruth(String key, GroupLimit limit, Deque<Long> starts, Deque<Long> allStarts) {
        this.key = key;
        this.limit = limit;
        this.starts = starts;
        this.allStarts = allStarts;
    }

    GroupTruth copy() {
        GroupTruth copy = new GroupTruth(key, limit, new ArrayDeque<>(starts), new ArrayDeque<>(allStarts));
        copy.limitAt = limitAt;
        copy.inFlight = inFlight;
        return copy;
    }

    /** A job is released now: both limits must allow it. */
    void release(long now, JobTruth job) {
        Violation.check(
                inFlight < limit.maxInFlight(),
                "no group over its limits",
                key,
                "has",
                inFlight,
                "in flight of",
                limit.maxInFlight(),
                "and",
                job,
                "was released");
        inFlight++;
        if (limit.maxStarts() != GroupLimit.UNLIMITED) {
            forget(starts, now);
            Violation.check(
                    starts.size() < limit.maxStarts(),
                    "no group over its limits",
                    key,
                    "had",
                    starts.size(),
                    "starts in",
                    limit.window(),
                    "of",
                    limit.maxStarts(),
                    "and",
                    job,
                    "was released");
        }
        starts.addLast(now);
        allStarts.addLast(now);
        while (allStarts.peekFirst() < now - LONGEST_WINDOW_MILLIS) {
            allStarts.pollFirst();
        }
        while (starts.peekFirst() < now - LONGEST_WINDOW_MILLIS) {
            starts.pollFirst();
        }
    }

    void mayHaveStarted(long now) {
        allStarts.addLast(now);
    }

    /** How many more it surely lets start. */
    int room(long now) {
        long room = (long) limit.maxInFlight() - inFlight;
        if (limit.maxStarts() != GroupLimit.UNLIMITED) {
            long since = now - limit.window().toMillis();
            room = Math.min(
                    room,
                    limit.maxStarts()
                            - allStarts.stream().filter(start -> start > since).count());
        }
        return (int) Math.max(0, room);
    }

    /** Whether nothing can start before a command comes. */
    boolean isClosed() {
        return limit.maxInFlight() == 0 || limit.maxStarts() == 0;
    }

    /** A new limit. Starts are counted while a limit needs them: of one that looks further back, those that counted until now. */
    void limit(GroupLimit next, long now) {
        if (limit.maxStarts() == GroupLimit.UNLIMITED || next.maxStarts() == GroupLimit.UNLIMITED) {
            starts.clear();
        } else {
            forget(starts, now);
        }
        limit = next;
    }

    private void forget(Deque<Long> starts, long now) {
        while (!starts.isEmpty() && starts.peekFirst() <= now - limit.window().toMillis()) {
            starts.pollFirst();
        }
    }
}
