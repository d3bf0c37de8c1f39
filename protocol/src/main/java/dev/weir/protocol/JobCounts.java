package dev.weir.protocol;

/**
 * How many jobs of a task are where. The states add up to total once the dataset's size is known.
 *
 * @param total jobs of the task; null while the dataset's size is not known
 * @param waiting not released yet, whether read from DSM or not; null while the dataset's size is not known
 * @param queued released and not started by a pilot yet
 * @param cooling failed, and to be tried again after a pause
 * @param retries attempts that a payload failure used up
 * @param systemRetries attempts that a system failure used up
 */
public record JobCounts(
        Long total,
        Long waiting,
        long queued,
        long starting,
        long running,
        long cooling,
        long finished,
        long failed,
        long killed,
        long cancelled,
        long retries,
        long systemRetries) {}
