package dev.weir.pilot.run;

import java.time.Duration;

/**
 * The limits of one {@link ItemRun}.
 *
 * @param timeout how long it may take
 * @param maxMemoryBytes of all its processes together, looked at once a second; 0: no limit. Linux only
 * @param killGrace between asking its processes to end and ending them
 */
public record ItemLimits(Duration timeout, long maxMemoryBytes, Duration killGrace) {}
