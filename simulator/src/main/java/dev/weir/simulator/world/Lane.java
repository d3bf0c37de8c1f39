package dev.weir.simulator.world;

import dev.weir.engine.store.HeapStore;
import dev.weir.protocol.Route;
import dev.weir.protocol.Status;
import dev.weir.scheduler.Scheduler;
import dev.weir.scheduler.api.Effect;
import dev.weir.scheduler.api.Event;
import dev.weir.scheduler.state.JobRecord;
import dev.weir.scheduler.state.Progress;
import dev.weir.scheduler.state.Tables;
import dev.weir.simulator.invariant.Invariants;
import dev.weir.simulator.invariant.Violation;
import dev.weir.simulator.reference.Reference;
import dev.weir.simulator.scenario.Rand;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** One lane of Weir: a core with its store, and the rules that judge it. */
final class Lane {

    /** Ticks in one millisecond after which the core is said to spin. */
    private static final int SPINNING = 1000;

    /** A clock that goes back by more is a restart for the core. */
    private static final long STEP_BACK_MILLIS = 60_000;

    /** Events between two times that the core is verified: that costs as much as a restore. */
    private static final int VERIFIED_EVERY = 1000;

    final int number;
    private final World world;
    private HeapStore store = new HeapStore();
    private Invariants invariants;
    /** Null in worlds that are not calm. */
    private final Reference reference;

    private Scheduler core;
    /** When its next tick is planned; {@link Long#MAX_VALUE} for none. */
    long tickAt;

    /** The time of its core: it stands still while the clock is less than a minute behind it. */
    private long coreNow;

    private int ticksNow;
    private long lastTick;
    private long events;
    private long verifyAt;

    Lane(World world, int number) {
        this.world = world;
        this.number = number;
        invariants = new Invariants(world.scenario().ofLane(number), world.outside());
        reference = world.scenario().calm() ? new Reference(world.scenario(), invariants.groups()) : null;
    }

    /** What a checkpoint keeps of a lane. */
    record Snapshot(HeapStore store, Invariants invariants) {}

    Snapshot snapshot() {
        return new Snapshot(store.snapshot(), invariants.restored());
    }

    void restore(Snapshot snapshot) {
        store = snapshot.store().snapshot();
        invariants = snapshot.invariants().restored();
        store.forEach(Tables.PROGRESS, (uid, task) -> invariants.catchUp());
    }

    /** By task: how many of its files its state has. */
    void known(Map<String, Long> files) {
        store.forEach(Tables.PROGRESS, (uid, task) -> files.put(uid, task.known));
    }

    /** Memory equals state, and an index rebuilt from the state equals the index. */
    private void verify() {
        verifyAt = events + VERIFIED_EVERY;
        if (reference != null) {
            reference.count(core.metrics().why().get("paused"));
        }
        try {
            core.verify();
        } catch (IllegalStateException e) {
            throw new Violation("memory equals state, and a rebuilt index equals the index", e.getMessage(), e);
        }
    }

    /** The run is over. */
    void finish() {
        verify();
    }

    void start() {
        verifyAt = events;
        coreNow = 0;
        core = new Scheduler(world.scenario().options(), number, world.tamper().store(store));
        tickAt = Long.MAX_VALUE;
    }

    long nextDeadlineMillis() {
        return core.nextDeadlineMillis();
    }

    long window(String pool) {
        return core.metrics().pools().get(pool).window();
    }

    /**
     * Lets the core take the event and judges what it does. Returns that.
     *
     * @param now what the clock of its machine says, in milliseconds since 1970
     */
    List<Effect> apply(Event event, long now) {
        if (now < coreNow - STEP_BACK_MILLIS) {
            // That counts as a restart.
            invariants = invariants.restored();
            coreNow = now;
        }
        coreNow = Math.max(coreNow, now);
        List<Effect> effects;
        try {
            effects = world.tamper()
                    .effects(core.apply(
                            world.tamper().event(event), world.tamper().now(now)));
        } catch (RuntimeException e) {
            throw new Violation("the core took the event without an exception", event + " threw " + e, e);
        }
        events++;
        if (world.isTraced()) {
            effects.forEach(effect -> world.trace("  effect", effect, "", ""));
        }
        invariants.check(event, coreNow, effects);
        if (reference != null) {
            reference.check(event, now, effects);
        }
        if (events >= verifyAt) {
            verify();
        }
        return effects;
    }

    /** A report about a job that has failed, under the route of another one; null when there is no such pair. */
    Event mixedUp(Rand draws) {
        TreeMap<String, JobRecord> failed = new TreeMap<>();
        store.forEach(Tables.FAILED_JOB, failed::put);
        TreeMap<String, Progress> tasks = new TreeMap<>();
        store.forEach(Tables.PROGRESS, tasks::put);
        if (failed.isEmpty() || tasks.isEmpty()) {
            return null;
        }
        JobRecord job = failed.get(draws.pick(List.copyOf(failed.keySet())));
        Progress task = tasks.get(draws.pick(List.copyOf(tasks.keySet())));
        long position = draws.between(0, (int) Math.max(0, task.released - 1));
        if (task.uid.equals(job.taskUid) && position == job.position) {
            return null;
        }
        Route route = new Route(number, position, task.uid);
        int attempt = job.attempt + draws.between(0, 1);
        Status.Phase phase = draws.oneOf(Status.Phase.STARTING, Status.Phase.RUNNING);
        return new Event.ReportArrived(
                new Status("stranger", job.pool, null, job.uid, attempt, route.encoded(), phase));
    }

    /** A tick is due. */
    void ticks(long now) {
        tickAt = Long.MAX_VALUE;
        ticksNow = now == lastTick ? ticksNow + 1 : 0;
        lastTick = now;
        if (ticksNow > SPINNING) {
            throw new Violation(
                    "the core does not spin", SPINNING + " ticks in one millisecond and still a deadline in the past");
        }
    }
}
