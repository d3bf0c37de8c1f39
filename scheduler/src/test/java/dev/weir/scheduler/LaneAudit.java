package dev.weir.scheduler;

import dev.weir.protocol.JobRow;
import dev.weir.protocol.TaskRow;
import dev.weir.scheduler.model.Lane;
import dev.weir.scheduler.view.WaitReason;
import java.lang.reflect.Field;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** Looks into a scheduler's memory, for tests. What must always hold of it is checked by {@link Scheduler#verify}. */
public final class LaneAudit {

    private LaneAudit() {}

    /** Open tasks and jobs that are not over. */
    public static int size(Scheduler scheduler) {
        Lane lane = scheduler.lane();
        return lane == null ? 0 : lane.tasks.size() + lane.jobs.size();
    }

    /** All groups that the scheduler knows now, with the jobs that each has in flight. */
    public static Map<String, Integer> groupsInFlight(Scheduler scheduler) {
        Map<String, Integer> groups = new TreeMap<>();
        scheduler.lane().groups.all().forEach(group -> groups.put(group.key(), group.inFlight()));
        return groups;
    }

    /**
     * What readers see is what is so, or will be soon.
     *
     * @param taskRows the last row of each task
     * @param jobRows the last row of each job
     */
    public static void shown(Scheduler scheduler, Map<String, TaskRow> taskRows, Map<String, JobRow> jobRows) {
        Lane lane = scheduler.lane();
        lane.tasks.forEach((uid, task) -> {
            TaskRow row = taskRows.get(uid);
            boolean ages = task.waiting || task.reading;
            WaitReason why = WaitReason.of(task);
            boolean current = row != null
                    && row.counts().equals(task.progress.counts())
                    && (ages || row.rank() == task.progress.rank)
                    && Objects.equals(row.why(), why == null ? null : why.word());
            if ((task.waiting || !current) && !task.rowTimer.isSet()) {
                throw new AssertionError("task " + uid + " is shown as " + row + " but waits for " + why + " and has "
                        + fields(task.progress));
            }
        });
        lane.jobs.forEach((uid, job) -> {
            JobRow row = jobRows.get(uid);
            if (row == null || row.status() != job.status() || row.attempt() != job.record.attempt) {
                throw new AssertionError("job " + uid + " is shown as " + row + " but is " + fields(job.record));
            }
        });
    }

    private static Map<String, Object> fields(Object value) {
        Map<String, Object> fields = new TreeMap<>();
        for (Field field : value == null ? new Field[0] : value.getClass().getFields()) {
            try {
                fields.put(field.getName(), field.get(value));
            } catch (IllegalAccessException e) {
                throw new AssertionError(e);
            }
        }
        return fields;
    }
}
