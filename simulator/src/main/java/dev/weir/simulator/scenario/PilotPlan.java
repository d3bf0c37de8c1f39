package dev.weir.simulator.scenario;

import java.util.List;

/**
 * A pilot.
 *
 * @param pools the queues that it serves, the first one first
 * @param speed 1 is average; 2 needs half the time
 * @param joinAtMillis after the start
 * @param brokenShare of its attempts that fail whatever the program does: a bad node
 */
public record PilotPlan(String id, List<String> pools, double speed, long joinAtMillis, double brokenShare) {}
