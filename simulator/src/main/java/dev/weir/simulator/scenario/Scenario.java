package dev.weir.simulator.scenario;

import dev.weir.engine.limit.GroupLimit;
import dev.weir.engine.limit.GroupRule;
import dev.weir.engine.limit.LimitOptions;
import dev.weir.scheduler.options.PoolOptions;
import dev.weir.scheduler.options.SchedulerOptions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * All that a seed decides before the run begins.
 *
 * @param calm whether nothing happens that only bounds could describe: see {@link Calm}
 * @param lane whose part of windows and limits the options say; 0 for the only one
 * @param faultsUntilMillis after the start; from then on the world heals: everybody comes back, pauses and limits are lifted
 * @param intensity how often faults come, 1 is average
 * @param checkpointMillis between two checkpoints
 * @param latencyMillis of a message between two parts of the world, about
 */
public record Scenario(
        long seed,
        boolean calm,
        int lane,
        SchedulerOptions options,
        List<TaskPlan> tasks,
        Map<String, DatasetPlan> datasets,
        List<PilotPlan> pilots,
        List<Sending> sendings,
        Set<Fault> faults,
        long faultsUntilMillis,
        double intensity,
        long checkpointMillis,
        int latencyMillis) {

    /** When virtual time starts, in milliseconds since 1970: 2026-01-01. */
    public static final long START_MILLIS = 1_767_225_600_000L;

    /** The same with what is left to one lane of the windows and limits that all share. */
    public Scenario ofLane(int number) {
        int lanes = options.lanes();
        Map<String, PoolOptions> pools = new HashMap<>();
        options.pools().forEach((name, pool) -> pools.put(name, part(pool, lanes)));
        Map<String, GroupLimit> groups = new HashMap<>();
        options.limits().groups().forEach((key, limit) -> groups.put(key, limit.ofLane(number, lanes)));
        List<GroupRule> rules = options.limits().rules().stream()
                .map(rule ->
                        new GroupRule(rule.kind(), rule.pattern(), rule.limit().ofLane(number, lanes)))
                .toList();
        return new Scenario(
                seed,
                calm,
                number,
                options.withPools(pools).withLimits(new LimitOptions(rules, groups)),
                tasks,
                datasets,
                pilots,
                sendings,
                faults,
                faultsUntilMillis,
                intensity,
                checkpointMillis,
                latencyMillis);
    }

    private static PoolOptions part(PoolOptions pool, int lanes) {
        return pool.window() == PoolOptions.AUTO
                ? pool.withWindowBounds(rounded(pool.windowMin(), lanes), rounded(pool.windowMax(), lanes))
                : pool.withWindow(rounded(pool.window(), lanes));
    }

    private static int rounded(int whole, int lanes) {
        return (whole + lanes - 1) / lanes;
    }

    /** Whether some group is limited, by the options or, in a world that is not calm, by a command. */
    public boolean isLimited() {
        return !options.limits().groups().isEmpty() || !options.limits().rules().isEmpty();
    }

    /** Whether a group is called as those of a kind of rule that there is not. */
    public boolean lacksRule(String group) {
        GroupRule.Kind kind = switch (group.substring(0, group.indexOf(':') + 1)) {
            case "host:" -> GroupRule.Kind.HOST;
            case "net:" -> GroupRule.Kind.NETWORK;
            default -> null;
        };
        return kind != null && options.limits().rules().stream().noneMatch(rule -> rule.kind() == kind);
    }

    /** Whether after a restore Weir's beats come behind all that waited, as in the queue of a broker that has noticed that Weir was away. */
    public boolean beatsAreLast() {
        return Rand.of(seed, "beats").chance(0.7);
    }

    public boolean has(Fault fault) {
        return faults.contains(fault);
    }
}
