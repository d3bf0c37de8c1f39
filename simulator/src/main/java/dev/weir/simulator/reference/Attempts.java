package dev.weir.simulator.reference;

import dev.weir.protocol.ErrorType;
import dev.weir.protocol.Heartbeat;
import dev.weir.protocol.Notice;
import dev.weir.protocol.Report;
import dev.weir.protocol.Result;
import dev.weir.protocol.Status;
import dev.weir.protocol.TaskState;
import dev.weir.scheduler.options.AttemptOptions;
import dev.weir.scheduler.options.ErrorClass;
import dev.weir.simulator.reference.RefJob.Order;
import dev.weir.simulator.reference.RefJob.Phase;
import dev.weir.simulator.reference.RefTask.Stop;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What reports and lost leases make of jobs: the first to report an attempt owns it; a failed one is tried again while the budget of its kind
 * lasts; one that finishes counts, even after its job was lost for good.
 */
final class Attempts {

    private static final int MOST_LOGS = 16;

    /**
     * @param phase null unless it is a status
     * @param result null unless it is one
     */
    private record About(String pilot, RefJob job, int attempt, Status.Phase phase, Result result) {}

    private final Model model;
    private final Fleet fleet;
    private final Closing closing;
    private final Set<RefTask> toSettle = new LinkedHashSet<>();

    Attempts(Model model, Fleet fleet, Closing closing) {
        this.model = model;
        this.fleet = fleet;
        this.closing = closing;
    }

    void arrived(Report report) {
        if (report instanceof Heartbeat heartbeat) {
            fleet.heard(heartbeat);
            if (heartbeat.jobUid() != null) {
                about(new About(
                        heartbeat.pilotId(), model.jobs.get(heartbeat.jobUid()), heartbeat.attempt(), null, null));
            }
        } else if (report instanceof Status status) {
            fleet.heard(status.pilotId(), status.pool(), status.jobUid());
            RefJob job = model.jobs.get(status.jobUid());
            about(new About(status.pilotId(), job, status.attempt(), status.status(), null));
            if (status.status() == Status.Phase.STARTING && job.phase.isOver()) {
                model.pools.get(status.pool()).staleMessages.poll();
            }
        } else if (report instanceof Result result) {
            fleet.heard(result.pilotId(), result.pool(), null);
            about(new About(result.pilotId(), model.jobs.get(result.jobUid()), result.attempt(), null, result));
        }
    }

    private void about(About about) {
        RefJob job = about.job;
        boolean finishes = job.mayFinish(about.result);
        if (job.phase.isOver()) {
            over(about, finishes);
        } else if (about.attempt <= job.registered && !finishes) {
            passed(about);
        } else if (about.attempt < job.attempt || job.phase == Phase.COOLING || job.phase == Phase.DUE) {
            boolean finished = about.result != null && about.result.status() == Result.Outcome.FINISHED;
            if (finished) {
                finishesAfterAll(about);
            } else {
                passed(about);
            }
        } else {
            current(about);
        }
    }

    /** The pilot goes on with what is not its own. */
    private void stop(About about) {
        if (about.result == null) {
            model.tell(about.job, about.pilot, about.attempt, Notice.Kind.CANCEL);
        }
    }

    private void over(About about, boolean finishes) {
        RefJob job = about.job;
        boolean failed = !job.task.ended && (job.phase == Phase.FAILED || job.phase == Phase.KILLED);
        if (failed && finishes) {
            job.order = Order.NONE;
            job.task.failedBySystem -= job.systemFailingSince > 0 ? 1 : 0;
            job.become(Phase.COOLING);
            finishesAfterAll(about);
            return;
        }
        if (failed && about.result != null) {
            job.endsLost(about.result);
        }
        stop(about);
    }

    /** An attempt that is not under way reports something; when it failed after it was lost, what it made belongs to the job. */
    private void passed(About about) {
        RefJob job = about.job;
        Result result = about.result;
        RefJob.Lost lost = result == null ? null : job.endsLost(result);
        if (lost != null && !lost.stopped() && result.attempt() > job.registered) {
            if (result.fileOutUrl() != null && (job.output == null || job.outputOf < result.attempt())) {
                job.output = result.fileOutUrl();
                job.outputOf = result.attempt();
            }
            log(job, result);
        }
        stop(about);
    }

    private static void log(RefJob job, Result result) {
        if (result.fileLogUrl() != null) {
            job.logs.add(result.attempt() + "/" + result.fileLogUrl());
            if (job.logs.size() > MOST_LOGS) {
                job.logs.remove(0);
            }
        }
    }

    /** While a later attempt was queued, at a pilot, or cooling off, or after all had failed. */
    private void finishesAfterAll(About about) {
        RefJob job = about.job;
        if (job.phase.isStarted()) {
            model.tell(job, job.pilot, job.attempt, Notice.Kind.KILL);
        }
        if (job.phase == Phase.QUEUED) {
            messageStays(job);
        }
        job.attempt = about.attempt;
        ended(job, about.result);
    }

    private void current(About about) {
        RefJob job = about.job;
        if (job.phase == Phase.QUEUED) {
            job.pilot = about.pilot;
            job.become(Phase.STARTING);
            job.overdue = false;
            job.overdueAt = model.now + job.task.longestMillis(model.options.attempts());
            model.changed.add(job);
            if (about.result == null) {
                fleet.started(job);
            }
        } else if (!about.pilot.equals(job.pilot)) {
            stop(about);
            return;
        }
        if (about.result != null) {
            ended(job, about.result);
            return;
        }
        if (!job.overdue) {
            job.leaseUntil = model.beatClock + model.options.pilots().lease().toMillis();
        }
        if (about.phase == Status.Phase.RUNNING && job.phase == Phase.STARTING) {
            job.become(Phase.RUNNING);
            job.task.inputWasRead();
            fleet.runs(job);
            model.changed.add(job);
        }
        if (job.order != Order.NONE) {
            Notice.Kind kind = job.order == Order.CANCEL ? Notice.Kind.CANCEL : Notice.Kind.KILL;
            model.tell(job, job.pilot, job.attempt, kind);
        }
    }

    /** A queued job ends. Its message takes a place until a pilot has started it, or for {@code queued-timeout}. */
    private void messageStays(RefJob job) {
        RefPool pool = job.task.pool;
        pool.staleMessages.add(
                model.now + model.options.attempts().queuedTimeout().toMillis());
        pool.forgetStaleMessages(model.now);
    }

    private void ended(RefJob job, Result result) {
        job.pilot = result.pilotId();
        ErrorType before = job.lastError;
        boolean isLate = result.status() != Result.Outcome.FINISHED && job.isOverdue();
        job.lastError = isLate ? ErrorType.TIMEOUT : result.errorType();
        boolean isOurStop = job.isUnwanted() && job.task.stop == Stop.NONE;
        if (result.status() == Result.Outcome.FINISHED) {
            fleet.worked(result.pilotId());
            job.logs.clear();
            job.output = null;
        }
        if (result.status() == Result.Outcome.FINISHED || !isOurStop) {
            log(job, result);
            if (result.fileOutUrl() != null) {
                job.output = result.fileOutUrl();
                job.outputOf = result.attempt();
            }
        }
        if (result.status() == Result.Outcome.FINISHED || job.order == Order.CANCEL) {
            boolean finished = result.status() == Result.Outcome.FINISHED;
            if (finished) {
                job.task.finished();
                job.task.storageWorkedAt = model.now;
            }
            ends(job, finished ? Phase.FINISHED : Phase.CANCELLED);
            closeIfDone(job.task);
            return;
        }
        boolean wasOrdered = job.isUnwanted() || result.status() == Result.Outcome.CANCELLED && !job.isOverdue();
        ErrorClass error = wasOrdered
                ? null
                : job.isOverdue()
                        ? ErrorClass.SYSTEM
                        : Causes.errorClass(result, job, before, model.options.attempts());
        boolean staging = !job.isOverdue() && Causes.isStaging(result);
        if (!wasOrdered) {
            job.task.failed(result, job.isOverdue(), model.now);
        }
        boolean missing = !job.isOverdue() && result.errorType() == ErrorType.MISSING;
        boolean leaves = result.status() == Result.Outcome.KILLED && fleet.isDraining(result.pilotId());
        if (error == ErrorClass.SYSTEM && !missing && !leaves) {
            fleet.failed(result.pilotId());
        }
        boolean probe = staging && job.task.isStorageAway();
        boolean mayBeGone = missing || !job.isOverdue() && result.errorType() == ErrorType.EXECUTABLE;
        if (!wasOrdered) {
            long since = job.missingSince == 0 ? model.now : job.missingSince;
            job.missingSince = mayBeGone ? since : 0;
        }
        tryAgain(job, error, result.status() == Result.Outcome.KILLED, mayBeGone, probe);
    }

    /** Attempts that have taken too long: their pilots are told to stop, and are heard no more about them. */
    void stopOverdue(RefTask task) {
        for (RefJob job : task.places() > 0 ? task.jobs : List.<RefJob>of()) {
            if (job.phase.isStarted() && !job.overdue && job.overdueAt <= model.now) {
                job.leaseUntil =
                        model.beatClock + model.options.pilots().lease().toMillis();
                job.overdue = true;
                job.order = job.order == Order.CANCEL ? Order.CANCEL : Order.KILL;
                boolean cancel = job.order == Order.CANCEL;
                model.tell(job, job.pilot, job.attempt, cancel ? Notice.Kind.CANCEL : Notice.Kind.KILL);
            }
        }
    }

    /**
     * @param error null when we stopped it ourselves, which uses up nothing
     * @param missing whether its input or program was not there: that is believed once another file of the task could be processed
     * @param probe whether it is to show that its storage is back
     */
    private void tryAgain(RefJob job, ErrorClass error, boolean killed, boolean missing, boolean probe) {
        if (error == ErrorClass.SYSTEM) {
            job.systemFailingSince = job.systemFailingSince == 0 ? model.now : job.systemFailingSince;
        } else if (error != null) {
            job.systemFailingSince = 0;
        }
        AttemptOptions options = model.options.attempts();
        long failing = model.now - job.systemFailingSince;
        long lasts = options.systemRetryTime().toMillis();
        boolean gone = missing
                && job.task.storageWorkedAt > job.missingSince
                && model.now - job.missingSince >= options.missingRetryTime().toMillis();
        boolean again = error == null
                || error == ErrorClass.PAYLOAD && job.payloadFailures < job.task.spec.retry()
                || error == ErrorClass.SYSTEM && !gone && (failing < lasts || lasts > 0 && job.systemFailures < 3);
        if (!again || job.task.stop != Stop.NONE) {
            ends(job, killed ? Phase.KILLED : Phase.FAILED);
            closeIfDone(job.task);
            return;
        }
        job.payloadFailures += error == ErrorClass.PAYLOAD ? 1 : 0;
        job.systemFailures += error == ErrorClass.SYSTEM ? 1 : 0;
        job.orderedStops += error == null ? 1 : 0;
        job.become(Phase.COOLING);
        job.dueAt = model.now + CoolOff.millis(job, options, probe);
        model.changed.add(job);
    }

    /** Jobs whose pilot was not heard for a lease; of those that are due together, in the order in which the core shows them. */
    void expire(List<String> shown) {
        List<RefJob> due = new ArrayList<>(model.jobs.values());
        due.removeIf(job -> !job.phase.isStarted() || job.leaseUntil > model.beatClock);
        due.sort(Comparator.<RefJob>comparingLong(job -> job.leaseUntil)
                .thenComparingInt(job -> shown.indexOf(job.uid)));
        for (RefJob job : due) {
            fleet.failed(job.pilot);
            job.lastError = job.isOverdue() ? ErrorType.TIMEOUT : null;
            job.lose(job.isUnwanted());
            if (job.order == Order.CANCEL) {
                ends(job, Phase.CANCELLED);
                closeIfDone(job.task);
            } else {
                if (!job.isUnwanted()) {
                    job.task.failed((ErrorType) null);
                }
                tryAgain(job, job.isUnwanted() ? null : ErrorClass.SYSTEM, false, false, false);
            }
        }
    }

    /** A job is over: what it made is registered. */
    private void ends(RefJob job, Phase phase) {
        boolean failed = phase == Phase.FAILED || phase == Phase.KILLED;
        if (failed && job.systemFailingSince == 0 && job.task.outputsFail()) {
            job.systemFailingSince = model.now;
        }
        job.task.failedBySystem += failed && job.systemFailingSince > 0 ? 1 : 0;
        if (job.output != null) {
            register(job, job.outputOf, job.output, "out");
            job.lost.clear();
        }
        for (String log : job.logs) {
            int slash = log.indexOf('/');
            register(job, Integer.parseInt(log.substring(0, slash)), log.substring(slash + 1), "log");
        }
        job.output = null;
        job.logs.clear();
        job.registered = job.attempt;
        job.become(phase);
        model.changed.add(job);
    }

    private void register(RefJob job, int attempt, String url, String kind) {
        model.expected.add("register " + job.uid + "/" + attempt + "/" + kind);
        job.task.registered.add(url.substring(url.lastIndexOf('/') + 1));
    }

    private void cancelIfHopeless(RefTask task) {
        long bad = task.count(Phase.FAILED) + task.count(Phase.KILLED) - task.failedBySystem;
        if (task.stop == Stop.NONE
                && task.spec.autoCancel()
                && bad >= model.options.attempts().autoCancelFrom()
                && bad > task.count(Phase.FINISHED)) {
            stop(task, Stop.CANCEL);
        }
    }

    /** By command, or because too much has failed. */
    void stop(RefTask task, Stop how) {
        if (task.ended || task.stop == Stop.CANCEL || task.stop == how) {
            return;
        }
        task.stop = how;
        task.waitsForSlot = false;
        task.hasSlot = false;
        task.readsAhead = false;
        task.pageAsked = false;
        task.pageMissing = false;
        if (how == Stop.CANCEL) {
            model.announce(task, TaskState.CANCELLED);
        }
        for (RefJob job : task.jobs) {
            if (job.phase == Phase.WAITING) {
                job.become(Phase.CANCELLED);
            } else if (job.phase.isStarted() && how == Stop.CANCEL) {
                job.order = Order.CANCEL;
                model.tell(job, job.pilot, job.attempt, Notice.Kind.CANCEL);
            } else if (!job.phase.isOver() && !job.phase.isStarted()) {
                if (job.phase == Phase.QUEUED) {
                    messageStays(job);
                }
                ends(job, Phase.CANCELLED);
            }
        }
        closeIfDone(task);
    }

    /** Looks at the task at the end of the event: most of it may have failed, or all of it may be over. */
    void closeIfDone(RefTask task) {
        toSettle.add(task);
    }

    /** At the end of an event: tasks of which too much has failed stop, and when every job is over the dataset closes. */
    void settle() {
        for (RefTask task : List.copyOf(toSettle)) {
            cancelIfHopeless(task);
            closing.close(task);
        }
        toSettle.clear();
    }
}
