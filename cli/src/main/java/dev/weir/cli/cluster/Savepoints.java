package dev.weir.cli.cluster;

import dev.weir.job.start.JobStart;
import dev.weir.job.start.WeirJob;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Makes savepoints of Weir's jobs on a session cluster. */
public final class Savepoints {

    private static final Duration LOOK = Duration.ofMillis(200);

    private static final int NOT_FOUND = 404;

    private final FlinkCluster flink;

    public Savepoints(FlinkCluster flink) {
        this.flink = flink;
    }

    /**
     * Makes one of each of Weir's jobs that runs, the schedule job first.
     *
     * @param stop whether each job ends with its savepoint
     * @param to a directory as a URI, in which each job has its own; empty for the jobs' checkpoint directories, where the next start looks
     * @param limit for each job
     * @return the paths by the name of the job, in this order
     * @throws IOException when no job of Weir runs, or a savepoint fails or is not complete within the limit; the job runs on then
     */
    public Map<String, String> make(boolean stop, Optional<String> to, Duration limit) throws IOException {
        List<ClusterJob> jobs = flink.weirJobs();
        if (jobs.isEmpty()) {
            throw new IOException("no job of Weir runs at " + flink.rest() + "; ./weir submit sends them");
        }
        Map<String, String> made = new LinkedHashMap<>();
        for (ClusterJob job : jobs) {
            String name = job.ofWeir().map(WeirJob::name).orElseThrow();
            try {
                String directory = to.isPresent() ? to.get() + "/" + name : ownDirectory(job, stop);
                made.put(name, make(job, directory, stop, limit));
            } catch (IOException e) {
                throw new IOException(
                        "job " + name + ": " + e.getMessage() + (made.isEmpty() ? "" : ". Complete before it: " + made),
                        e);
            }
        }
        return made;
    }

    private String ownDirectory(ClusterJob job, boolean stop) throws IOException {
        String directory = flink.parameters(job.id()).get(JobStart.DIRECTORY);
        if (directory == null) {
            throw new IOException("it does not say where its checkpoints are; "
                    + (stop
                            ? "stop it as docs/OPERATIONS.md (\"Stopping and upgrading\") says for a site without Weir's command line"
                            : "name a directory with --to"));
        }
        return directory;
    }

    private String make(ClusterJob job, String directory, boolean stop, Duration limit) throws IOException {
        long deadline = System.nanoTime() + limit.toNanos();
        String request = flink.requestSavepoint(job.id(), directory, stop);
        Optional<String> path = flink.savepoint(job.id(), request);
        while (path.isEmpty()) {
            if (System.nanoTime() > deadline) {
                throw new IOException("the savepoint in " + directory + " is not complete after " + limit.toSeconds()
                        + " s; Flink goes on with it, see " + flink.rest() + "#/job/running/" + job.id());
            }
            Pause.of(LOOK);
            path = flink.savepoint(job.id(), request);
        }
        while (stop && !hasEnded(job)) {
            if (System.nanoTime() > deadline) {
                throw new IOException("the savepoint " + path.get() + " is complete, but the job has not ended after "
                        + limit.toSeconds() + " s");
            }
            Pause.of(LOOK);
        }
        return path.get();
    }

    /** Of a job whose last savepoint is complete: a JobManager that was there for its jobs alone ends soon after them, and answers no more. */
    private boolean hasEnded(ClusterJob job) throws IOException {
        try {
            return new ClusterJob(job.id(), job.name(), flink.state(job.id())).isOver();
        } catch (RestFailure e) {
            if (e.status() == NOT_FOUND) {
                return true;
            }
            throw e;
        } catch (NoFlink e) {
            return true;
        }
    }
}
