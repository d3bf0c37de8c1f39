package dev.weir.engine.summary;

import dev.weir.engine.limit.GroupLimit;

/**
 * A group with a limit that was given by command.
 *
 * @param maxInFlight null for no limit
 * @param maxStarts within the window; null for no limit
 * @param windowSeconds null without one
 */
public record GroupSummary(String name, Integer maxInFlight, Integer maxStarts, Double windowSeconds) {

    public static GroupSummary of(String name, GroupLimit limit) {
        return new GroupSummary(
                name,
                limit.maxInFlight() == GroupLimit.UNLIMITED ? null : Integer.valueOf(limit.maxInFlight()),
                limit.maxStarts() == GroupLimit.UNLIMITED ? null : Integer.valueOf(limit.maxStarts()),
                limit.window() == null ? null : Double.valueOf(limit.window().toMillis() / 1000.0));
    }
}
