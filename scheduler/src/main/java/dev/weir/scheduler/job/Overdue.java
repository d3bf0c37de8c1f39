package dev.weir.scheduler.job;

import dev.weir.protocol.Limits;
import dev.weir.protocol.Mode;
import dev.weir.protocol.Task;
import dev.weir.scheduler.model.Lane;
import dev.weir.scheduler.model.LiveJob;
import dev.weir.scheduler.pilot.Notices;
import dev.weir.scheduler.state.JobRecord;
import dev.weir.scheduler.state.JobRecord.Order;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Attempts that are longer at their pilots than they can need. A pilot may hang and be heard all the same, so that no lease runs out. It is
 * ordered to stop, and its reports about the attempt renew its lease no more: a lease later the attempt counts as lost.
 */
public final class Overdue {

    /** So many files of a Merge job have the time for transfers once more, up to so many times. */
    private static final int FILES_PER_SLACK = 10;

    private static final int MOST_SLACKS = 24;

    private final Lane lane;
    private final InFlight inFlight;
    private final Notices notices;

    public Overdue(Lane lane, InFlight inFlight, Notices notices) {
        this.lane = lane;
        this.inFlight = inFlight;
        this.notices = notices;
    }

    /** After a restore: attempts that were started before have the same time as before. In order, so that it is repeatable. */
    public void resume() {
        List<LiveJob> started = new ArrayList<>();
        for (LiveJob job : lane.jobs.values()) {
            if (job.isStarted() && !job.record.overdue) {
                started.add(job);
            }
        }
        started.sort(Comparator.comparing(job -> job.record.uid));
        started.forEach(job -> watch(lane, job));
    }

    /** Sets when a started attempt has taken too long. */
    static void watch(Lane lane, LiveJob job) {
        lane.timers.set(job.timer, job.record.startedAt + longest(lane, job).toMillis());
    }

    private static Duration longest(Lane lane, LiveJob job) {
        return Duration.ofSeconds(JobMessages.timeoutS(lane, job.task.spec())).plus(slack(lane, job));
    }

    private static Duration slack(Lane lane, LiveJob job) {
        Task spec = job.task.spec();
        int files = spec.mode() == Mode.MAP
                ? 1
                : spec.filesPerJob() == null ? Limits.MAX_FILES_PER_JOB : spec.filesPerJob();
        int times = Math.min(MOST_SLACKS, (files + FILES_PER_SLACK - 1) / FILES_PER_SLACK);
        return lane.options.attempts().attemptSlack().multipliedBy(times);
    }

    /** A started job's timer is due. */
    public void stop(LiveJob job) {
        JobRecord r = job.record;
        inFlight.renew(job);
        r.overdue = true;
        if (r.order != Order.CANCEL) {
            r.order = Order.KILL;
            r.errorMessage = "the attempt took more than "
                    + longest(lane, job).toSeconds() + " s: the time limit of its program, and "
                    + slack(lane, job).toSeconds() + " s for transfers";
        }
        lane.changed(job);
        notices.stop(job);
    }
}
