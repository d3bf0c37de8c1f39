package dev.weir.simulator.scenario;

import dev.weir.protocol.Task;

/**
 * A task that WFMS sends.
 *
 * @param index of this plan in its seed, the same whatever is cut away
 * @param sendAtMillis after the start
 * @param jobMillis how long one attempt takes on a pilot of speed 1, about
 * @param failureShare of attempts whose program fails, 0 to 1
 * @param systemShare of the failures that are not the program's fault, 0 to 1
 */
public record TaskPlan(
        int index,
        long sendAtMillis,
        Task task,
        DatasetPlan dataset,
        long jobMillis,
        double failureShare,
        double systemShare) {}
