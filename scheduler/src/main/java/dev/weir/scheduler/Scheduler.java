package dev.weir.scheduler;

import dev.weir.scheduler.interleave.Interleave;
import dev.weir.scheduler.lane.Counters;
import dev.weir.scheduler.lane.Lane;
import dev.weir.scheduler.options.PoolOptions;
import dev.weir.scheduler.options.SchedulerOptions;
import dev.weir.scheduler.rank.Rankers;
import dev.weir.scheduler.state.Tables;
import dev.weir.scheduler.store.Store;
import dev.weir.scheduler.store.Table;
import java.util.List;
import java.util.Objects;

/**
 * One lane of the scheduler: tasks in, interleaved jobs out, reports in, closed datasets out. Plain Java: no threads, no clock,
 * no I/O; what happens is an {@link Event}, what shall be done is an {@link Effects} call, what is known lives in a
 * {@link Store}, and the time is what the caller says.
 *
 * <p>Not safe for use by several threads. Calls that change the store behind the scheduler's back are not noticed.
 */
public final class Scheduler {

    /** How long a deadline waits at which the scheduler failed. */
    private static final long PUT_OFF_MILLIS = 60_000;

    private final SchedulerOptions options;
    private final int number;
    private final Store store;
    private final Counters counters = new Counters();
    /** The index in memory; null before the first event and after one that failed. */
    private Lane lane;

    private long now;
    /** Ticks fail: one deadline at a time, and not these, the first that are due, until nothing else is. */
    private boolean careful;

    private int putOff;

    /** One lane that is the only one. */
    public Scheduler(SchedulerOptions options, Store store) {
        this(options, 0, store);
    }

    /**
     * Throws {@link IllegalArgumentException} when the options name a policy or ranker that does not exist.
     *
     * @param lane the number of this lane, from 0
     * @param store holds what an earlier scheduler of the same lane left, or nothing. It is read at the first event, not before
     */
    public Scheduler(SchedulerOptions options, int lane, Store store) {
        for (PoolOptions pool : options.pools().values()) {
            Interleave.named(pool.policy());
        }
        if (Rankers.named(options.rank().ranker()) == null) {
            throw new IllegalArgumentException(
                    "no ranker '" + options.rank().ranker() + "'; there are " + Rankers.names());
        }
        this.options = options;
        this.number = lane;
        this.store = store;
    }

    /** Every table that a scheduler uses; a store that needs to know them beforehand finds them here. */
    public static List<Table<?>> tables() {
        return Tables.all();
    }

    /**
     * Applies one event, all or nothing. When it returns, the store has the new state and the effects have been called. When it
     * throws, the store is as before, no effect has been called, and the next event rebuilds the index from the store; the
     * caller then rejects the event's message with the exception.
     *
     * @param nowMillis milliseconds since 1970; a time before the last one counts as the last one. Only for the life of this object: the state
     *     does not keep the newest time, so that after a clock far ahead a restart with the right time lets leases run out again, and
     *     no node be set aside for too long. Other times of that future stay: when a job is tried or sent again, a page is asked for
     *     again, or a start no longer counts for a limit
     */
    public void apply(Event event, long nowMillis, Effects effects) {
        Objects.requireNonNull(event, "event");
        now = Math.max(now, nowMillis);
        Lane present = lane == null ? new Lane(options, number, store, counters, now) : lane;
        lane = null;
        if (event instanceof Event.Tick) {
            tick(present, event, effects);
        } else {
            present.apply(event, now, effects);
        }
        lane = present;
    }

    /**
     * Acts on all deadlines that have come. If that fails, the next ticks take them one by one, and put off for a while those that
     * fail, so that a single job at which the scheduler fails does not stop all others.
     */
    private void tick(Lane present, Event tick, Effects effects) {
        if (!careful) {
            careful = true;
            present.apply(tick, now, effects);
            careful = false;
            return;
        }
        int failing = putOff++;
        present.applyOneDeadline(failing, PUT_OFF_MILLIS, now, effects);
        putOff = 0;
        careful = present.nextDeadlineMillis() <= now;
    }

    /**
     * When a {@link Event.Tick} is needed if nothing else happens, in milliseconds since 1970; {@link Long#MAX_VALUE} for never. May
     * lie in the past, which means at once; {@link Long#MIN_VALUE} before the first event, because only a tick tells.
     */
    public long nextDeadlineMillis() {
        return lane == null ? Long.MIN_VALUE : lane.nextDeadlineMillis();
    }

    /**
     * What this lane has and has done; null before the first event. Counts are kept as events
     * come; only Jain's index looks at all open tasks: for an interval of seconds, not for each event.
     */
    public SchedulerMetrics metrics() {
        return lane == null ? null : lane.metrics();
    }
}
