package dev.weir.simulator.invariant;

import dev.weir.protocol.FileInfo;
import dev.weir.protocol.Job;
import dev.weir.protocol.JobRow;
import dev.weir.protocol.Limits;
import dev.weir.protocol.Mode;
import dev.weir.protocol.Route;
import dev.weir.protocol.Task;
import dev.weir.simulator.scenario.DatasetPlan;
import dev.weir.simulator.scenario.Scenario;
import dev.weir.simulator.scenario.TaskPlan;
import java.util.List;

/** What the message of a job says, compared with the task and the dataset that it is made from. */
final class SentJob {

    private static final String RULE = "a job is a file of an open task, as its task describes it";

    private final Scenario scenario;
    private final Outside outside;

    SentJob(Scenario scenario, Outside outside) {
        this.scenario = scenario;
        this.outside = outside;
    }

    void check(String pool, Job job) {
        Route route = Route.decode(job.route());
        TaskPlan plan = outside.plan(job.taskUid());
        Violation.check(plan != null && !outside.hasEnded(job.taskUid()), RULE, job, "of a task that has ended");
        outside.identified(job.taskUid(), route.position(), job.uid());
        Task task = plan.task();
        boolean same = route.taskUid().equals(task.uid())
                && route.lane() == scenario.lane()
                && pool.equals(task.poolName())
                && job.executable().equals(task.executable())
                && job.deviceType() == task.deviceType()
                && job.mode() == task.mode()
                && job.leaseS() == scenario.options().pilots().lease().toSeconds();
        Violation.check(same && inputs(plan, route.position(), job), RULE, job, "in pool", pool);
        Violation.check(
                job.rank() >= Limits.MIN_RANK && job.rank() <= Limits.MAX_RANK, "a rank is from 0 to 1000", job);
    }

    private static boolean inputs(TaskPlan plan, long position, Job job) {
        DatasetPlan dataset = plan.dataset();
        int from = (int) position * perJob(plan.task());
        if (from >= dataset.files().size()) {
            return false;
        }
        if (plan.task().mode() == Mode.MAP) {
            return dataset.files().get(from).url().equals(job.fileInUrl());
        }
        int to = Math.min(from + perJob(plan.task()), dataset.files().size());
        List<FileInfo> files = dataset.files().subList(from, to);
        boolean sized = files.stream().allMatch(file -> file.size() != null);
        List<Long> sizes = sized ? files.stream().map(FileInfo::size).toList() : List.of();
        return files.stream().map(FileInfo::url).toList().equals(job.fileInUrls()) && sizes.equals(job.fileInSizes());
    }

    /** How many files a job has, at most. */
    private static int perJob(Task task) {
        if (task.mode() == Mode.MAP) {
            return 1;
        }
        return task.filesPerJob() == null ? Limits.MAX_FILES_PER_JOB : task.filesPerJob();
    }

    /** The limit groups of a job: of its file, or, for a Merge job, of its task. */
    List<String> groupsOf(JobRow row) {
        TaskPlan plan = outside.plan(row.taskUid());
        Violation.check(
                plan != null
                        && row.position() * perJob(plan.task())
                                < plan.dataset().files().size(),
                RULE,
                row);
        return plan.task().mode() == Mode.MAP
                ? plan.dataset().groups().get((int) row.position())
                : plan.task().groups();
    }
}
