package dev.weir.simulator.truth;

import dev.weir.protocol.Heartbeat;
import dev.weir.protocol.JobRow;
import dev.weir.protocol.JobStatus;
import dev.weir.protocol.Report;
import dev.weir.protocol.Result;
import dev.weir.protocol.Status;
import java.util.List;
import java.util.Objects;

/** Reports that came before the file that they are about had been read: once it is, one of them counts. */
final class Claims {

    private final State state;
    private final Attempts attempts;
    private final Nodes nodes;

    Claims(State state, Attempts attempts, Nodes nodes) {
        this.nodes = nodes;
        this.state = state;
        this.attempts = attempts;
    }

    /** What was reported before the file had been read has been taken up: some report of then must say so. */
    void claimed(Context context, JobRow row) {
        JobTruth job = state.jobs.get(row.uid());
        List<Report> claims = job == context.job ? null : state.claims.get(row.uid());
        boolean pending = job.is(Statuses.WAITING) || job.is(Statuses.CANCELLED) && context.stopping == job.task;
        if (claims == null || job.attempt > 0 || !pending || row.status() == JobStatus.QUEUED && row.attempt() == 1) {
            return;
        }
        boolean ended = !Statuses.in(row.status(), Statuses.OWNED);
        for (Report claim : claims) {
            boolean result = claim instanceof Result;
            boolean finished = result && ((Result) claim).status() == Result.Outcome.FINISHED;
            String pilot = pilot(claim);
            int attempt = row.status() == JobStatus.QUEUED ? row.attempt() - 1 : row.attempt();
            if (attempt(claim) != attempt) {
                continue;
            }
            if (finished == (row.status() == JobStatus.FINISHED) && result == ended && madeBy(claim, row)) {
                job.adopted = true;
                // Also if its row shows it cancelled, because its end stopped the task.
                state.mayHaveStarted(job, context.now);
                job.retried |= isRetriedAtOnce(row);
                job.attempt = attempt;
                job.renewedAt = state.beatClock;
                if (result) {
                    job.end((Result) claim);
                    if (finished) {
                        nodes.worked(pilot);
                    } else if (((Result) claim).status() != Result.Outcome.CANCELLED) {
                        nodes.failed(pilot, false);
                    }
                }
                state.move(job, row.status() == JobStatus.QUEUED ? JobStatus.COOLING : row.status(), context.now);
                if (!ended) {
                    job.own(pilot);
                    nodes.startedPerhaps(pilot);
                }
                attempts.autoCancel(context, job.task);
                return;
            }
        }
        throw new Violation("what pilots report is taken up as they report it", row + " after " + claims);
    }

    /**
     * It had failed for good, and a command that waited for its task has it tried again, and maybe another one has it stopped: its row
     * shows no files and no pilot any more.
     */
    private static boolean isRetriedAtOnce(JobRow row) {
        boolean anew = row.status() == JobStatus.COOLING || row.status() == JobStatus.CANCELLED;
        return row.status() == JobStatus.QUEUED || anew && row.pilotId() == null;
    }

    private static boolean madeBy(Report claim, JobRow row) {
        boolean samePilot = row.pilotId() == null || pilot(claim).equals(row.pilotId());
        boolean sameFiles = !(claim instanceof Result result)
                || isRetriedAtOnce(row)
                || Objects.equals(result.fileOutUrl(), row.fileOutUrl())
                        && Objects.equals(result.fileLogUrl(), row.fileLogUrl());
        return samePilot && sameFiles;
    }

    private static String pilot(Report report) {
        return report instanceof Status status
                ? status.pilotId()
                : report instanceof Result result ? result.pilotId() : ((Heartbeat) report).pilotId();
    }

    private static int attempt(Report report) {
        return report instanceof Status status
                ? status.attempt()
                : report instanceof Result result ? result.attempt() : ((Heartbeat) report).attempt();
    }
}
