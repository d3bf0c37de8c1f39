package dev.weir.scheduler.lane;

import dev.weir.protocol.Beat;
import dev.weir.protocol.Heartbeat;
import dev.weir.protocol.InvalidMessage;
import dev.weir.protocol.JobStatus;
import dev.weir.protocol.Limits;
import dev.weir.protocol.Mode;
import dev.weir.protocol.Notice;
import dev.weir.protocol.Report;
import dev.weir.protocol.Result;
import dev.weir.protocol.Route;
import dev.weir.protocol.Status;
import dev.weir.protocol.Texts;
import dev.weir.protocol.Urls;
import dev.weir.scheduler.state.JobRecord;
import dev.weir.scheduler.state.JobRecord.Order;
import dev.weir.scheduler.state.JobRecord.Phase;
import dev.weir.scheduler.state.Progress;

/**
 * Pilots report. A report is about a live job, a pending file (then it is adopted: our state is from before it was sent), or a
 * job that is over; the owner of an attempt is who reported it first, and only the owner counts.
 */
final class Reports {

    /** What all reports about a job have. */
    record AboutJob(String pilotId, String pool, String jobUid, int attempt, String route, Report report) {
        boolean isResult() {
            return report instanceof Result;
        }

        boolean isFinished() {
            return report instanceof Result result && result.status() == Result.Outcome.FINISHED;
        }

        /** Whether it ends a job that was over after this attempt: nobody has heard of the end, and no output is registered. */
        boolean mayFinish(JobRecord job) {
            return isFinished() && job.lost.has(attempt);
        }

        static AboutJob of(Report report) {
            if (report instanceof Status s) {
                return new AboutJob(s.pilotId(), s.pool(), s.jobUid(), s.attempt(), s.route(), s);
            }
            if (report instanceof Result r) {
                return new AboutJob(r.pilotId(), r.pool(), r.jobUid(), r.attempt(), r.route(), r);
            }
            Heartbeat h = (Heartbeat) report;
            return new AboutJob(h.pilotId(), h.pool(), h.jobUid(), h.attempt(), h.route(), h);
        }
    }

    /** How many attempts of a job we may have sent since what we remember; a report about a later one makes no sense. */
    private static final int MOST_FORGOTTEN_ATTEMPTS = 1000;

    /** Storage, directory, job and name, in bytes of JSON. */
    private static final int LONGEST_FILE_URL = 4 * Limits.MAX_URL_BYTES;

    private final Lane lane;

    Reports(Lane lane) {
        this.lane = lane;
    }

    void arrived(Report report) {
        lane.counters.reportsIn++;
        if (report instanceof Beat beat) {
            lane.beats.arrived(beat);
            return;
        }
        if (report instanceof Heartbeat heartbeat && heartbeat.jobUid() == null) {
            lane.pilots.heard(heartbeat);
            return;
        }
        AboutJob about = AboutJob.of(report);
        if (!lane.pools.containsKey(about.pool)) {
            throw new Refused("pool", "there is no pool '" + about.pool + "'");
        }
        if (report instanceof Result result) {
            check(result);
        }
        LiveJob job = lane.jobs.get(about.jobUid);
        checkAttempt(about, job == null ? 0 : job.r.attempt);
        if (job == null) {
            unknownJob(about);
        } else {
            lane.pilots.heard(about);
            live(job, about);
        }
    }

    private static void checkAttempt(AboutJob about, int remembered) {
        if (about.attempt - remembered > MOST_FORGOTTEN_ATTEMPTS) {
            throw new Refused(
                    "attempt",
                    "attempt " + about.attempt + " of job '" + about.jobUid + "' makes no sense: of that job "
                            + (remembered == 0 ? "no attempt" : "attempt " + remembered) + " is known here");
        }
    }

    private static void check(Result result) {
        checkUrl("file_out_url", result.fileOutUrl());
        checkUrl("file_log_url", result.fileLogUrl());
    }

    /** What is registered must be a file, at a place that one can go to. */
    private static void checkUrl(String field, String url) {
        if (url == null || url.isBlank()) {
            return;
        }
        if (url.indexOf('\0') >= 0) {
            throw new Refused(field, field + " must not contain a NUL");
        }
        if (Urls.leavesItsDirectory(url)) {
            throw new Refused(field, field + " must not contain '..', got '" + url + "'");
        }
        if (!Texts.fitsJson(url, 0, LONGEST_FILE_URL)
                || !Texts.fitsJson(url, url.lastIndexOf('/') + 1, Limits.MAX_NAME_BYTES)) {
            throw new Refused(
                    field,
                    field + " may have " + LONGEST_FILE_URL + " bytes in JSON, and its name " + Limits.MAX_NAME_BYTES);
        }
        if (!Urls.isFile(url)) {
            throw new Refused(field, field + " must be a file's URL such as file:///data/a.out, got '" + url + "'");
        }
    }

    private void unknownJob(AboutJob about) {
        Route route;
        try {
            route = Route.decode(about.route);
        } catch (InvalidMessage e) {
            throw new Refused("route", e.getMessage());
        }
        if (!Hash.mayBeJob(about.jobUid, route.taskUid(), route.position())) {
            // Nothing may be done to one task because of a job of another, and such a claim would stand in the way of
            // the right one.
            throw new Refused(
                    "job_uid",
                    "job '" + about.jobUid + "' is not the one at position " + route.position() + " of task '"
                            + route.taskUid() + "', which its route names");
        }
        TaskEntry task = lane.tasks.get(route.taskUid());
        if (task == null) {
            if (lane.memory.closedTask(route.taskUid()) != null) {
                lane.pilots.heard(about);
                stale(about, "task closed");
            } else {
                lane.claims.withoutTask(route, about);
                lane.pilots.heard(about);
            }
            return;
        }
        long position = route.position();
        if (position > Integer.MAX_VALUE) {
            throw new Refused("route", "no task has as many jobs as position " + position + " needs");
        }
        // A Merge task that was stopped before all was listed counts the jobs that it knew; we may have sent more, and
        // forgotten it.
        boolean counted =
                task.p.jobs != Progress.UNKNOWN && (task.p.listed || task.spec().mode() == Mode.MAP);
        if (counted && position >= task.p.jobs) {
            throw new Refused(
                    "route",
                    "task '" + route.taskUid() + "' has " + task.p.jobs + " jobs, there is no position " + position);
        }
        if (task.p.stop == Progress.Stop.NONE && !task.p.closing && !task.isReleased(position)) {
            lane.claims.pending(task, position, about);
            return;
        }
        lane.pilots.heard(about);
        if (!lane.adoption.revive(task, position, about)) {
            stale(about, "job over");
        }
    }

    /** A report about a job that is not over. */
    void live(LiveJob job, AboutJob about) {
        JobRecord r = job.r;
        if (about.attempt <= r.registeredAttempts && r.phase != Phase.GHOST && !about.mayFinish(r)) {
            // The job was over after that attempt, and then brought back: what is registered of it stays.
            passed(job, about, "attempt over");
            return;
        }
        if (about.attempt < r.attempt) {
            earlier(job, about);
            return;
        }
        String reason = job.ghostReason();
        if (about.attempt > r.attempt) {
            if (r.phase == Phase.GHOST) {
                r.attempt = about.attempt;
            } else {
                lane.adoption.adoptAttempt(job, about.attempt);
            }
        }
        switch (r.phase) {
            case GHOST -> {
                stale(about, reason);
                lane.flights.ghostGone(job);
            }
            case COOLING, DUE -> {
                if (about.isFinished()) {
                    lane.outcomes.ended(job, (Result) about.report);
                } else {
                    passed(job, about, "attempt over");
                }
            }
            default -> owned(job, about);
        }
    }

    private void earlier(LiveJob job, AboutJob about) {
        JobRecord r = job.r;
        if (r.phase == Phase.GHOST) {
            stale(about, job.ghostReason());
        } else if (about.isFinished()) {
            finishedAfterAll(job, (Result) about.report);
        } else {
            passed(job, about, "earlier attempt");
        }
    }

    /** An attempt that is not under way any more tells something; when that is its end, it finishes nothing later. */
    private void passed(LiveJob job, AboutJob about, String reason) {
        if (about.report instanceof Result result) {
            lane.outcomes.lateFailure(job, result);
        }
        stale(about, reason);
    }

    /** While a later attempt was queued, at a pilot, or cooling off. */
    private void finishedAfterAll(LiveJob job, Result result) {
        JobRecord r = job.r;
        if (job.isStarted()) {
            notice(r.pilot, r.uid, r.attempt, Notice.Kind.KILL, "an earlier attempt has finished");
        } else if (r.phase == Phase.QUEUED) {
            job.stillQueued = r.attempt;
        }
        r.attempt = result.attempt();
        lane.outcomes.ended(job, result);
    }

    private void owned(LiveJob job, AboutJob about) {
        JobRecord r = job.r;
        if (r.phase == Phase.QUEUED) {
            own(job, about);
        } else if (!about.pilotId.equals(r.pilot)) {
            stale(about, "not the owner");
            return;
        }
        if (about.report instanceof Result result) {
            lane.outcomes.ended(job, result);
            return;
        }
        lane.flights.renew(job);
        if (about.report instanceof Status status
                && status.status() == Status.Phase.RUNNING
                && r.phase == Phase.STARTING) {
            r.phase = Phase.RUNNING;
            job.task.p.starting--;
            job.task.p.running++;
            lane.writes.changed(job);
            lane.writes.changed(job.task);
            lane.rows.job(job, JobStatus.RUNNING);
            lane.rows.taskSoon(job.task);
        }
        if (r.order != Order.NONE) {
            remind(job);
        }
    }

    private void own(LiveJob job, AboutJob about) {
        JobRecord r = job.r;
        r.pilot = about.pilotId;
        r.phase = Phase.STARTING;
        r.startedAt = lane.now;
        lane.wall.clear(job.wall);
        job.pool.queued--;
        job.pool.started++;
        job.pool.jobStarted(job, lane.now);
        lane.pilots.started(job);
        job.owner.passedOver(job.pool, lane.now);
        if (lane.options.lanes() > 1 || job.owner.leaves(job.pool)) {
            // Its window may have grown.
            lane.mayStart(job.pool);
        }
        job.task.p.queued--;
        job.task.p.starting++;
        lane.writes.changed(job.task);
        lane.writes.changed(job);
        if (about.isResult()) {
            return;
        }
        lane.rows.job(job, JobStatus.STARTING);
        lane.rows.taskSoon(job.task);
        String refusal = lane.pilots.refusal(about.pilotId, r.uid);
        if (refusal != null) {
            // A cancelled job stays cancelled, whoever has it.
            if (r.order != Order.CANCEL) {
                r.order = Order.KILL;
                r.errorMessage = refusal;
            }
            lane.pilots.refused(about.pilotId());
        }
    }

    /** The owner was told to stop, and may not have heard it. */
    void remind(LiveJob job) {
        JobRecord r = job.r;
        boolean cancel = r.order == Order.CANCEL;
        String reason = cancel ? "the task was cancelled" : r.errorMessage;
        notice(r.pilot, r.uid, r.attempt, cancel ? Notice.Kind.CANCEL : Notice.Kind.KILL, reason);
    }

    /** Counted and dropped; a pilot that still works on it is told to stop, at each of its reports. */
    void stale(AboutJob about, String reason) {
        lane.counters.stale(reason);
        if (!about.isResult()) {
            notice(about.pilotId, about.jobUid, about.attempt, Notice.Kind.CANCEL, reason);
        }
    }

    private void notice(String pilotId, String jobUid, int attempt, Notice.Kind kind, String reason) {
        lane.effects.notice(pilotId, new Notice(kind, jobUid, attempt, reason));
    }
}
