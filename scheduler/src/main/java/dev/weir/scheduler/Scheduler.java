package dev.weir.scheduler;

import dev.weir.engine.Core;
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
 * One lane of the scheduler: tasks in, interleaved jobs out, reports in, closed datasets out. {@link Engine} lists the steps
 * of one event.
 */
public final class Scheduler implements Core<Event, Effect> {

    /** If no beat comes back, jobs go out after this time all the same. */
    private static final long CATCH_UP_MILLIS = 60_000;

    private final SchedulerOptions options;
    private final int number;
    private final Store store;
    private final Counters counters = new Counters();
    /** By uid: tasks that cannot be read from this state, and why. */
    private final Map<String, String> unreadable = new TreeMap<>();

    private final Engine<Event, Effect> engine;
    /** The memory that the engine works with; not to be used before the first event, nor after one that failed. */
    private LaneApplication application;
    /** Until when reports that waited are read before anything goes out, in milliseconds since 1970; not known before the first event. */
    private long catchesUpUntil = Long.MAX_VALUE;

    /** When the first memory was built, in milliseconds since 1970, or a clock that went back says that it was. */
    private long startedAt = Long.MAX_VALUE;

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
        startedAt = Math.min(startedAt, session.now());
        application = new LaneApplication(options, number, counters, unreadable, session, startedAt, store);
        if (catchesUpUntil > session.now()) {
            // Also a memory that is built again before that has forgotten what left before the start.
            application.lane().catchUpUntil(Math.min(catchesUpUntil, session.now() + CATCH_UP_MILLIS));
        }
        return application;
    }

    @Override
    public List<Effect> apply(Event event, long nowMillis) {
        if (engine.isStepBack(nowMillis)) {
            counters.problem(
                    "step back of the clock",
                    "the clock went back by " + (engine.now() - nowMillis) / 1000
                            + " s: deadlines are set anew, as after a restart");
        }
        List<Effect> effects = event instanceof Event.Tick ? engine.tick(nowMillis) : engine.apply(event, nowMillis);
        catchesUpUntil = application.lane().catchesUpUntil();
        return effects;
    }

    @Override
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
            LaneApplication rebuilt =
                    new LaneApplication(options, number, new Counters(), unreadable, session, startedAt, store);
            new Verification(application, rebuilt, store).run();
        }
    }

    @Override
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
