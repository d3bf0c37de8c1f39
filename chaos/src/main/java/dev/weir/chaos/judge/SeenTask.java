package dev.weir.chaos.judge;

import dev.weir.protocol.TaskEvent;
import java.util.List;

/**
 * What came of a task, as seen from outside.
 *
 * @param events all of it, without repetitions of one id
 * @param jobs its rows in the mirror
 * @param outputs its registered outputs at DSM
 * @param dataset its output dataset at DSM; null if DSM does not know it
 */
public record SeenTask(List<TaskEvent> events, List<Job> jobs, List<Output> outputs, Dataset dataset) {

    public SeenTask {
        events = List.copyOf(events);
        jobs = List.copyOf(jobs);
        outputs = List.copyOf(outputs);
    }

    /** A job's row: {@code file} is the name of its input, and {@code status} is spelled as in the protocol. */
    public record Job(String uid, String file, String status, int attempt, int systemRetries, String error) {}

    /** An output at DSM, and the job that made it. */
    public record Output(String jobUid, String path) {}

    /** State, and how its content differs from the check-list; null before one came. */
    public record Dataset(String state, Long missing, Long unexpected) {}
}
