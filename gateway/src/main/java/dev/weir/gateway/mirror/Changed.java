package dev.weir.gateway.mirror;

/**
 * A task or pilot whose row has a new version.
 *
 * @param ended jobs of a task that ended, cancelled ones not included; 0 for a pilot, as the following
 * @param acceptedMillis since 1970; 0 when unknown
 */
public record Changed(
        boolean isTask,
        String uid,
        String pool,
        long version,
        long ended,
        long failed,
        double rank,
        long acceptedMillis) {}
