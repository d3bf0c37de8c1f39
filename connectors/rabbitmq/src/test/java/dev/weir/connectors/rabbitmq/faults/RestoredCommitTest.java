package dev.weir.connectors.rabbitmq.faults;

import static dev.weir.connectors.rabbitmq.suite.Jobs.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.connectors.rabbitmq.broker.EmbeddedBroker;
import dev.weir.connectors.rabbitmq.broker.SeenLogs;
import dev.weir.connectors.rabbitmq.sink.Publishing;
import dev.weir.connectors.rabbitmq.suite.Jobs;
import dev.weir.connectors.rabbitmq.suite.Tally;
import dev.weir.connectors.rabbitmq.suite.TextQueues;
import java.nio.file.Path;
import java.util.Map;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A job that was stopped with a savepoint has published all of it, but the savepoint cannot know. */
class RestoredCommitTest {

    private static final int MESSAGES = 100;
    private static final String SAID = "goes on from holds " + MESSAGES + " messages to publish";

    @TempDir
    Path savepoints;

    @Test
    void whatWasPublishedAfterASavepointIsPublishedAgainByTheJobThatGoesOnFromItWhichSaysSo() throws Exception {
        try (EmbeddedBroker broker = EmbeddedBroker.start();
                TextQueues queues = new TextQueues(broker);
                SeenLogs logs = SeenLogs.ofEverything()) {
            String from = queues.create("restored-from");
            String to = queues.create("restored-to");
            Jobs.fill(broker, from, MESSAGES);
            Tally seen = new Tally(to);
            JobClient stopped = pass(broker, from, to, seen, "");
            await().until(() -> seen.distinct() == MESSAGES);
            String savepoint = Jobs.savepoint(() ->
                    stopped.stopWithSavepoint(false, savepoints.toUri().toString(), SavepointFormatType.CANONICAL));
            stopped.getJobExecutionResult().get();
            assertThat(queues.ready(to)).isEqualTo(MESSAGES);
            assertThat(logs.containing(SAID)).isEmpty();

            JobClient restored = pass(broker, from, to, seen, savepoint);
            await().until(() -> queues.ready(to) == 2 * MESSAGES);
            restored.cancel().get();
            assertThat(logs.containing(SAID)).hasSize(1);
            Map<String, Integer> arrived = Jobs.drain(broker, to);
            assertThat(arrived.values()).hasSize(MESSAGES).containsOnly(2);
        }
    }

    private static JobClient pass(EmbeddedBroker broker, String from, String to, Tally seen, String savepoint)
            throws Exception {
        var flink = Jobs.flink(0);
        flink.getCheckpointConfig().disableCheckpointing();
        Configuration config = new Configuration();
        if (!savepoint.isEmpty()) {
            config.setString("execution.state-recovery.path", savepoint);
        }
        flink.configure(config);
        flink.fromSource(
                        Jobs.source(broker, from, DeliveryGuarantee.AT_LEAST_ONCE)
                                .build(),
                        WatermarkStrategy.noWatermarks(),
                        "source")
                .uid("source")
                .map(seen)
                .returns(Types.STRING)
                .uid("seen")
                .sinkTo(Jobs.sink(broker, to, Publishing.ON_COMMIT).build())
                .uid("sink");
        return flink.executeAsync();
    }
}
