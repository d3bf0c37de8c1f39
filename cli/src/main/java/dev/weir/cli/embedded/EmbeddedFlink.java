package dev.weir.cli.embedded;

import dev.weir.job.start.JobStart;
import dev.weir.job.start.StartFrom;
import dev.weir.job.start.WaysOut;
import dev.weir.job.start.WeirJob;
import java.io.IOException;
import java.net.URI;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.flink.api.common.JobID;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.graph.StreamGraph;

/**
 * A Flink cluster in this process: JobManager, one TaskManager and the web UI. Every job has its own directory below the
 * configured checkpoint directory, and continues from the newest complete checkpoint or savepoint there.
 */
public final class EmbeddedFlink implements AutoCloseable {

    private static final long LIMIT_SECONDS = 120;

    private final MiniCluster cluster;
    private final Configuration configuration;
    private final URI web;

    private EmbeddedFlink(MiniCluster cluster, Configuration configuration, URI web) {
        this.cluster = cluster;
        this.configuration = configuration;
        this.web = web;
    }

    /** Starts the cluster, with a configuration from {@link LocalConfiguration}. */
    public static EmbeddedFlink start(Configuration configuration) throws IOException {
        MiniCluster cluster = new MiniCluster(new MiniClusterConfiguration.Builder()
                .setConfiguration(configuration)
                .setNumTaskManagers(1)
                .setNumSlotsPerTaskManager(configuration.get(TaskManagerOptions.NUM_TASK_SLOTS))
                .build());
        try {
            cluster.start();
            return new EmbeddedFlink(
                    cluster, configuration, cluster.getRestAddress().get(LIMIT_SECONDS, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while Flink starts", e);
        } catch (Exception e) {
            throw new IOException("the embedded Flink does not start: " + e.getMessage(), e);
        }
    }

    public Configuration configuration() {
        return configuration;
    }

    /** The web UI. */
    public URI web() {
        return web;
    }

    /**
     * Runs a job.
     *
     * @param settings of the job: the cluster's configuration, perhaps with additions
     * @param from the requested starting point; earlier checkpoints are never deleted, at most renamed
     * @param waysOut the remedies named in the message about a damaged checkpoint
     */
    public RunningJob submit(WeirJob job, Configuration settings, StartFrom from, WaysOut waysOut) throws IOException {
        JobStart start = JobStart.decide(job, settings, from, waysOut);
        String name = job.name();
        StreamGraph plan = start.environment().getStreamGraph();
        plan.setJobName(job.title());
        try {
            JobID id = cluster.submitJob(plan.getJobGraph())
                    .get(LIMIT_SECONDS, TimeUnit.SECONDS)
                    .getJobID();
            return new RunningJob(name, id, cluster, start.directory(), start.from());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while job " + name + " starts", e);
        } catch (ExecutionException | TimeoutException e) {
            throw new IOException("job " + name + " does not start: " + e.getMessage(), e);
        }
    }

    /** Ends the cluster and all jobs that still run; checkpoints stay. */
    @Override
    public void close() throws IOException {
        // An interrupt is usually the reason for this stop; it must not prevent an orderly one.
        boolean interrupted = Thread.interrupted();
        try {
            cluster.closeAsync().get(LIMIT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while Flink stops", e);
        } catch (ExecutionException | TimeoutException e) {
            throw new IOException("Flink did not stop cleanly within " + LIMIT_SECONDS + " s", e);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
