package dev.weir.connectors.rabbitmq.faults;

import static dev.weir.connectors.rabbitmq.suite.Jobs.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.connectors.rabbitmq.broker.EmbeddedBroker;
import dev.weir.connectors.rabbitmq.broker.FreePort;
import dev.weir.connectors.rabbitmq.sink.AmqpMessage;
import dev.weir.connectors.rabbitmq.sink.Publishing;
import dev.weir.connectors.rabbitmq.sink.RabbitMqSink;
import dev.weir.connectors.rabbitmq.suite.Jobs;
import dev.weir.connectors.rabbitmq.suite.TextQueues;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import javax.annotation.Nullable;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.client.JobCancellationException;
import org.apache.flink.streaming.connectors.rabbitmq.common.RMQConnectionConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A job whose sink cannot reach its broker goes on from a checkpoint, perhaps with the other way to publish. Its source has
 * acknowledged messages, which only the checkpoint has then.
 */
class SwitchedPublishingTest {

    private static final int MESSAGES = 100;

    private final Configuration flinkOptions = new Configuration();

    private EmbeddedBroker broker;
    private TextQueues queues;
    private String from;
    private String to;

    @TempDir
    Path checkpoints;

    @BeforeEach
    void start() throws Exception {
        broker = EmbeddedBroker.start();
        queues = new TextQueues(broker);
        from = queues.create("switched-from");
        to = queues.create("switched-to");
        Jobs.fill(broker, from, MESSAGES);
    }

    @AfterEach
    void stop() throws Exception {
        queues.close();
        broker.close();
    }

    @ParameterizedTest
    @EnumSource(Publishing.class)
    void whatWasPublishedAtOnceAndNotConfirmedIsPublishedHoweverTheNextJobDoes(Publishing next) throws Exception {
        String checkpoint = checkpointOfAJobThatReachesNobody(Publishing.AT_ONCE);
        JobClient job = pass(broker.config(), next, checkpoint);
        await().until(() -> queues.ready(to) >= MESSAGES);
        job.cancel().get();
        assertThat(Jobs.drain(broker, to)).hasSize(MESSAGES);
    }

    @Test
    void whatWaitsForItsCommitIsRefusedByAJobThatPublishesAtOnceAndNotLost() throws Exception {
        String checkpoint = checkpointOfAJobThatReachesNobody(Publishing.ON_COMMIT);
        assertThatThrownBy(() -> pass(broker.config(), Publishing.AT_ONCE, checkpoint)
                        .getJobExecutionResult()
                        .get())
                .hasStackTraceContaining("allowNonRestoredState");
        JobClient job = pass(broker.config(), Publishing.ON_COMMIT, checkpoint);
        await().until(() -> queues.ready(to) >= MESSAGES);
        job.cancel().get();
        assertThat(Jobs.drain(broker, to)).hasSize(MESSAGES);
    }

    /** Its savepoint still has what the stop has committed, and must be told not to be missed. */
    @Test
    void aJobThatPublishesAtOnceGoesOnAfterOneThatCommittedAndWasStopped() throws Exception {
        JobClient stopped = pass(broker.config(), Publishing.ON_COMMIT, null);
        await().until(() -> queues.ready(to) > 0);
        Jobs.fill(broker, from, MESSAGES, 2 * MESSAGES);
        String savepoint = stopped.stopWithSavepoint(
                        false, checkpoints.toUri().toString(), SavepointFormatType.CANONICAL)
                .get();
        stopped.getJobExecutionResult().get();
        flinkOptions.setString("execution.state-recovery.ignore-unclaimed-state", "true");
        JobClient job = pass(broker.config(), Publishing.AT_ONCE, savepoint);
        await().until(() -> queues.ready(to) >= 2 * MESSAGES);
        job.cancel().get();
        assertThat(Jobs.drain(broker, to)).hasSize(2 * MESSAGES);
    }

    /** Where its last checkpoint is. */
    private String checkpointOfAJobThatReachesNobody(Publishing publishing) throws Exception {
        RMQConnectionConfig nobody = new RMQConnectionConfig.Builder()
                .setUri("amqp://guest:guest@127.0.0.1:" + FreePort.next())
                .build();
        JobClient job = pass(nobody, publishing, null);
        // This broker counts what is delivered too, until it is acknowledged.
        await().until(() -> queues.ready(from) < MESSAGES);
        job.cancel().get();
        assertThatThrownBy(() -> job.getJobExecutionResult().get())
                .hasRootCauseInstanceOf(JobCancellationException.class);
        try (Stream<Path> files = Files.walk(checkpoints)) {
            return files.filter(file -> file.endsWith("_metadata"))
                    .findAny()
                    .orElseThrow()
                    .getParent()
                    .toUri()
                    .toString();
        }
    }

    private JobClient pass(RMQConnectionConfig target, Publishing publishing, @Nullable String checkpoint)
            throws Exception {
        var flink = Jobs.flink(0);
        flinkOptions.setString(
                "execution.checkpointing.dir", checkpoints.toUri().toString());
        flinkOptions.setString("execution.checkpointing.externalized-checkpoint-retention", "RETAIN_ON_CANCELLATION");
        if (checkpoint != null) {
            flinkOptions.setString("execution.state-recovery.path", checkpoint);
        }
        flink.configure(flinkOptions);
        String queue = to;
        flink.fromSource(
                        Jobs.source(broker, from, DeliveryGuarantee.AT_LEAST_ONCE)
                                .build(),
                        WatermarkStrategy.noWatermarks(),
                        "source")
                .uid("source")
                .sinkTo(RabbitMqSink.<String>builder()
                        .setConnection(target)
                        .setPublishing(publishing)
                        .setConfirmTimeout(Duration.ofMillis(100))
                        .setRouter(
                                text -> AmqpMessage.persistent("", queue, text, text.getBytes(StandardCharsets.UTF_8)))
                        .build())
                .uid("sink");
        return flink.executeAsync();
    }
}
