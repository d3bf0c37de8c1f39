package dev.weir.simulator.truth;

import dev.weir.protocol.Heartbeat;
import dev.weir.protocol.Notice;
import dev.weir.scheduler.Event;
import java.util.Set;

/** Whom the core tells to stop: those who must, at each of their reports, and nobody who works for us. */
final class Notices {

    private final State state;

    Notices(State state) {
        this.state = state;
    }

    String notice(Context context, String pilot, Notice notice) {
        if (!notice.type().isAboutAttempt()) {
            if (notice.type() == Notice.Kind.DRAIN) {
                context.drained.add(pilot);
            }
            return pilot;
        }
        JobTruth job = state.jobs.get(notice.jobUid());
        if (job != null && job.isOwnedBy(pilot, notice.attempt())) {
            boolean may = job.task.cancelled
                    || job.task.broken
                    || notice.type() == Notice.Kind.KILL
                    || state.excluded.containsKey(pilot);
            Violation.check(may, "a pilot that works for us is not stopped", job, notice);
            job.killOrdered |= notice.type() == Notice.Kind.KILL;
        }
        return pilot + "/" + notice.jobUid() + "/" + notice.attempt();
    }

    /** A report about a job that is not live for that pilot, or that is cancelled, is answered by a notice. */
    void heardToStop(Context context, Set<String> stopped) {
        for (String pilot : context.drained) {
            Violation.check(
                    state.excluded.containsKey(pilot),
                    "a pilot that works for us is not stopped",
                    pilot,
                    "was drained after",
                    context.event);
        }
        if (context.event instanceof Event.ReportArrived arrived
                && arrived.report() instanceof Heartbeat heartbeat
                && context.refusal == Context.Refusal.NEVER) {
            Violation.check(
                    !state.unwanted.contains(heartbeat.pilotId()) || context.drained.contains(heartbeat.pilotId()),
                    "a pilot that may take nothing hears so at each heartbeat",
                    heartbeat);
        }
        if (!context.goesOn || context.unsure || context.pilot == null) {
            return;
        }
        JobTruth job = context.job;
        boolean live = job != null && job.isOwnedBy(context.pilot, context.attempt) && !job.task.cancelled;
        boolean undecided = job != null && job.is(Statuses.QUEUED) && job.attempt == context.attempt;
        boolean told = stopped.contains(context.pilot + "/" + context.jobUid + "/" + context.attempt);
        Violation.check(
                live || undecided || told,
                "no two attempts of a job live that we would not cancel at their next report",
                context.event,
                "but",
                job);
    }
}
