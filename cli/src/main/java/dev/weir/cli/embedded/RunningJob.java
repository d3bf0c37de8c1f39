package dev.weir.cli.embedded;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.core.fs.Path;
import org.apache.flink.runtime.execution.ExecutionState;
import org.apache.flink.runtime.executiongraph.AccessExecutionGraph;
import org.apache.flink.runtime.executiongraph.AccessExecutionJobVertex;
import org.apache.flink.runtime.jobmaster.JobResult;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.util.SerializedThrowable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A job on the embedded cluster. */
public final class RunningJob {

    private static final Logger LOG = LoggerFactory.getLogger(RunningJob.class);
    private static final Duration CANCEL_LIMIT = Duration.ofSeconds(20);
    private static final int ANSWER_LIMIT_SECONDS = 5;

    private final String name;
    private final JobID id;
    private final MiniCluster cluster;
    private final Path directory;
    private final Optional<Path> restoredFrom;
    private final CompletableFuture<JobResult> result;

    RunningJob(String name, JobID id, MiniCluster cluster, Path directory, Optional<Path> restoredFrom) {
        this.name = name;
        this.id = id;
        this.cluster = cluster;
        this.directory = directory;
        this.restoredFrom = restoredFrom;
        this.result = cluster.requestJobResult(id);
    }

    public String name() {
        return name;
    }

    /** The checkpoint or savepoint from which it started; empty if it started with empty state. */
    public Optional<String> restoredFrom() {
        return restoredFrom.map(Path::toString);
    }

    /** Completes when the job ends for any reason. Flink restarts a failing job as configured. */
    public CompletableFuture<JobResult> result() {
        return result;
    }

    /** Whether all its Flink tasks run. */
    public boolean isRunning() {
        return tasksNotRunning().isEmpty();
    }

    /** The Flink tasks that do not run, each with its state, as in "Schedule is INITIALIZING"; empty if all run. */
    public List<String> tasksNotRunning() {
        return cluster.getExecutionGraph(id)
                .thenApply(RunningJob::tasksNotRunning)
                .exceptionally(failure -> List.of("job " + name + " is not known yet"))
                .completeOnTimeout(
                        List.of("job " + name + " does not report the state of its tasks"),
                        ANSWER_LIMIT_SECONDS,
                        TimeUnit.SECONDS)
                .join();
    }

    /** The reason of Flink's last restart of its tasks; empty if there was none. */
    Optional<String> failure() {
        return cluster.getExecutionGraph(id)
                .thenApply(graph -> Optional.ofNullable(graph.getFailureInfo())
                        .map(info -> innermost(info.getException()))
                        .map(text -> text.lines().findFirst().orElse(text)))
                .exceptionally(failure -> Optional.empty())
                .completeOnTimeout(Optional.empty(), ANSWER_LIMIT_SECONDS, TimeUnit.SECONDS)
                .join();
    }

    private static String innermost(Throwable failure) {
        Throwable innermost = failure;
        while (innermost.getCause() != null) {
            innermost = innermost.getCause();
        }
        // The message of Flink's copy of a failure already contains its class name.
        return innermost instanceof SerializedThrowable ? innermost.getMessage() : innermost.toString();
    }

    private static List<String> tasksNotRunning(AccessExecutionGraph graph) {
        List<String> waiting = new ArrayList<>();
        for (AccessExecutionJobVertex vertex : graph.getVerticesTopologically()) {
            if (vertex.getAggregateState() != ExecutionState.RUNNING) {
                waiting.add(vertex.getName() + " is " + vertex.getAggregateState());
            }
        }
        if (waiting.isEmpty() && graph.getState() != JobStatus.RUNNING) {
            waiting.add(graph.getJobName() + " is " + graph.getState());
        }
        return waiting;
    }

    /**
     * Stops the job with a savepoint, from which a later start continues. If that exceeds the limit (for example because the broker is
     * unavailable), cancels the job, and a later start continues from the last checkpoint.
     */
    public void stop(Duration limit) throws InterruptedException {
        if (result.isDone()) {
            return;
        }
        try {
            String savepoint = cluster.stopWithSavepoint(id, directory.toString(), false, SavepointFormatType.NATIVE)
                    .get(limit.toMillis(), TimeUnit.MILLISECONDS);
            LOG.info("Job {} stopped with {}", name, savepoint);
        } catch (ExecutionException | TimeoutException e) {
            LOG.info("Job {} did not stop with a savepoint within {} and is cancelled", name, limit, e);
            cancel();
        }
    }

    /** Ends the job at once, as a crash would; checkpoints stay. */
    public void cancel() throws InterruptedException {
        try {
            cluster.cancelJob(id).get(CANCEL_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
            result.get(CANCEL_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            LOG.info("Job {} was not cancelled within {}", name, CANCEL_LIMIT, e);
        }
    }
}
