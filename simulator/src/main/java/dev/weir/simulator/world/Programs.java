package dev.weir.simulator.world;

import dev.weir.protocol.ErrorType;
import dev.weir.protocol.Job;
import dev.weir.protocol.Notice;
import dev.weir.protocol.Result;
import dev.weir.simulator.scenario.PilotPlan;
import dev.weir.simulator.scenario.Rand;
import dev.weir.simulator.scenario.TaskPlan;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/** How long each attempt takes and how it ends: decided by the seed, the job, its attempt and the pilot's count of jobs. */
final class Programs {

    private static final int LONGEST_HANG_MILLIS = 300_000;

    private final long seed;
    private final long longestMillis;
    /** Whether some inputs are not there, for a time or always. */
    private final boolean inputsMiss;

    private final Map<String, TaskPlan> plans = new HashMap<>();

    /**
     * @param longestMillis what an attempt may take; some take longer and ignore orders to stop
     * @param fail whether programs may fail
     */
    Programs(long seed, Iterable<TaskPlan> tasks, long longestMillis, boolean fail) {
        this.seed = seed;
        this.longestMillis = longestMillis;
        inputsMiss = fail && Rand.of(seed, "missing inputs").chance(0.15);
        tasks.forEach(plan -> plans.put(plan.task().uid(), plan));
    }

    /** @param healed whether nodes are good by now */
    Run run(Job job, PilotPlan pilot, int count, boolean healed) {
        Rand rand = Rand.of(
                seed,
                job.uid(),
                job.attempt() * 1_000_003L + count * 31L + pilot.id().hashCode());
        TaskPlan plan = plans.get(job.taskUid());
        double millis = plan.jobMillis() * (0.5 + rand.share()) / pilot.speed();
        long stageIn = (long) (millis * 0.1);
        boolean fails = rand.chance(Math.max(plan.failureShare(), pilot.brokenShare()));
        ErrorType error = fails ? error(rand, plan.systemShare()) : null;
        Rand node = Rand.of(seed, pilot.node(), job.uid().hashCode() * 31L + job.attempt() * 1_000_003L + count);
        if (!healed && node.chance(pilot.nodeFaultShare())) {
            error = error(node, 1);
        }
        if (inputsMiss && job.attempt() <= attemptsWithoutInput(job)) {
            error = ErrorType.MISSING;
        }
        int exitCode = rand.chance(0.03) ? 64 : 1;
        double luck = rand.share();
        boolean hangs = !healed && longestMillis < LONGEST_HANG_MILLIS / 2 && rand.chance(0.05);
        long runMillis = hangs ? longestMillis + rand.between(0, LONGEST_HANG_MILLIS) : (long) millis - stageIn;
        return new Run(
                job, plan.task().poolName(), pilot, stageIn, Math.max(1, runMillis), hangs, error, exitCode, luck);
    }

    /** One task in ten is on a storage that is empty at first; of others few files are late, and some never come. */
    private int attemptsWithoutInput(Job job) {
        Rand storage = Rand.of(seed, "missing of " + job.taskUid());
        Rand file = Rand.of(seed, "missing " + job.uid());
        int late = file.chance(0.05) ? file.oneOf(1, 2, 4, Integer.MAX_VALUE) : 0;
        return storage.chance(0.1) ? Math.max(late, storage.between(1, 3)) : late;
    }

    private static ErrorType error(Rand rand, double systemShare) {
        return rand.chance(systemShare)
                ? rand.oneOf(ErrorType.STAGE_IN, ErrorType.STAGE_OUT, ErrorType.DISK_FULL, ErrorType.KILLED)
                : rand.oneOf(ErrorType.EXIT, ErrorType.TIMEOUT, ErrorType.OOM, ErrorType.EXECUTABLE);
    }

    /**
     * One attempt on one pilot.
     *
     * @param pool that the job came from
     * @param hangs whether its pilot ignores orders to stop, though it is heard
     * @param error null when the program finishes
     * @param luck 0 to 1; decides which files there are at the end
     */
    record Run(
            Job job,
            String pool,
            PilotPlan pilot,
            long stageInMillis,
            long runMillis,
            boolean hangs,
            ErrorType error,
            int exitCode,
            double luck) {

        /** @param notice what stopped it; null when it came to its own end */
        Result result(Instant now, Notice.Kind notice) {
            Result.Outcome outcome = notice == Notice.Kind.CANCEL
                    ? Result.Outcome.CANCELLED
                    : notice == Notice.Kind.KILL
                            ? Result.Outcome.KILLED
                            : error == null ? Result.Outcome.FINISHED : Result.Outcome.FAILED;
            boolean finished = outcome == Result.Outcome.FINISHED;
            boolean output = finished ? luck < 0.95 : luck < 0.3;
            boolean log = luck > 0.04;
            return new Result(
                    pilot.id(),
                    pool,
                    now,
                    job.uid(),
                    job.attempt(),
                    job.route(),
                    outcome,
                    finished ? (Integer) 0 : notice == null ? (Integer) exitCode : null,
                    finished ? null : notice == null ? error : ErrorType.KILLED,
                    finished ? null : "as the seed wants it",
                    output ? job.fileOutUrl() : null,
                    output ? (Long) 1000L : null,
                    output ? "00ff" : null,
                    log ? job.fileLogUrl() : null,
                    log ? (Long) 10L : null,
                    null,
                    now,
                    now);
        }
    }
}
