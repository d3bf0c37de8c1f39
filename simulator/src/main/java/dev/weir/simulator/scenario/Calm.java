package dev.weir.simulator.scenario;

import dev.weir.engine.limit.LimitOptions;
import dev.weir.protocol.Command;
import dev.weir.scheduler.api.Event;
import dev.weir.scheduler.options.AdmissionOptions;
import dev.weir.scheduler.options.AttemptOptions;
import dev.weir.scheduler.options.PoolOptions;
import dev.weir.scheduler.options.SchedulerOptions;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Calm worlds, one in three: no restore, a broker that loses and repeats nothing, pilots that say what is so. Jobs and nodes fail, pilots die
 * and hang, DSM is late, and people steer. There one lane with fixed windows and without random pauses does exactly what its rules say.
 */
final class Calm {

    static final Set<Fault> FAULTS = EnumSet.of(
            Fault.PILOT_CRASH,
            Fault.PILOT_HANG,
            Fault.JOB_FAILURE,
            Fault.TASK_COMMANDS,
            Fault.STEERING,
            Fault.TASK_REPEAT,
            Fault.BAD_NODES,
            Fault.DSM_FAILURE);

    /** Files of a dataset. Weir stops no more jobs of a task in one event, and the reference knows no steps. */
    static final int MOST_FILES = 1_000;

    private Calm() {}

    static boolean isDrawn(long seed) {
        return Rand.of(seed, "calm").chance(1 / 3.0);
    }

    static SchedulerOptions options(SchedulerOptions drawn) {
        Map<String, PoolOptions> pools = new HashMap<>();
        drawn.pools().forEach((name, pool) -> pools.put(name, fixed(pool)));
        AttemptOptions attempts = drawn.attempts();
        SchedulerOptions calm = drawn.withLanes(1)
                .withPools(pools)
                .withAttempts(
                        attempts.withCoolOff(attempts.coolOff(), attempts.coolOffFactor(), attempts.coolOffMax(), 0)
                                .withQueuedTimeout(Duration.ofDays(30)));
        return calm.withAdmission(admission(drawn));
    }

    /** In half of the worlds tasks wait for a slot. Not where groups are limited: how many more are admitted then is for the rules of groups to say. */
    private static AdmissionOptions admission(SchedulerOptions drawn) {
        Rand rand = Rand.of(drawn.seed(), "calm admission");
        return isLimited(drawn.limits()) || rand.chance(0.5)
                ? drawn.admission()
                        .withMaxActiveTasks(AdmissionOptions.defaults().maxActiveTasks())
                : drawn.admission()
                        .withMaxActiveTasks(rand.between(1, 3))
                        .withReadAhead(rand.between(0, 2))
                        .withWaitPerRank(Duration.ofMillis((long) rand.magnitude(50, 60_000)));
    }

    private static boolean isLimited(LimitOptions limits) {
        return !limits.groups().isEmpty() || !limits.rules().isEmpty();
    }

    private static PoolOptions fixed(PoolOptions pool) {
        return pool.window() == PoolOptions.AUTO ? pool.withWindow(pool.windowMin()) : pool;
    }

    /** Where no group is limited, none becomes so. */
    static void keep(List<Sending> sendings, SchedulerOptions options) {
        sendings.removeIf(sending -> sending.event() instanceof Event.CommandArrived arrived
                && arrived.command().type() == Command.Type.LIMIT
                && !isLimited(options.limits()));
    }
}
