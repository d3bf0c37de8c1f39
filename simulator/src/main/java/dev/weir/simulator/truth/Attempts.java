package dev.weir.simulator.truth;

import dev.weir.protocol.JobRow;
import dev.weir.protocol.JobStatus;
import dev.weir.protocol.Result;
import dev.weir.scheduler.options.ErrorClass;
import java.util.Map;

/** What reports and lost leases did to jobs: whether the core followed them rightly, and what is true of the jobs then. */
final class Attempts {

    private final State state;
    private final Reports reports;
    private final Commands commands;
    private final Nodes nodes;

    Attempts(State state, Reports reports, Commands commands, Nodes nodes) {
        this.nodes = nodes;
        this.state = state;
        this.reports = reports;
        this.commands = commands;
    }

    /** What the report did to its job, before any release. */
    void reported(Context context, Map<String, JobRow> rows) {
        JobTruth job = context.job;
        if (job == null || context.allowed == 0) {
            return;
        }
        if (context.attempt > job.attempt) {
            state.mayHaveStarted(job, context.now);
        }
        JobRow row = job.uid == null ? null : rows.get(job.uid);
        JobStatus then = row == null ? job.status : row.status();
        if (row != null
                && then == JobStatus.QUEUED
                && row.attempt() > Math.max(job.attempt, context.fails ? context.attempt : 0)) {
            then = JobStatus.COOLING;
        }
        boolean allowed = Statuses.in(then, context.allowed)
                || then == JobStatus.CANCELLED && context.fails && job.task.task.autoCancel();
        Violation.check(
                allowed,
                rule(context),
                job,
                "is",
                then,
                "after attempt",
                context.attempt,
                "of",
                context.pilot,
                "and may be",
                Statuses.names(context.allowed),
                "after",
                context.event);
        if (context.unsure && then != job.status) {
            job.adopted = true;
        }
        if (context.result != null && then == job.status) {
            if (!job.is(Statuses.TERMINAL)) {
                job.endLate(context.result);
            }
            if (context.result.status() != Result.Outcome.FINISHED) {
                job.failedLate(context.result);
            }
        }
        if (Statuses.in(then, Statuses.OWNED)) {
            own(context, job, then, row);
        } else if (then != job.status || context.fails) {
            boolean again = row != null && row.attempt() > job.attempt;
            if (context.fails && (then != job.status || job.is(Statuses.COOLING) || again)) {
                failed(context, job, then);
            } else if (then == JobStatus.FINISHED) {
                boolean queuedLater = job.is(Statuses.QUEUED) && context.attempt < job.attempt;
                job.finishedAfterAll = job.is(Statuses.TERMINAL);
                job.attempt = Math.max(job.attempt, context.attempt);
                job.end(context.result);
                nodes.worked(context.pilot);
                state.move(job, then, context.now);
                if (queuedLater) {
                    state.messageStays(job);
                }
            } else if (then != job.status) {
                state.move(job, then, context.now);
            }
        }
    }

    private String rule(Context context) {
        return context.result != null
                ? "results count once, and a late finished wins"
                : "only the owner moves a job, and what we sent is adopted";
    }

    private void own(Context context, JobTruth job, JobStatus then, JobRow row) {
        if (row == null) {
            return;
        }
        boolean changes = !job.isOwnedBy(row.pilotId(), row.attempt());
        if (changes) {
            Violation.check(
                    context.pilot.equals(row.pilotId()) && row.attempt() == context.attempt,
                    "the first to report a job owns it",
                    row,
                    "after",
                    context.event);
            job.adopted |= job.attempt != context.attempt || job.is(Statuses.PENDING);
            job.killOrdered = false;
            job.attempt = row.attempt();
            job.own(row.pilotId());
            job.renewedAt = state.beatClock;
        }
        state.move(job, then, context.now);
        if (changes) {
            job.own(row.pilotId());
            if (context.result == null) {
                nodes.started(context, job);
            }
        }
    }

    private void failed(Context context, JobTruth job, JobStatus then) {
        boolean counts = !context.unsure && !job.killOrdered && !job.task.cancelled && !job.task.broken;
        ErrorClass error = reports.errorClass(context.result);
        boolean ordered = job.killOrdered || error == null;
        job.orderedKills += ordered && context.attempt == job.attempt && then == JobStatus.COOLING ? 1 : 0;
        job.adopted |= context.attempt > job.attempt || job.killOrdered;
        job.attempt = Math.max(job.attempt, context.attempt);
        job.payloadFailures += error == ErrorClass.PAYLOAD ? 1 : 0;
        job.systemFailures += error == ErrorClass.SYSTEM ? 1 : 0;
        job.end(context.result);
        if (error == ErrorClass.SYSTEM) {
            nodes.failed(context.pilot, counts);
        }
        if (job.is(Statuses.COOLING) && then == JobStatus.COOLING) {
            job.failedAt = context.now;
        }
        JobStatus end = then;
        if (then == JobStatus.CANCELLED && !job.task.cancelled && !job.task.closing && !job.task.broken) {
            end = JobStatus.FAILED;
        }
        state.move(job, end, context.now);
        autoCancel(context, job.task);
        if (end != then) {
            Violation.check(job.task.cancelled, "only stopped tasks have cancelled jobs", job);
            state.move(job, then, context.now);
        }
    }

    void autoCancel(Context context, TaskTruth task) {
        int failed = task.counts[JobStatus.FAILED.ordinal()] + task.counts[JobStatus.KILLED.ordinal()];
        int finished = task.counts[JobStatus.FINISHED.ordinal()];
        // What is taken up comes before a command that has waited with it: after a close nothing is taken up.
        boolean closed = task.closing && !(Notices.isTakenUp(context) && context.stopping == task);
        if (task.task.autoCancel()
                && failed >= state.scenario.options().attempts().autoCancelFrom()
                && failed > finished
                && !task.cancelled
                && !closed
                && !task.broken) {
            commands.cancel(task, context);
        }
    }

    /** Jobs that ended without a report: their leases must have run out. */
    void lost(Context context, JobRow row) {
        JobTruth job = state.jobs.get(row.uid());
        boolean ends = !Statuses.in(row.status(), Statuses.OWNED | Statuses.FINISHED);
        if (job == context.job && context.allowed != 0 || !job.is(Statuses.OWNED) || !ends) {
            return;
        }
        TaskTruth task = job.task;
        job.lost();
        if (task.cancelled || task.broken || job.killOrdered) {
            nodes.lost(job.owner, !task.broken);
            job.adopted = true;
            state.move(job, row.status() == JobStatus.QUEUED ? JobStatus.COOLING : row.status(), context.now);
            autoCancel(context, task);
            return;
        }
        long silent = state.beatClock - job.renewedAt;
        Violation.check(
                silent >= state.leaseMillis(),
                "a lease runs on the clock of beats",
                job,
                "was lost after",
                silent,
                "ms of",
                state.leaseMillis());
        job.systemFailures++;
        nodes.lost(job.owner, true);
        boolean over = job.systemFailures > state.scenario.options().attempts().systemRetries();
        JobStatus then = row.status() == JobStatus.QUEUED ? JobStatus.COOLING : row.status();
        boolean right = job.retried
                || job.adopted
                || task.closing
                || (over
                        ? Statuses.in(then, Statuses.FAILED | Statuses.KILLED | Statuses.CANCELLED)
                        : Statuses.in(then, Statuses.PENDING));
        Violation.check(right, "budgets of retries", job, "lost for the", job.systemFailures, "time is", then);
        state.move(job, then == JobStatus.CANCELLED && !task.closing ? JobStatus.FAILED : then, context.now);
        autoCancel(context, task);
        if (job.status != then) {
            Violation.check(task.cancelled, "only stopped tasks have cancelled jobs", job);
            state.move(job, then, context.now);
        }
    }
}
