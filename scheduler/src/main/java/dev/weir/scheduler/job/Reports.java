package dev.weir.scheduler.job;

import dev.weir.engine.Refused;
import dev.weir.protocol.Heartbeat;
import dev.weir.protocol.InvalidMessage;
import dev.weir.protocol.Limits;
import dev.weir.protocol.Mode;
import dev.weir.protocol.Notice;
import dev.weir.protocol.Report;
import dev.weir.protocol.Result;
import dev.weir.protocol.Route;
import dev.weir.protocol.Texts;
import dev.weir.protocol.Urls;
import dev.weir.scheduler.model.Lane;
import dev.weir.scheduler.model.LiveJob;
import dev.weir.scheduler.model.OpenTask;
import dev.weir.scheduler.pilot.Notices;
import dev.weir.scheduler.pilot.PilotRegistry;
import dev.weir.scheduler.state.JobRecord;
import dev.weir.scheduler.state.JobRecord.Order;
import dev.weir.scheduler.state.JobRecord.Phase;
import dev.weir.scheduler.state.Progress;
import dev.weir.scheduler.state.Progress.Stop;

/**
 * Pilots report. A report is about a live job, a file that waits (then it is adopted: our state is from before it was sent), or a job
 * that is over. The pilot that reports an attempt first owns it, and only the owner's reports count.
 */
public final class Reports {

    private final Lane lane;
    private final PilotRegistry pilots;
    private final Notices notices;
    private final InFlight inFlight;
    private final AttemptOutcome outcomes;
    private final Adoption adoption;

    public Reports(
            Lane lane,
            PilotRegistry pilots,
            Notices notices,
            InFlight inFlight,
            AttemptOutcome outcomes,
            Adoption adoption) {
        this.lane = lane;
        this.pilots = pilots;
        this.notices = notices;
        this.inFlight = inFlight;
        this.outcomes = outcomes;
        this.adoption = adoption;
    }

    /** Takes the report of a pilot. */
    public void arrived(Report message) {
        if (message instanceof Heartbeat heartbeat && heartbeat.jobUid() == null) {
            pilots.heardIdle(heartbeat);
            return;
        }
        JobReport report = JobReport.of(message);
        LiveJob job = lane.jobs.get(report.jobUid());
        check(report);
        if (job == null) {
            aboutOther(report);
        } else {
            report.checkAttempt(job.record.attempt);
            hear(report);
            aboutLive(job, report);
        }
    }

    private void check(JobReport report) {
        if (!lane.pools.containsKey(report.pool())) {
            throw new Refused("pool", "there is no pool '" + report.pool() + "'");
        }
        if (report.isResult()) {
            checkUrl("file_out_url", report.result().fileOutUrl(), report);
            checkUrl("file_log_url", report.result().fileLogUrl(), report);
        }
    }

    /** What is registered must be a file, at a place that can be reached. */
    private void checkUrl(String field, String url, JobReport report) {
        if (url == null || url.isBlank()) {
            return;
        }
        if (url.indexOf('\0') >= 0) {
            throw new Refused(field, field + " must not contain a NUL");
        }
        if (Urls.leavesItsDirectory(url)) {
            throw new Refused(field, field + " must not contain '..', got '" + url + "'");
        }
        if (!Texts.fitsJson(url, url.lastIndexOf('/') + 1, Limits.MAX_NAME_BYTES)) {
            throw new Refused(field, "the name of " + field + " may have " + Limits.MAX_NAME_BYTES + " bytes in JSON");
        }
        if (!Urls.isFile(url)) {
            throw new Refused(field, field + " must be a file's URL such as file:///data/a.out, got '" + url + "'");
        }
        if (!Texts.fitsJson(url, 0, Limits.MAX_URL_BYTES)) {
            checkDirectory(field, url, report);
        }
    }

    /** DSM takes no longer ones, and what it does not take would be missing from the dataset. */
    private void checkDirectory(String field, String url, JobReport report) {
        LiveJob job = lane.jobs.get(report.jobUid());
        OpenTask task = job == null ? lane.tasks.get(route(report).taskUid()) : job.task;
        if (task == null || !task.damages.isEmpty()) {
            // Nothing is registered of a task that is not open, or set aside.
            return;
        }
        String path = Completion.path(task.spec().datStorUrl(), url);
        String directory = path.substring(0, Math.max(0, path.lastIndexOf('/')));
        if (!Texts.fitsJson(directory, 0, Limits.MAX_URL_BYTES)) {
            throw new Refused(
                    field,
                    "the directory of " + field + " on the task's storage, or elsewhere all before the name, may have "
                            + Limits.MAX_URL_BYTES + " bytes in JSON, this one has " + Texts.jsonBytes(directory));
        }
    }

    /** Its pilot lives. */
    private void hear(JobReport report) {
        if (report.heartbeat() != null) {
            pilots.heardBusy(report.heartbeat());
        } else {
            pilots.heard(report.pilotId(), report.pool(), report.isResult() ? null : report.jobUid());
        }
    }

    /** About a job that is not live: never released as far as we know, or over. */
    private void aboutOther(JobReport report) {
        Route route = route(report);
        OpenTask task = lane.tasks.get(route.taskUid());
        if (task == null) {
            hear(report);
            boolean closed = lane.seen.closedTask(route.taskUid()) != null;
            drop(report, closed ? "task closed" : "unknown task");
            return;
        }
        if (!task.damages.isEmpty()) {
            // What became of the job may be what is damaged.
            throw new Refused("job_uid", "task '" + task.progress.uid + "' is set aside: " + task.aside);
        }
        Progress p = task.progress;
        long position = route.position();
        checkPosition(task, position);
        if (p.stop == Stop.NONE && !p.closing && !task.isReleased(position)) {
            if (position < p.known) {
                report.checkAttempt(0);
                adoption.check(task, position, report);
                // Heard first, because its pilot may not be allowed to take work.
                hear(report);
                aboutLive(adoption.adoptFile(task, position, report), report);
            } else {
                hear(report);
                drop(report, "file not read yet");
            }
            return;
        }
        hear(report);
        LiveJob revived = adoption.revive(task, position, report);
        if (revived == null) {
            drop(report, "job over");
        } else {
            aboutLive(revived, report);
        }
    }

    private static Route route(JobReport report) {
        Route route;
        try {
            route = Route.decode(report.route());
        } catch (InvalidMessage e) {
            throw new Refused("route", e.getMessage());
        }
        if (!Hash.mayBeJob(report.jobUid(), route.taskUid(), route.position())) {
            // Nothing may be done to one task because of a job of another.
            throw new Refused(
                    "job_uid",
                    "job '" + report.jobUid() + "' is not the one at position " + route.position() + " of task '"
                            + route.taskUid() + "', which its route names");
        }
        return route;
    }

    private static void checkPosition(OpenTask task, long position) {
        Progress p = task.progress;
        if (position > Integer.MAX_VALUE) {
            throw new Refused("route", "no task has as many jobs as position " + position + " needs");
        }
        // A Merge task that was stopped before all was listed counts the jobs that it knew; more may have been sent and
        // forgotten.
        boolean counted = p.jobs != Progress.UNKNOWN && (p.listed || task.spec().mode() == Mode.MAP);
        if (counted && position >= p.jobs) {
            throw new Refused(
                    "route", "task '" + p.uid + "' has " + p.jobs + " jobs, there is no position " + position);
        }
    }

    private void aboutLive(LiveJob job, JobReport report) {
        JobRecord r = job.record;
        if (report.attempt() <= r.registeredAttempts && !report.mayFinish(r)) {
            // The job was over after that attempt, and then brought back: what is registered of it stays.
            passed(job, report, "attempt over");
        } else if (report.attempt() < r.attempt) {
            if (report.isFinished()) {
                finishedAfterAll(job, report.result());
            } else {
                passed(job, report, "earlier attempt");
            }
        } else {
            if (report.attempt() > r.attempt) {
                adoption.adoptAttempt(job, report.attempt());
            }
            if (job.isOut()) {
                aboutOut(job, report);
            } else if (report.isFinished()) {
                outcomes.ended(job, report.result());
            } else {
                passed(job, report, "attempt over");
            }
        }
    }

    /** An attempt that is not under way any more is reported; when that is its end, it finishes nothing later. */
    private void passed(LiveJob job, JobReport report, String reason) {
        if (report.isResult()) {
            outcomes.lateFailure(job, report.result());
        }
        drop(report, reason);
    }

    /** While a later attempt was queued, at a pilot, or cooling off. */
    private void finishedAfterAll(LiveJob job, Result result) {
        JobRecord r = job.record;
        if (job.isStarted()) {
            notices.about(r.pilot, r.uid, r.attempt, Notice.Kind.KILL, "an earlier attempt has finished");
        }
        r.attempt = result.attempt();
        outcomes.ended(job, result);
    }

    /** About the attempt that is out. */
    private void aboutOut(LiveJob job, JobReport report) {
        JobRecord r = job.record;
        if (r.phase == Phase.QUEUED) {
            inFlight.start(job, report.pilotId());
            if (!report.isResult()) {
                refuseIfUnwanted(job);
            }
        } else if (!report.pilotId().equals(r.pilot)) {
            drop(report, "not the owner");
            return;
        }
        switch (report.kind()) {
            case RESULT -> {
                outcomes.ended(job, report.result());
                return;
            }
            case RUNNING -> inFlight.run(job);
            default -> {
                // It lives, which is all that the report says.
            }
        }
        inFlight.renew(job);
        if (r.order != Order.NONE) {
            notices.stop(job);
        }
    }

    /** A pilot that is steered, or whose node is set aside, keeps nothing that it starts. A cancelled job stays cancelled. */
    private void refuseIfUnwanted(LiveJob job) {
        JobRecord r = job.record;
        String refusal = pilots.refusal(r.pilot, r.uid);
        if (refusal != null && r.order != Order.CANCEL) {
            r.order = Order.KILL;
            r.errorMessage = refusal;
        }
    }

    /** The report is counted and dropped; a pilot that still works on the attempt is ordered to stop at each of its reports. */
    private void drop(JobReport report, String reason) {
        lane.counters.stale(reason);
        if (!report.isResult()) {
            notices.about(report.pilotId(), report.jobUid(), report.attempt(), Notice.Kind.CANCEL, reason);
        }
        if (report.kind() == JobReport.Kind.STARTING && !lane.jobs.containsKey(report.jobUid())) {
            inFlight.staleMessageTaken(lane.pools.get(report.pool()));
        }
    }
}
