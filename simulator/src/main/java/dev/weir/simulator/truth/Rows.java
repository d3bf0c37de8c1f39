package dev.weir.simulator.truth;

import dev.weir.protocol.JobCounts;
import dev.weir.protocol.JobRow;
import dev.weir.protocol.JobStatus;
import dev.weir.protocol.TaskRow;

/** What readers of the mirror see is what is true. */
final class Rows {

    private final State state;
    private final Archive archive;

    Rows(State state, Archive archive) {
        this.state = state;
        this.archive = archive;
    }

    void identify(JobRow row) {
        TaskTruth task = state.tasks.get(row.taskUid());
        Violation.check(
                task != null && row.position() >= 0 && row.position() < task.jobs.length, "rows belong to jobs", row);
        archive.identified(row.taskUid(), (int) row.position(), row.uid());
        JobTruth job = task.jobs[(int) row.position()];
        job.uid = row.uid();
        state.jobs.put(row.uid(), job);
    }

    /** The row of a job shows what is true of it. */
    void agrees(Context context, JobRow row) {
        JobTruth job = state.jobs.get(row.uid());
        if (row.deleted()) {
            return;
        }
        if (job.is(Statuses.PENDING) && Statuses.in(row.status(), Statuses.PENDING)) {
            state.move(job, row.status(), context.now);
        }
        if (job.task.broken || row.status() == JobStatus.CANCELLED && context.stopping == job.task) {
            state.move(job, row.status(), context.now);
        }
        Violation.check(
                job.status == row.status() || job.task.broken,
                "each file is pending, cooling, out or terminal, and its row says which",
                job,
                "but its row is",
                row);
        Violation.check(
                job.attempt == row.attempt() || job.is(Statuses.TERMINAL) || job.task.broken,
                "attempts count one by one",
                job,
                "but its row is",
                row);
    }

    void counts(TaskRow row) {
        TaskTruth task = state.tasks.get(row.uid());
        if (task == null || task.broken || task.terminal != null) {
            return;
        }
        JobCounts counts = row.counts();
        boolean whole = counts.total() != null && (task.isWhollyRead() || !task.cancelled && !task.closing);
        boolean same = counts.queued() == task.count(Statuses.QUEUED)
                && counts.starting() == task.count(Statuses.STARTING)
                && counts.running() == task.count(Statuses.RUNNING)
                && counts.finished() == task.count(Statuses.FINISHED)
                && counts.failed() == task.count(Statuses.FAILED)
                && counts.killed() == task.count(Statuses.KILLED)
                && (!whole || !task.dataset.isReadable() || counts.total() == task.jobs.length)
                && (!whole
                        || !task.dataset.isReadable()
                        || counts.waiting() + counts.cooling() == task.count(Statuses.PENDING))
                && (!whole || !task.dataset.isReadable() || counts.cancelled() == task.count(Statuses.CANCELLED));
        Violation.check(same, "the counts add up", counts, "of", task.task.uid(), "but", Counts.of(task));
    }
}
