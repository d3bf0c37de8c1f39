package dev.weir.simulator;

import dev.weir.simulator.invariant.Violation;

/**
 * How one seed ended.
 *
 * @param events that the core was given
 * @param violation null when everything was as it must be
 */
public record SeedResult(long seed, long events, Violation violation) {}
