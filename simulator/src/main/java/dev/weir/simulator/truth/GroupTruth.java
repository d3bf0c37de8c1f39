package dev.weir.simulator.truth;

import dev.weir.scheduler.options.GroupLimit;
import java.util.ArrayDeque;
import java.util.Deque;

/** What must be true of one limit group. */
final class GroupTruth {

    final String key;
    GroupLimit limit;
    long limitAt = Long.MIN_VALUE;
    int inFlight;
    private final Deque<Long> starts;

    GroupTruth(String key, GroupLimit limit) {
        this(key, limit, new ArrayDeque<>(4));
    }

    private GroupTruth(String key, GroupLimit limit, Deque<Long> starts) {
        this.key = key;
        this.limit = limit;
        this.starts = starts;
    }

    GroupTruth copy() {
        GroupTruth copy = new GroupTruth(key, limit, new ArrayDeque<>(starts));
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
            forget(now);
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
        if (starts.size() > 10_000) {
            starts.pollFirst();
        }
    }

    /** A new limit. Starts are counted while a limit needs them: one that looks further back starts to count now. */
    void limit(GroupLimit next) {
        boolean counted = limit.maxStarts() != GroupLimit.UNLIMITED
                && next.maxStarts() != GroupLimit.UNLIMITED
                && next.window().compareTo(limit.window()) <= 0;
        if (!counted) {
            starts.clear();
        }
        limit = next;
    }

    private void forget(long now) {
        while (!starts.isEmpty() && starts.peekFirst() <= now - limit.window().toMillis()) {
            starts.pollFirst();
        }
    }
}
