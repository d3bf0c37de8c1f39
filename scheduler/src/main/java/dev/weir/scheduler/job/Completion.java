package dev.weir.scheduler.job;

import dev.weir.protocol.JobStatus;
import dev.weir.protocol.Mode;
import dev.weir.protocol.Registration;
import dev.weir.protocol.Task;
import dev.weir.scheduler.api.Effect;
import dev.weir.scheduler.model.Lane;
import dev.weir.scheduler.model.LiveJob;
import dev.weir.scheduler.model.OpenTask;
import dev.weir.scheduler.pilot.Notices;
import dev.weir.scheduler.state.JobRecord;
import dev.weir.scheduler.state.JobRecord.Order;
import dev.weir.scheduler.state.JobRecord.Phase;
import dev.weir.scheduler.state.LostAttempts;
import dev.weir.scheduler.state.MadeFile;
import dev.weir.scheduler.state.Progress;

/** A job is over, because of its last attempt or because its task stops: its files are registered, and it is counted. */
public final class Completion {

    private final Lane lane;
    private final InFlight inFlight;
    private final Notices notices;
    private final CheckList checkList;
    private final FailedJobs failedJobs;

    public Completion(Lane lane, InFlight inFlight, Notices notices, CheckList checkList, FailedJobs failedJobs) {
        this.lane = lane;
        this.inFlight = inFlight;
        this.notices = notices;
        this.checkList = checkList;
        this.failedJobs = failedJobs;
    }

    /** The job, which is not out any more, is over. */
    void end(LiveJob job, JobStatus status) {
        JobRecord r = job.record;
        OpenTask task = job.task;
        Progress p = task.progress;
        job.ended = status;
        registerFiles(job);
        lane.jobs.remove(r.uid);
        task.over(job);
        switch (status) {
            case FINISHED -> p.finished++;
            case FAILED -> p.failed++;
            case KILLED -> p.killed++;
            default -> p.cancelled++;
        }
        if (status == JobStatus.FAILED || status == JobStatus.KILLED) {
            // It may be tried again by command, so its record stays until the dataset closes.
            if (r.systemFailingSince == 0 && TaskFailures.outputsFail(p)) {
                r.systemFailingSince = lane.now();
            }
            p.failedBySystem += r.systemFailingSince > 0 ? 1 : 0;
            r.endedAt = lane.now();
            r.phase = status == JobStatus.FAILED ? Phase.FAILED : Phase.KILLED;
            failedJobs.add(job);
        } else if (task.spec().mode() == Mode.MERGE) {
            failedJobs.forgetInputs(job);
        }
        lane.changed(job);
        lane.changed(task);
    }

    private void registerFiles(LiveJob job) {
        JobRecord r = job.record;
        if (r.output != null) {
            register(job, r.output, true);
            r.lost = LostAttempts.NONE;
        } else if (r.attempt > r.registeredAttempts) {
            // An attempt that had ended the job before, and maybe left an output, stays as it was shown then.
            job.lacksOutput = true;
        }
        for (MadeFile log : r.logs) {
            register(job, log, false);
        }
        r.shownOutput = r.output == null ? null : r.output.url();
        r.shownLog = r.logs.isEmpty() ? null : r.logs.get(r.logs.size() - 1).url();
        r.output = null;
        r.logs.clear();
        r.registeredAttempts = r.attempt;
    }

    private void register(LiveJob job, MadeFile file, boolean isOutput) {
        Task spec = job.task.spec();
        String uid = job.record.uid;
        String id = uid + "/" + file.attempt() + (isOutput ? "/out" : "/log");
        String path = path(spec.datStorUrl(), file.url());
        Registration registration = isOutput
                ? new Registration.File(id, spec.datOutUid(), path, spec.storageId(), file.size(), file.checksum(), uid)
                : new Registration.Log(id, spec.datOutUid(), path, spec.storageId(), file.size(), file.checksum(), uid);
        lane.effects.add(new Effect.Register(registration));
        job.register(new LiveJob.Registered(file, id, path, isOutput));
        checkList.add(job.task, path.substring(path.lastIndexOf('/') + 1));
    }

    /** A file's path on its storage; of a URL elsewhere, the whole URL. */
    static String path(String storageUrl, String url) {
        int from = storageUrl.length();
        boolean below = url.startsWith(storageUrl)
                && from < url.length()
                && (storageUrl.endsWith("/") || url.charAt(from) == '/');
        if (!below) {
            return url;
        }
        while (from < url.length() - 1 && url.charAt(from) == '/') {
            from++;
        }
        return url.substring(from);
    }

    /** The task is cancelled or ends softly: what becomes of one of its jobs. */
    public void stop(LiveJob job, boolean cancel) {
        if (job.isStarted()) {
            if (cancel) {
                job.record.order = Order.CANCEL;
                lane.changed(job);
                notices.stop(job);
            }
            return;
        }
        if (job.isOut()) {
            inFlight.land(job, true);
        } else {
            inFlight.stopCooling(job);
        }
        end(job, JobStatus.CANCELLED);
    }
}
