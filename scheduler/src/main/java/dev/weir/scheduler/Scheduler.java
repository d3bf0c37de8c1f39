package dev.weir.scheduler;

import dev.weir.engine.Engine;
import dev.weir.engine.EngineTables;
import dev.weir.engine.Session;
import dev.weir.engine.interleave.Interleave;
import dev.weir.engine.store.Store;
import dev.weir.engine.store.Table;
import dev.weir.scheduler.api.Effect;
import dev.weir.scheduler.api.Event;
import dev.weir.scheduler.api.SchedulerMetrics;
import dev.weir.scheduler.model.Counters;
import dev.weir.scheduler.model.Lane;
import dev.weir.scheduler.options.PoolOptions;
import dev.weir.scheduler.options.SchedulerOptions;
import dev.weir.scheduler.rank.Rankers;
import dev.weir.scheduler.state.Tables;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * One lane of the scheduler: tasks in, interleaved jobs out, reports in, closed datasets out. Plain Java: no threads, no clock, no I/O.
 * The input is an {@link Event}, the output a list of {@linkplain Effect effects}, and the state is in a {@link Store}. The caller gives
 * the time. {@link Engine} lists the steps of one event.
 *
 * <p>Not safe for use by several threads. The scheduler does not notice changes of the store by others.
 */
public final class Scheduler {

    private final SchedulerOptions options;
    private final int number;
    private final Store store;
    private final Counters counters = new Counters();
    /** By uid: tasks that cannot be read from this state, and why. */
    private final Map<String, String> unreadable = new TreeMap<>();

    private final Engine<Event, Effect> engine;
    /** The memory that the engine works with; not to be used before the first event, nor after one that failed. */
    private LaneApplication application;

    /** A scheduler with a single lane. */
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
        engine = new Engine<>(store, this::recover);
    }

    /** Every table that a scheduler uses; a store that needs to know them beforehand finds them here. */
    public static List<Table<?>> tables() {
        List<Table<?>> tables = new ArrayList<>(EngineTables.all());
        tables.addAll(Tables.all());
        return List.copyOf(tables);
    }

    private LaneApplication recover(Session<Effect> session) {
        application = new LaneApplication(options, number, counters, unreadable, session, store);
        return application;
    }

    /**
     * Applies one event, all or nothing. When it returns, the store has the new state. When it throws, the store is as before, and the
     * next event builds the memory from the store again; the caller then rejects the event's message with the exception.
     *
     * @param nowMillis milliseconds since 1970. A time up to a minute before the last one counts as the last one. An earlier one counts as
     *     a restart: the memory is built again, which costs as much, and nothing waits for longer than it may wait from then on. Leases
     *     do not depend on it
     * @return the effects in their order; the list belongs to the caller
     */
    public List<Effect> apply(Event event, long nowMillis) {
        if (engine.isStepBack(nowMillis)) {
            counters.problem(
                    "step back of the clock",
                    "the clock went back by " + (engine.now() - nowMillis) / 1000
                            + " s: deadlines are set anew, as after a restart");
        }
        return event instanceof Event.Tick ? engine.tick(nowMillis) : engine.apply(event, nowMillis);
    }

    /**
     * When an {@link Event.Tick} is needed if nothing else happens, in milliseconds since 1970; {@link Long#MAX_VALUE} for never. May
     * lie in the past, which means at once; {@link Long#MIN_VALUE} before the first event, because the state has not been read yet.
     */
    public long nextDeadlineMillis() {
        return engine.nextDeadlineMillis();
    }

    /**
     * The metrics of this lane; null before the first event. Costs time for each open task, so call it every few seconds, not for each
     * event.
     */
    public SchedulerMetrics metrics() {
        return isReady() ? application.metrics() : null;
    }

    /** The limits of groups that are in force, one each, for people; configured ones and those that commands have set. */
    public List<String> limits() {
        return isReady() ? application.lane().groups.limitsInForce() : List.of();
    }

    /**
     * Checks that memory equals state, that all counts are what looking at everything gives, and that a memory built from the state
     * would be the same. Costs as much as a restart. Nothing happens before the first event. Throws {@link IllegalStateException} with
     * what differs.
     */
    public void verify() {
        if (isReady()) {
            Session<Effect> session = new Session<>(store, engine.now());
            LaneApplication rebuilt = new LaneApplication(options, number, new Counters(), unreadable, session, store);
            new Verification(application, rebuilt, store).run();
        }
    }

    /** What went wrong inside since the last call, in sentences for the log. */
    public List<String> takeProblems() {
        if (counters.problems.isEmpty()) {
            return List.of();
        }
        List<String> problems = List.copyOf(counters.problems);
        counters.problems.clear();
        return problems;
    }

    /** For tests: the present memory; null before the first event and after one that failed. */
    Lane lane() {
        return isReady() ? application.lane() : null;
    }

    private boolean isReady() {
        return engine.nextDeadlineMillis() != Long.MIN_VALUE;
    }
}
