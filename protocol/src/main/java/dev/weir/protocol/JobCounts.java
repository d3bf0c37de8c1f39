package dev.weir.protocol;

/**
 * The jobs of a task by state. The states add up to total once the dataset's size is known.
 *
 * @param total jobs of the task; null while the dataset's size is unknown
 * @param waiting not sent yet, read from DSM or not; null while the dataset's size is unknown
 * @param queued sent, but not started by a pilot
 * @param cooling failed, waiting for the next attempt
 * @param retries attempts that ended with a payload failure
 * @param systemRetries attempts that ended with a system failure
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
