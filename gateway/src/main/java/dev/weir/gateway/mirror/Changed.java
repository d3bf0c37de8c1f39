package dev.weir.gateway.mirror;

/**
 * A task or pilot whose row has a new version.
 *
 * @param out jobs of a task that pilots have; 0 for a pilot, as the following
 * @param ended jobs of it that ended, cancelled ones not included
 * @param acceptedMillis since 1970; 0 when unknown
 */
public record Changed(
        boolean isTask,
        String uid,
        String pool,
        long version,
        long out,
        long ended,
        long failed,
        double rank,
        long acceptedMillis) {}
