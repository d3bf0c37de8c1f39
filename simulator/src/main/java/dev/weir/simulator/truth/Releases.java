package dev.weir.simulator.truth;

import dev.weir.protocol.FileInfo;
import dev.weir.protocol.Job;
import dev.weir.protocol.JobStatus;
import dev.weir.protocol.Limits;
import dev.weir.protocol.Mode;
import dev.weir.protocol.Order;
import dev.weir.protocol.Route;
import dev.weir.scheduler.options.AttemptOptions;
import dev.weir.scheduler.options.PoolOptions;
import dev.weir.scheduler.options.RankOptions;
import java.util.Map;

/** What must be true whenever a job is released: it may be, it is the right one, and no limit is broken by it. */
final class Releases {

    private final State state;
    private final Archive archive;
    private final Map<String, Fairness> fairness;
    private final Admission admission;

    Releases(State state, Archive archive, Map<String, Fairness> fairness, Admission admission) {
        this.admission = admission;
        this.state = state;
        this.archive = archive;
        this.fairness = fairness;
    }

    void release(String pool, Job sent, long now) {
        Route route = Route.decode(sent.route());
        TaskTruth task = state.tasks.get(sent.taskUid());
        Violation.check(
                task != null && task.terminal == null && route.taskUid().equals(sent.taskUid()),
                "jobs belong to open tasks",
                sent);
        Violation.check(route.position() < task.jobs.length, "a job is a file of its task", sent);
        JobTruth job = task.jobs[(int) route.position()];
        archive.identified(sent.taskUid(), job.position, sent.uid());
        job.uid = sent.uid();
        state.jobs.put(sent.uid(), job);
        describes(sent, job, pool);
        if (job.is(Statuses.QUEUED) && sent.attempt() == job.attempt) {
            again(job, now);
            return;
        }
        mayGo(sent, job, now);
        boolean fresh = job.attempt == 0;
        if (fresh) {
            admission.freshReleased(task);
            inOrder(job, now);
        }
        int places = state.pools.get(pool).places(now, state.queuedTimeoutMillis());
        PoolOptions window = state.pools.get(pool).options;
        int most = state.pools.get(pool).hasFixedWindow() ? window.window() : window.windowMax();
        Violation.check(
                places < most,
                "window respected",
                "pool",
                pool,
                "has",
                places,
                "jobs out of",
                most,
                "and",
                job,
                "was released");
        for (String group : state.groupsOf(job)) {
            GroupTruth limit = state.group(group);
            limit.release(now, job);
            limit.inFlight--;
        }
        state.move(job, JobStatus.QUEUED, now);
        job.attempt = sent.attempt();
        job.sentAt = now;
        job.owner = null;
        job.killOrdered = false;
        serve(sent, job, pool);
    }

    private void describes(Job sent, JobTruth job, String pool) {
        TaskTruth task = job.task;
        boolean inputs;
        if (task.task.mode() == Mode.MAP) {
            FileInfo file = task.dataset.files().get(job.position);
            inputs = file.url().equals(sent.fileInUrl());
        } else {
            int from = job.position * task.filesPerJob;
            int to = (int) Math.min(
                    (long) from + task.filesPerJob, task.dataset.files().size());
            inputs = task.dataset.files().subList(from, to).stream()
                    .map(FileInfo::url)
                    .toList()
                    .equals(sent.fileInUrls());
        }
        boolean same = sent.executable().equals(task.task.executable())
                && sent.deviceType() == task.task.deviceType()
                && sent.mode() == task.task.mode()
                && pool.equals(task.pool)
                && (sent.taskNum() == null || !task.dataset.isReadable() || sent.taskNum() == task.jobs.length)
                && sent.leaseS() == state.leaseMillis() / 1000;
        Violation.check(same && inputs, "a job is a file of its task", sent, "is not", job, "of pool", task.pool);
        Violation.check(
                sent.fileOutUrl().contains(task.task.datOutUrl())
                        && !sent.fileOutUrl().equals(sent.fileLogUrl()),
                "output and log have places of their own",
                sent);
    }

    private void again(JobTruth job, long now) {
        Violation.check(
                now - job.sentAt >= state.queuedTimeoutMillis(),
                "a job not started within queued-timeout is sent again, and not before",
                job,
                "was sent",
                now - job.sentAt,
                "ms ago");
        job.sentAt = now;
    }

    private void mayGo(Job sent, JobTruth job, long now) {
        TaskTruth task = job.task;
        Violation.check(
                job.is(Statuses.PENDING),
                "only pending files are released",
                job,
                "was released as attempt",
                sent.attempt());
        Violation.check(
                sent.attempt() == job.attempt + 1,
                "attempts count one by one",
                job,
                "was released as attempt",
                sent.attempt());
        Violation.check(
                !task.paused && !task.cancelled && !task.closing && !task.broken,
                "stopped tasks release nothing",
                job,
                "paused",
                task.paused,
                "cancelled",
                task.cancelled,
                "closing",
                task.closing);
        PoolTruth pool = state.pools.get(task.pool);
        Violation.check(
                !pool.paused || pool.draining && job.attempt > 0,
                "a paused pool releases nothing, one that is drained nothing fresh",
                job);
        Violation.check(task.isRead(job), "files are released once they have been read", job);
        if (job.attempt > 0 && !job.retried && !job.adopted) {
            Violation.check(
                    job.payloadFailures <= task.task.retry()
                            && job.systemFailures
                                    <= state.scenario.options().attempts().systemRetries(),
                    "budgets of retries",
                    job,
                    "failed",
                    job.payloadFailures,
                    "and",
                    job.systemFailures,
                    "times");
            Violation.check(
                    job.is(Statuses.WAITING) || now - job.failedAt >= coolOff(job, false),
                    "retries cool off",
                    job,
                    "failed",
                    now - job.failedAt,
                    "ms ago");
        }
        Violation.check(
                job.orderedKills == 0
                        || job.retried
                        || !job.is(Statuses.COOLING)
                        || now - job.failedAt >= pauseAfterKills(job, false),
                "jobs that we stop again and again wait longer each time",
                job,
                "was stopped",
                job.orderedKills,
                "times and waited",
                now - job.failedAt,
                "ms");
        rank(sent, task);
    }

    /** The least (or most) milliseconds that a job waits which we stopped ourselves; 0 if we did not. */
    private double pauseAfterKills(JobTruth job, boolean most) {
        double jitter = state.scenario.options().attempts().coolOffJitter();
        double pause = job.orderedKills == 0 ? 0 : Math.min(1_000 * Math.pow(2, job.orderedKills - 1), 300_000);
        return pause * (most ? 1 + jitter : 1 - jitter) - 1;
    }

    private void rank(Job sent, TaskTruth task) {
        RankOptions rank = state.scenario.options().rank();
        boolean fixed = isFixed(task);
        double most = fixed ? task.baseRank : task.baseRank + (rank.alpha() + rank.beta()) / (1 - rank.gamma());
        Violation.check(
                sent.rank() >= task.baseRank - 1e-6 && sent.rank() <= most + 1e-6,
                "rank stays between base and its fixed point",
                sent.rank(),
                "is not from",
                task.baseRank,
                "to",
                most,
                "for",
                task.task.uid());
    }

    private boolean isFixed(TaskTruth task) {
        String ranker =
                task.task.ranker() == null ? state.scenario.options().rank().ranker() : task.task.ranker();
        return ranker.equals(RankOptions.FIXED);
    }

    /** The least (or most) milliseconds that a job must cool after its last failure. */
    private double coolOff(JobTruth job, boolean most) {
        AttemptOptions options = state.scenario.options().attempts();
        int failures = Math.max(1, job.payloadFailures + job.systemFailures);
        double pause = options.coolOff().toMillis() * Math.pow(options.coolOffFactor(), most ? failures - 1 : 0);
        double capped = Math.min(pause, options.coolOffMax().toMillis());
        return capped * (most ? 1 + options.coolOffJitter() : 1 - options.coolOffJitter()) - 1;
    }

    /** Among files without limits: retries first, then by the task's order. */
    private void inOrder(JobTruth job, long now) {
        TaskTruth task = job.task;
        if (!task.simple || task.task.order() == Order.RANDOM) {
            return;
        }
        if (task.counts[JobStatus.COOLING.ordinal()] > 0) {
            for (JobTruth other : task.jobs) {
                Violation.check(
                        !other.is(Statuses.COOLING)
                                || other.adopted
                                || other.retried
                                || other.failedAt == 0
                                || now - other.failedAt
                                        <= Math.max(coolOff(other, true), pauseAfterKills(other, true)) + 1_000,
                        "retries go before fresh files",
                        job,
                        "went before",
                        other);
            }
        }
        if (task.task.order() == Order.PRIORITY) {
            bestFirst(job, now);
            return;
        }
        Violation.check(
                job.position > task.lastFresh,
                "first come, first served among equals",
                job,
                "went after position",
                task.lastFresh);
        task.lastFresh = job.position;
    }

    private void bestFirst(JobTruth job, long now) {
        TaskTruth task = job.task;
        int demoteTo = state.scenario.options().rank().demoteTo();
        int priority = task.priority(job, demoteTo, now);
        for (JobTruth other : task.jobs) {
            int better = other.waits() && other != job ? task.priority(other, demoteTo, now) : -1;
            Violation.check(
                    priority < 0 || better < 0 || better >= priority,
                    "the best priority goes first",
                    job,
                    "of",
                    priority,
                    "went before",
                    other,
                    "of",
                    better);
            Violation.check(
                    priority < 0 || better != priority || other.position > job.position,
                    "first come, first served among equals",
                    job,
                    "went before",
                    other);
        }
    }

    private void serve(Job sent, JobTruth job, String pool) {
        TaskTruth task = job.task;
        if (!state.pools.get(pool).options.policy().equals(PoolOptions.IWRR)) {
            return;
        }
        int weight = weight(sent.rank());
        // With fewer slots than tasks, a task may have to wait for a slot and is then not in the ring.
        boolean contended = state.scenario.options().admission().maxActiveTasks()
                < state.scenario.tasks().size();
        boolean watched = isFixed(task) && task.hasFreshReady() && !contended;
        fairness.get(pool).serve(task.task.uid(), weight, weight(task.highestRank), watched);
    }

    private static int weight(double rank) {
        return (int) Math.max(Limits.MIN_WEIGHT, Math.min(Limits.MAX_WEIGHT, Math.round(rank)));
    }
}
