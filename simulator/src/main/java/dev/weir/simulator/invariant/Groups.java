package dev.weir.simulator.invariant;

import dev.weir.engine.limit.GroupLimit;
import dev.weir.engine.limit.GroupRule;
import dev.weir.engine.limit.LimitOptions;
import dev.weir.protocol.Command;
import dev.weir.simulator.scenario.Scenario;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The limits of groups, and what one core started in them. The limits go back with the core at a restore; jobs and starts are counted anew from
 * then on, so that they are at most what the core counts.
 */
public final class Groups {

    private record Commanded(GroupLimit limit, long at) {}

    private final Scenario scenario;
    private final Map<String, Commanded> commanded = new HashMap<>();
    private final Set<String> commandIds = new HashSet<>();
    private final Map<String, Integer> inFlight = new HashMap<>();
    private final Map<String, Deque<Long>> starts = new HashMap<>();
    /** When a window that was commanded has passed once. */
    private final Map<String, Long> sureFrom = new HashMap<>();

    Groups(Scenario scenario) {
        this.scenario = scenario;
    }

    /** The same limits, and nothing started. */
    Groups restored() {
        Groups copy = new Groups(scenario);
        copy.commanded.putAll(commanded);
        copy.commandIds.addAll(commandIds);
        return copy;
    }

    /** A command that was given when the clock was ahead keeps no other one from acting. */
    void noLaterThan(long now) {
        commanded.replaceAll((key, one) -> one.at > now ? new Commanded(one.limit, 0) : one);
    }

    void command(Command.Limit command, long now) {
        long at = Math.min(command.at().toEpochMilli(), now);
        Commanded before = commanded.get(command.group());
        if (!commandIds.add(command.id()) || before != null && at < before.at) {
            return;
        }
        GroupLimit whole = new GroupLimit(
                command.maxInFlight() == null ? GroupLimit.UNLIMITED : command.maxInFlight(),
                command.maxStarts() == null ? GroupLimit.UNLIMITED : command.maxStarts(),
                command.maxStarts() == null ? null : Duration.ofSeconds(command.windowS()));
        GroupLimit next = whole.ofLane(scenario.lane(), scenario.options().lanes());
        GroupLimit last = limit(command.group());
        Deque<Long> counted = starts.computeIfAbsent(command.group(), key -> new ArrayDeque<>());
        forget(counted, last, now);
        // Starts are counted while a limit needs them.
        if (last.maxStarts() == GroupLimit.UNLIMITED || next.maxStarts() == GroupLimit.UNLIMITED) {
            counted.clear();
        }
        commanded.put(command.group(), new Commanded(next, at));
        if (next.maxStarts() != GroupLimit.UNLIMITED) {
            sureFrom.put(command.group(), now + next.window().toMillis());
        }
    }

    private GroupLimit limit(String key) {
        Commanded own = commanded.get(key);
        LimitOptions limits = scenario.options().limits();
        if (own != null || limits.groups().containsKey(key)) {
            return own != null ? own.limit : limits.groups().get(key);
        }
        int expressions = 0;
        for (GroupRule rule : limits.rules()) {
            String kind = switch (rule.kind()) {
                case HOST -> "host:";
                case NETWORK -> "net:";
                case REGEX -> ++expressions == 1 ? "re:" : "re" + expressions + ":";
            };
            if (key.startsWith(kind)) {
                return rule.limit();
            }
        }
        return GroupLimit.NONE;
    }

    /** A job of the group is out, whether that was allowed or not. */
    void takes(String key) {
        inFlight.merge(key, 1, Integer::sum);
    }

    void ends(String key) {
        inFlight.merge(key, -1, Integer::sum);
    }

    /** The core lets a job of the group start; it counts from now on. */
    void starts(String key, long now, Object job) {
        Violation.check(
                room(key, now) > 0,
                "no group is over its limits",
                key,
                "allows",
                limit(key),
                "and has",
                inFlight.getOrDefault(key, 0),
                "in flight and",
                starts.get(key),
                "started, when",
                job,
                "starts at",
                now);
        takes(key);
        if (limit(key).maxStarts() != GroupLimit.UNLIMITED) {
            starts.get(key).addLast(now);
        }
    }

    /** How many more jobs of the group may start now, at most. */
    public long room(String key, long now) {
        GroupLimit limit = limit(key);
        long room = (long) limit.maxInFlight() - inFlight.getOrDefault(key, 0);
        Deque<Long> counted = starts.computeIfAbsent(key, name -> new ArrayDeque<>());
        forget(counted, limit, now);
        return limit.maxStarts() == GroupLimit.UNLIMITED ? room : Math.min(room, limit.maxStarts() - counted.size());
    }

    /** Whether {@link #room} is exact. When a window grows, a start that had left the old one may count again or not, until the new one has passed. */
    public boolean isSure(String key, long now) {
        return now >= sureFrom.getOrDefault(key, Long.MIN_VALUE);
    }

    /** Whether the group is limited in any way. */
    public boolean isLimited(String key) {
        return !limit(key).equals(GroupLimit.NONE);
    }

    private static void forget(Deque<Long> counted, GroupLimit limit, long now) {
        while (limit.maxStarts() != GroupLimit.UNLIMITED
                && !counted.isEmpty()
                && counted.peekFirst() <= now - limit.window().toMillis()) {
            counted.pollFirst();
        }
    }
}
