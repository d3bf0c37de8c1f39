package dev.weir.queues.summary;

import dev.weir.engine.summary.GroupSummary;
import dev.weir.engine.summary.TableSums;
import java.util.List;
import java.util.Map;

/**
 * What the state of the queues holds.
 *
 * @param queues by name
 * @param groups limit groups with a limit that was given by command, by name
 * @param tables every table that has entries, by name
 * @param damaged {@code KEY: REASON} of values that cannot be decoded; the first 100
 */
public record QueuesSummary(
        List<OfQueue> queues, List<GroupSummary> groups, Map<String, TableSums.Size> tables, List<String> damaged) {

    /**
     * A queue.
     *
     * @param use {@code normal}, {@code paused} or {@code deleted}: it goes when what is in it has gone
     * @param later items that wait for a time
     * @param resting keys that run again, or have an answer
     * @param owners with a weight, a bound or facts of their own
     * @param finished items that workers have finished since the queue was made
     */
    public record OfQueue(
            String name,
            String use,
            long waiting,
            long later,
            long leased,
            long dead,
            long resting,
            long owners,
            long finished) {}
}
