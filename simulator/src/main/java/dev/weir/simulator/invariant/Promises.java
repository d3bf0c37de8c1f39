package dev.weir.simulator.invariant;

import dev.weir.protocol.JobRow;
import dev.weir.protocol.JobStatus;
import dev.weir.protocol.TaskEvent;
import dev.weir.protocol.TaskState;
import dev.weir.simulator.scenario.Fault;
import dev.weir.simulator.scenario.Scenario;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What WFMS and readers were told before a restore, and what must be so after it. */
public final class Promises {

    private final Scenario scenario;
    private final Set<String> accepted = new HashSet<>();
    /** The rows of jobs that have finished, without those whose files no core knows any more. */
    private final Map<String, JobRow> finished = new HashMap<>();

    Promises(Scenario scenario) {
        this.scenario = scenario;
    }

    void announced(String task, TaskState state, boolean isReadable) {
        if (state == TaskState.ACCEPTED) {
            accepted.add(task);
        }
        Violation.check(
                state != TaskState.REJECTED || !accepted.contains(task) || !isReadable,
                "a task that was accepted is rejected only if DSM has no such dataset",
                task);
    }

    void shown(JobRow row) {
        if (row.status() == JobStatus.FINISHED) {
            finished.put(row.uid(), row);
        }
    }

    /**
     * Weir was restored.
     *
     * @param known by task: how many of its files the restored cores know. Files after these are read and processed again
     */
    public void restored(Map<String, Long> known) {
        finished.values().removeIf(row -> row.position() >= known.getOrDefault(row.taskUid(), 0L));
    }

    /** All tasks have ended. */
    void finish(Map<String, TaskEvent> ends) {
        Map<String, Long> finishedOf = new TreeMap<>();
        finished.values().forEach(row -> finishedOf.merge(row.taskUid(), 1L, Long::sum));
        finishedOf.forEach((task, count) -> {
            TaskEvent end = ends.get(task);
            boolean isClosed = end.reason() != null && end.reason().startsWith("closed by");
            Violation.check(
                    !isClosed
                            || !scenario.beatsAreLast()
                            || scenario.has(Fault.CLOCK_STEP)
                            || count + end.counts().cancelled() <= end.counts().total(),
                    "a job that was shown as finished is not cancelled by a soft close",
                    count,
                    "jobs of",
                    end);
        });
    }
}
