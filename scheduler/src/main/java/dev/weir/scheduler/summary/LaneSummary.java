package dev.weir.scheduler.summary;

import dev.weir.engine.summary.GroupSummary;
import dev.weir.engine.summary.TableSums;
import dev.weir.protocol.JobCounts;
import java.util.List;
import java.util.Map;

/**
 * What the state of one lane holds.
 *
 * @param lane its number, from 0
 * @param tasks open tasks in the order of their arrival
 * @param pools pools with jobs that are out, or with an order of an operator, by name
 * @param groups limit groups with a limit that was given by command, by name
 * @param pilots known pilots
 * @param tables every table that has entries, by name
 * @param damaged {@code KEY: REASON} of values that cannot be decoded; the first 100
 */
public record LaneSummary(
        int lane,
        List<OfTask> tasks,
        List<OfPool> pools,
        List<GroupSummary> groups,
        long pilots,
        Map<String, TableSums.Size> tables,
        List<String> damaged) {

    /**
     * An open task.
     *
     * @param state {@code waiting} (for a slot), {@code active}, {@code paused}, {@code aside}, {@code ending} (stopped early) or
     *     {@code closing}
     * @param reason why it is set aside or stopped early; null otherwise
     * @param rank the present one
     * @param datasetFiles files of its dataset; null before the first page
     * @param readTo offset of the next file to read from DSM
     * @param cursor position of the next file to start, for tasks in order
     * @param counts of its jobs
     */
    public record OfTask(
            String uid,
            String pool,
            String state,
            String reason,
            double rank,
            Long datasetFiles,
            long readTo,
            long cursor,
            JobCounts counts) {}

    /**
     * A pool.
     *
     * @param use {@code normal}, {@code paused} or {@code draining}
     * @param queued jobs that no pilot has reported
     * @param running jobs at pilots, starting ones included
     * @param cooling failed jobs that wait for their next attempt
     */
    public record OfPool(String name, String use, long queued, long running, long cooling) {}
}
