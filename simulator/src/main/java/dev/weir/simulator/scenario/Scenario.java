package dev.weir.simulator.scenario;

import dev.weir.scheduler.options.SchedulerOptions;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * All that a seed decides before the run begins.
 *
 * @param faultsUntilMillis after the start; from then on the world heals: everybody comes back, pauses and limits are lifted
 * @param intensity how often faults come, 1 is average
 * @param checkpointMillis between two checkpoints
 * @param latencyMillis of a message between two parts of the world, about
 */
public record Scenario(
        long seed,
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

    public boolean has(Fault fault) {
        return faults.contains(fault);
    }
}
