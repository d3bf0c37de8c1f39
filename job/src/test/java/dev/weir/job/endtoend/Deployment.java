package dev.weir.job.endtoend;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.MessageProperties;
import dev.weir.job.FlinkDefaults;
import dev.weir.job.ScheduleJob;
import dev.weir.job.amqp.WeirTopology;
import dev.weir.job.mirror.MirrorJob;
import dev.weir.job.options.AmqpOptions;
import dev.weir.job.options.DsmOptions;
import dev.weir.job.options.MirrorOptions;
import dev.weir.job.options.QueueOptions;
import dev.weir.job.options.SchedulingOptions;
import dev.weir.job.queues.QueueJob;
import dev.weir.protocol.Json;
import dev.weir.protocol.Registration;
import dev.weir.protocol.Rejected;
import dev.weir.protocol.TaskEvent;
import dev.weir.testing.ScratchBroker;
import dev.weir.testing.ScratchDatabase;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.core.execution.RecoveryClaimMode;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.jobgraph.SavepointRestoreSettings;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.awaitility.Awaitility;

/** The whole graph on a MiniCluster, with a broker, a database and a DSM of one test. */
final class Deployment implements AutoCloseable {

    static final Duration PATIENCE = Duration.ofSeconds(90);

    private final ScratchBroker broker;
    private final ScratchDatabase database;
    private final FakeDsm dsm;
    private final Path directory;
    private final MiniCluster cluster;
    private final Configuration configuration;
    private final String eventsQueue;
    private final List<TaskEvent> events = new ArrayList<>();
    private final List<Registration> registrations = new ArrayList<>();
    private final List<Rejected> rejected = new ArrayList<>();
    private BiConsumer<StreamExecutionEnvironment, Configuration> definition;
    /** The schedule job or the queues job. */
    private JobID job;

    Deployment(ScratchBroker broker, FakeDsm dsm, Path directory) throws Exception {
        this.broker = broker;
        this.dsm = dsm;
        this.directory = directory;
        this.database = ScratchDatabase.create();
        this.configuration = configuration();
        eventsQueue = broker.name("events.seen");
        try (Connection connection = broker.connect()) {
            WeirTopology.declare(connection, configuration);
            var channel = connection.createChannel();
            channel.queueDeclare(eventsQueue, true, false, false, null);
            channel.queueBind(eventsQueue, configuration.get(AmqpOptions.EVENTS), "task.#");
        }
        cluster = new MiniCluster(new MiniClusterConfiguration.Builder()
                .setConfiguration(configuration)
                .setNumTaskManagers(1)
                .setNumSlotsPerTaskManager(2)
                .build());
        cluster.start();
    }

    private Configuration configuration() {
        Configuration own = new Configuration();
        own.set(AmqpOptions.URI, broker.uri());
        for (ConfigOption<String> name : AmqpOptions.NAMES) {
            own.set(name, broker.name(name.defaultValue()));
        }
        own.set(AmqpOptions.JOBS_PREFIX, broker.name("jobs."));
        broker.name("jobs.cpu");
        broker.name("jobs.gpu");
        own.set(QueueOptions.ENABLED, true);
        own.set(DsmOptions.URL, dsm.url());
        own.set(DsmOptions.RETRY_FOR, Duration.ofMillis(500));
        own.set(MirrorOptions.URL, database.jdbcUrl());
        own.set(MirrorOptions.USER, database.user());
        own.set(MirrorOptions.PASSWORD, database.password());
        own.set(SchedulingOptions.COOL_OFF, Duration.ofMillis(100));
        own.set(SchedulingOptions.CHUNK_FILES, 20);
        own.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofMillis(500));
        own.set(CheckpointingOptions.CHECKPOINTS_DIRECTORY, directory.toUri().toString());
        // Another Flink may use the default port on this machine.
        own.set(RestOptions.BIND_PORT, "0");
        own.set(TaskManagerOptions.MANAGED_MEMORY_SIZE, MemorySize.ofMebiBytes(128));
        own.set(TaskManagerOptions.NETWORK_MEMORY_MIN, MemorySize.ofMebiBytes(32));
        own.set(TaskManagerOptions.NETWORK_MEMORY_MAX, MemorySize.ofMebiBytes(32));
        return FlinkDefaults.under(own);
    }

    ScratchBroker broker() {
        return broker;
    }

    /** A name of the configuration. */
    String name(ConfigOption<String> option) {
        return configuration.get(option);
    }

    ScratchDatabase database() {
        return database;
    }

    String jobsQueue(String pool) {
        return configuration.get(AmqpOptions.JOBS_PREFIX) + pool;
    }

    String reportsQueue() {
        return configuration.get(AmqpOptions.REPORTS);
    }

    /** Before the start. */
    <T> Deployment with(ConfigOption<T> option, T value) {
        configuration.set(option, value);
        return this;
    }

    Deployment startSchedule() throws Exception {
        return start(ScheduleJob::define);
    }

    Deployment startQueues() throws Exception {
        return start(QueueJob::define);
    }

    private Deployment start(BiConsumer<StreamExecutionEnvironment, Configuration> wanted) throws Exception {
        definition = wanted;
        job = submit(definition, null);
        return this;
    }

    Deployment startMirror() throws Exception {
        submit(MirrorJob::define, null);
        return this;
    }

    /** Stops the job without a last checkpoint, as a crash would, and starts it from the newest complete one. */
    void crashAndRestore() throws Exception {
        cluster.cancelJob(job).get(30, TimeUnit.SECONDS);
        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> cluster.getJobStatus(job).get() == JobStatus.CANCELED);
        job = submit(definition, newestCheckpoint());
    }

    private JobID submit(BiConsumer<StreamExecutionEnvironment, Configuration> wanted, String from) throws Exception {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment(configuration);
        env.setParallelism(1);
        wanted.accept(env, configuration);
        JobGraph graph = env.getStreamGraph().getJobGraph();
        if (from != null) {
            graph.setSavepointRestoreSettings(
                    SavepointRestoreSettings.forPath(from, false, RecoveryClaimMode.NO_CLAIM));
        }
        return cluster.submitJob(graph).get(60, TimeUnit.SECONDS).getJobID();
    }

    private String newestCheckpoint() throws IOException {
        try (Stream<Path> files = Files.walk(directory.resolve(job.toHexString()))) {
            return files.filter(file -> file.getFileName().toString().equals("_metadata"))
                    .max(Comparator.comparingLong(file -> file.toFile().lastModified()))
                    .orElseThrow(() -> new AssertionError("no complete checkpoint yet"))
                    .getParent()
                    .toUri()
                    .toString();
        }
    }

    boolean hasCheckpoint() {
        try {
            return newestCheckpoint() != null;
        } catch (IOException | AssertionError e) {
            return false;
        }
    }

    /** How often any part of the job was started again. */
    int restarts() throws Exception {
        int most = 0;
        for (var vertex : cluster.getExecutionGraph(job).get().getAllExecutionVertices()) {
            most = Math.max(most, vertex.getCurrentExecutionAttempt().getAttemptNumber());
        }
        return most;
    }

    void send(ConfigOption<String> queue, String body) throws IOException {
        try (Connection connection = broker.connect()) {
            connection
                    .createChannel()
                    .basicPublish(
                            "",
                            configuration.get(queue),
                            MessageProperties.PERSISTENT_BASIC,
                            body.getBytes(StandardCharsets.UTF_8));
        }
    }

    /** Sends a task with sensible values; what is given wins. */
    void sendTask(String uid, String dataset, String more) throws IOException {
        send(AmqpOptions.TASKS, """
                {"uid":"%s","executable":"wc","device_type":"CPU","mode":"Map","dat_in_uid":"%s","dat_out_uid":"%s.out",
                 "dat_stor_url":"file:///store","dat_out_url":"out/%s"%s}""".formatted(uid, dataset, uid, uid, more));
    }

    void sendCommand(String type, String task, String more) throws IOException {
        send(
                AmqpOptions.COMMANDS,
                "{\"id\":\"%s-%s\",\"at\":\"%s\",\"by\":\"test\",\"type\":\"%s\",\"task_uid\":\"%s\"%s}"
                        .formatted(type, task, Instant.now(), type, task, more));
    }

    List<TaskEvent> events() throws IOException {
        return gathered(eventsQueue, TaskEvent.class, events);
    }

    List<Registration> registrations() throws IOException {
        return gathered(configuration.get(AmqpOptions.DSM_REGISTER), Registration.class, registrations);
    }

    List<Rejected> rejected() throws IOException {
        return gathered(configuration.get(AmqpOptions.REJECTED), Rejected.class, rejected);
    }

    private <T> List<T> gathered(String queue, Class<T> type, List<T> so) throws IOException {
        for (byte[] body : broker.drain(queue)) {
            so.add(Json.read(body, type));
        }
        return List.copyOf(so);
    }

    @Override
    public void close() throws Exception {
        cluster.close();
        database.close();
        broker.close();
        dsm.close();
    }
}
