package dev.weir.simulator.scenario;

import java.util.List;

/**
 * A pilot.
 *
 * @param node where it runs, alone or beside others
 * @param pools the queues that it serves, the first one first
 * @param speed 1 is average; 2 needs half the time
 * @param joinAtMillis after the start
 * @param brokenShare of its attempts that fail whatever the program does
 * @param nodeFaultShare of the attempts at its node that fail by the system's fault
 * @param knowsDrain whether it obeys drain and resume; pilots of an older version drop them
 */
public record PilotPlan(
        String id,
        String node,
        List<String> pools,
        double speed,
        long joinAtMillis,
        double brokenShare,
        double nodeFaultShare,
        boolean knowsDrain) {}
