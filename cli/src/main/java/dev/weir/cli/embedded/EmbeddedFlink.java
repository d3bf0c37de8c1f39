package dev.weir.cli.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.flink.api.common.JobID;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.core.execution.RecoveryClaimMode;
import org.apache.flink.core.fs.Path;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.jobgraph.SavepointRestoreSettings;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.graph.StreamGraph;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A Flink cluster in this process: JobManager, one TaskManager and the web UI. Every job has a directory of its own below the
 * configured checkpoint directory, and goes on from the newest complete checkpoint or savepoint there.
 */
public final class EmbeddedFlink implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedFlink.class);
    private static final long CLOSE_LIMIT_SECONDS = 30;

    private final MiniCluster cluster;
    private final Configuration configuration;
    private final URI web;

    private EmbeddedFlink(MiniCluster cluster, Configuration configuration, URI web) {
        this.cluster = cluster;
        this.configuration = configuration;
        this.web = web;
    }

    /** Starts the cluster. The configuration should come from {@link LocalConfiguration}. */
    public static EmbeddedFlink start(Configuration configuration) throws IOException {
        MiniCluster cluster = new MiniCluster(new MiniClusterConfiguration.Builder()
                .setConfiguration(configuration)
                .setNumTaskManagers(1)
                .setNumSlotsPerTaskManager(configuration.get(TaskManagerOptions.NUM_TASK_SLOTS))
                .build());
        try {
            cluster.start();
            return new EmbeddedFlink(
                    cluster, configuration, cluster.getRestAddress().get(CLOSE_LIMIT_SECONDS, TimeUnit.SECONDS));
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
     * @param name what its directory and its line in the web UI are called
     * @param settings for the job: the cluster's configuration, with more or not
     * @param fresh true: start empty; what it left before is set aside, never deleted
     */
    public RunningJob submit(String name, Configuration settings, JobDefinition definition, boolean fresh)
            throws IOException {
        Path directory = new Path(settings.get(CheckpointingOptions.CHECKPOINTS_DIRECTORY), name);
        Configuration own = new Configuration(settings);
        own.set(PipelineOptions.NAME, "weir " + name);
        own.set(CheckpointingOptions.CHECKPOINTS_DIRECTORY, directory.toString());
        if (fresh) {
            Checkpoints.setAside(directory);
        }
        Optional<Path> from = fresh ? Optional.empty() : given().or(() -> newest(directory));
        StreamExecutionEnvironment environment = StreamExecutionEnvironment.getExecutionEnvironment(own);
        definition.define(environment, own);
        StreamGraph plan = environment.getStreamGraph();
        plan.setJobName("weir " + name);
        JobGraph graph = plan.getJobGraph();
        from.ifPresent(path -> graph.setSavepointRestoreSettings(
                SavepointRestoreSettings.forPath(path.toString(), false, RecoveryClaimMode.CLAIM)));
        LOG.info("job {} {}", name, from.map(path -> "goes on from " + path).orElse("starts empty"));
        try {
            JobID id = cluster.submitJob(graph)
                    .get(CLOSE_LIMIT_SECONDS, TimeUnit.SECONDS)
                    .getJobID();
            return new RunningJob(name, id, cluster, directory, from);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while job " + name + " starts", e);
        } catch (ExecutionException | TimeoutException e) {
            throw new IOException("job " + name + " does not start: " + e.getMessage(), e);
        }
    }

    private Optional<Path> given() {
        return configuration.getOptional(StateRecoveryOptions.SAVEPOINT_PATH).map(Path::new);
    }

    private static Optional<Path> newest(Path directory) {
        try {
            return Checkpoints.newest(directory);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot look for checkpoints in " + directory, e);
        }
    }

    /** Ends the cluster and with it whatever still runs there; checkpoints stay. */
    @Override
    public void close() throws IOException {
        try {
            cluster.closeAsync().get(CLOSE_LIMIT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while Flink stops", e);
        } catch (ExecutionException | TimeoutException e) {
            throw new IOException("Flink did not stop cleanly within " + CLOSE_LIMIT_SECONDS + " s", e);
        }
    }
}
