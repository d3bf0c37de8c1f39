package dev.weir.simulator.truth;

import dev.weir.protocol.Notice;
import dev.weir.scheduler.api.Event;
import java.util.Set;

/** Whom the core tells to stop: those who must, at each of their reports, and nobody who works for us. */
final class Notices {

    private final State state;
    private final Nodes nodes;

    Notices(State state, Nodes nodes) {
        this.nodes = nodes;
        this.state = state;
    }

    String notice(Context context, String pilot, Notice notice) {
        if (!notice.type().isAboutAttempt()) {
            if (notice.type() == Notice.Kind.DRAIN) {
                context.drained.add(pilot);
            } else {
                context.resumed.add(pilot);
            }
            return pilot;
        }
        JobTruth job = state.jobs.get(notice.jobUid());
        if (job != null && job.isOwnedBy(pilot, notice.attempt())) {
            boolean may = job.task.cancelled
                    || job.task.broken
                    || notice.type() == Notice.Kind.KILL
                            && (job.killOrdered || isTakenUp(context) || nodes.mayRefuse(pilot, job, context.now));
            Violation.check(may, "a pilot that works for us is not stopped", job, notice);
            job.killOrdered |= notice.type() == Notice.Kind.KILL;
        }
        return pilot + "/" + notice.jobUid() + "/" + notice.attempt();
    }

    /** Files have been read, and reports that waited for them say one after the other what their pilots did. */
    static boolean isTakenUp(Context context) {
        return context.event instanceof Event.PageArrived || context.event instanceof Event.TaskArrived;
    }

    /** A report about a job that is not live for that pilot, or that is cancelled, is answered by a notice. */
    void heardToStop(Context context, Set<String> stopped) {
        String about = context.pilot + "/" + context.jobUid + "/" + context.attempt;
        Violation.check(
                !context.mustStop || stopped.contains(about),
                "a pilot that may take nothing is refused what it starts",
                context.event);
        if (!context.goesOn || context.unsure || context.pilot == null) {
            return;
        }
        JobTruth job = context.job;
        boolean live = job != null && job.isOwnedBy(context.pilot, context.attempt) && !job.task.cancelled;
        boolean undecided = job != null && job.is(Statuses.QUEUED) && job.attempt == context.attempt;
        boolean told = stopped.contains(about);
        Violation.check(
                live || undecided || told,
                "no two attempts of a job live that we would not cancel at their next report",
                context.event,
                "but",
                job);
    }
}
