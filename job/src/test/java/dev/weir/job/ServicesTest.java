package dev.weir.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.DefaultConsumer;
import dev.weir.job.options.AmqpOptions;
import dev.weir.job.options.MirrorOptions;
import dev.weir.job.start.StartFrom;
import dev.weir.job.start.WeirJob;
import dev.weir.testing.ScratchBroker;
import dev.weir.testing.ScratchDatabase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ServicesTest {

    @TempDir
    Path checkpoints;

    private ScratchBroker broker;
    private Configuration configuration;

    @BeforeEach
    void configure() {
        broker = ScratchBroker.createEmbedded();
        configuration = new Configuration();
        for (ConfigOption<String> name : AmqpOptions.NAMES) {
            configuration.set(name, broker.name(name.defaultValue()));
        }
        configuration.set(AmqpOptions.JOBS_PREFIX, broker.name("jobs."));
        broker.name("jobs.cpu");
        broker.name("jobs.gpu");
        configuration.set(AmqpOptions.URI, broker.uri());
        configuration.set(MirrorOptions.ENABLED, false);
        configuration.set(
                CheckpointingOptions.CHECKPOINTS_DIRECTORY, checkpoints.toUri().toString());
    }

    @AfterEach
    void stop() throws Exception {
        broker.close();
    }

    private void configureMirror(ScratchDatabase database) {
        configuration.set(MirrorOptions.ENABLED, true);
        configuration.set(MirrorOptions.URL, database.jdbcUrl());
        configuration.set(MirrorOptions.USER, database.user());
        configuration.set(MirrorOptions.PASSWORD, database.password());
    }

    private void prepare() throws Exception {
        Services.prepare(configuration, StartFrom.NEWEST);
    }

    @Test
    void aWeirWithoutStateDoesNotWaitForAnotherToEndAndThenBeginInItsPlace() throws Exception {
        prepare();
        try (Connection other = broker.connect();
                Channel channel = other.createChannel()) {
            channel.basicConsume(configuration.get(AmqpOptions.REPORTS), new DefaultConsumer(channel));

            assertThatIOException()
                    .isThrownBy(this::prepare)
                    .withMessageContaining("another Weir seems to run there")
                    .withMessageContaining("would start with empty state");
        }
    }

    @Test
    void aWeirThatContinuesWaitsForTheLastConsumersOfItsEarlierStart() throws Exception {
        prepare();
        Files.createFile(
                Files.createDirectories(checkpoints.resolve("schedule/a/chk-1")).resolve("_metadata"));
        try (Connection earlier = broker.connect();
                Channel channel = earlier.createChannel()) {
            String consumer =
                    channel.basicConsume(configuration.get(AmqpOptions.REPORTS), new DefaultConsumer(channel));
            CompletableFuture<Boolean> prepared = CompletableFuture.supplyAsync(() -> {
                try {
                    prepare();
                    return true;
                } catch (Exception e) {
                    return false;
                }
            });
            channel.basicCancel(consumer);

            assertThat(prepared.get()).isTrue();
        }
    }

    @Test
    void moreDaysOfArchiveThanTheDatabaseHasLocksForStopNoStart() throws Exception {
        try (ScratchDatabase database = ScratchDatabase.create()) {
            configureMirror(database);
            configuration.set(MirrorOptions.ARCHIVE_DAYS, 1_000);

            prepare();
        }
    }

    @Test
    void aWeirWithoutStateIsNotStartedWhileTheMirrorShowsOpenTasksUnlessTheirLossIsAccepted() throws Exception {
        try (ScratchDatabase database = ScratchDatabase.create()) {
            configureMirror(database);
            prepare();
            task(database, "done", "closed");
            prepare();
            task(database, "open", "active");

            assertThatIOException()
                    .isThrownBy(this::prepare)
                    .withMessageContaining(checkpoints.toUri().toString())
                    .withMessageContaining("1 open tasks, such as open")
                    .withMessageContaining("--accept-loss")
                    .withMessageContaining("--job schedule");
            Services.prepare(configuration, StartFrom.EMPTY);
            try (Stream<Path> marks = Files.list(checkpoints.resolve("schedule"))) {
                for (Path mark : marks.toList()) {
                    Files.delete(mark);
                }
            }
            Services.prepare(configuration, StartFrom.NEWEST.withLossAccepted());
            Files.createFile(Files.createDirectories(checkpoints.resolve("schedule/a/chk-1"))
                    .resolve("_metadata"));
            prepare();
        }
    }

    @Test
    void aStartGoesOnWithoutADatabaseThatIsAwayButNotWithOneThatRefuses() throws Exception {
        configuration.set(MirrorOptions.ENABLED, true);
        configuration.set(MirrorOptions.URL, "jdbc:postgresql://127.0.0.1:1/weir");

        assertThatIOException()
                .as("its state may only be out of reach")
                .isThrownBy(() -> Services.prepare(configuration, StartFrom.NEWEST, WeirJob.ALL, Duration.ZERO))
                .withMessageContaining("there is no checkpoint in file:" + checkpoints.resolve("schedule"))
                .withMessageContaining("Start PostgreSQL first")
                .withMessageContaining("--accept-loss");
        for (WeirJob job : WeirJob.ALL) {
            Files.createFile(Files.createDirectories(checkpoints.resolve(job.name() + "/a/chk-1"))
                    .resolve("_metadata"));
        }

        Services.prepare(configuration, StartFrom.NEWEST, WeirJob.ALL, Duration.ZERO);

        try (Connection connection = broker.connect();
                Channel channel = connection.createChannel()) {
            channel.queueDeclarePassive(configuration.get(AmqpOptions.TASKS));
        }
        try (ScratchDatabase database = ScratchDatabase.create()) {
            configureMirror(database);
            configuration.set(MirrorOptions.URL, database.jdbcUrl() + "_not");
            assertThatIllegalStateException().isThrownBy(this::prepare).withMessageContaining("createdb");
        }
    }

    @Test
    void aWeirWithStateOfAnEarlierStartDoesNotWaitForALaterOneToEndAndThenTakeItsPlace() throws Exception {
        try (ScratchDatabase database = ScratchDatabase.create()) {
            configureMirror(database);
            Files.createFile(Files.createDirectories(checkpoints.resolve("schedule/a/chk-1"))
                    .resolve("_metadata"));
            prepare();
            Path copy = checkpoints.resolve("of-another-host/schedule");
            Files.createFile(Files.createDirectories(copy.resolve("a/chk-1")).resolve("_metadata"));
            try (Stream<Path> marks = Files.list(checkpoints.resolve("schedule"))) {
                for (Path mark : marks.filter(Files::isRegularFile).toList()) {
                    Files.copy(mark, copy.resolve(mark.getFileName()));
                }
            }
            prepare();
            configuration.set(
                    CheckpointingOptions.CHECKPOINTS_DIRECTORY,
                    copy.getParent().toUri().toString());
            try (Connection later = broker.connect();
                    Channel channel = later.createChannel()) {
                channel.basicConsume(configuration.get(AmqpOptions.REPORTS), new DefaultConsumer(channel));

                assertThatIOException()
                        .isThrownBy(this::prepare)
                        .withMessageContaining("the database shows a later start of job schedule")
                        .withMessageContaining("--accept-loss");
            }
        }
    }

    private static void task(ScratchDatabase database, String uid, String state) throws Exception {
        database.run("""
                INSERT INTO task_dat (uid, state, rank, base_rank, weight, retry, jobs_queued, jobs_starting, jobs_running,
                  jobs_cooling, jobs_finished, jobs_failed, jobs_killed, jobs_cancelled, jobs_retries, jobs_system_retries,
                  canceled, version, deleted)
                VALUES ('%s', '%s', 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, false, 1, false)""".formatted(uid, state));
    }
}
