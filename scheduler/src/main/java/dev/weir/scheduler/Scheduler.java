package dev.weir.scheduler;

import dev.weir.scheduler.options.SchedulerOptions;
import dev.weir.scheduler.store.Store;
import dev.weir.scheduler.store.Table;
import java.util.List;
import java.util.Map;

/**
 * One lane of the scheduler: tasks in, interleaved jobs out, reports in, closed datasets out. Plain Java: no threads, no clock,
 * no I/O; what happens is an {@link Event}, what shall be done is an {@link Effects} call, what is known lives in a
 * {@link Store}, and the time is what the caller says.
 *
 * <p>Not safe for use by several threads. Calls that change the store behind the scheduler's back are not noticed.
 */
public final class Scheduler {

    /** One lane that is the only one. */
    public Scheduler(SchedulerOptions options, Store store) {
        this(options, 0, store);
    }

    /**
     * @param lane the number of this lane, from 0
     * @param store holds what an earlier scheduler of the same lane left, or nothing. It is read at the first event, not before
     */
    public Scheduler(SchedulerOptions options, int lane, Store store) {
        throw new UnsupportedOperationException("comes with the next commit");
    }

    /** Every table that a scheduler uses; a store that needs to know them beforehand finds them here. */
    public static List<Table<?>> tables() {
        return List.of();
    }

    /**
     * Applies one event, all or nothing. When it returns, the store has the new state and the effects have been called. When it
     * throws, the store is as before, no effect has been called, and the next event rebuilds the index from the store; the
     * caller then rejects the event's message with the exception.
     *
     * @param nowMillis milliseconds since 1970; a time before the last one counts as the last one
     */
    public void apply(Event event, long nowMillis, Effects effects) {
        throw new UnsupportedOperationException("comes with the next commit");
    }

    /**
     * When a {@link Event.Tick} is needed if nothing else happens, in milliseconds since 1970; {@link Long#MAX_VALUE} for never. May
     * lie in the past, which means at once. Known after the first event: after a restore, apply a tick to learn it.
     */
    public long nextDeadlineMillis() {
        return Long.MAX_VALUE;
    }

    /** What this lane has and has done. Costs time that grows with the number of pools, not of tasks. */
    public SchedulerMetrics metrics() {
        return new SchedulerMetrics(Map.of(), 0, 0, 0, 0, 0, Map.of(), Map.of(), 0, Map.of(), 0, Map.of(), 1);
    }
}
