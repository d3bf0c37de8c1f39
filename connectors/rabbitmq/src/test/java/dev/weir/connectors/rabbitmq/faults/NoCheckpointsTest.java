package dev.weir.connectors.rabbitmq.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.connectors.rabbitmq.broker.EmbeddedBroker;
import dev.weir.connectors.rabbitmq.broker.SeenLogs;
import dev.weir.connectors.rabbitmq.source.Bound;
import dev.weir.connectors.rabbitmq.suite.Gate;
import dev.weir.connectors.rabbitmq.suite.Jobs;
import dev.weir.connectors.rabbitmq.suite.Tally;
import dev.weir.connectors.rabbitmq.suite.TextQueues;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Jobs whose checkpoints never come, or not in time: they say what is wrong, and what to do. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class NoCheckpointsTest {

    private static EmbeddedBroker broker;
    private static TextQueues queues;

    @BeforeAll
    static void start() throws Exception {
        broker = EmbeddedBroker.start();
        queues = new TextQueues(broker);
    }

    @AfterAll
    static void stop() throws Exception {
        queues.close();
        broker.close();
    }

    private static StreamExecutionEnvironment without() {
        StreamExecutionEnvironment flink = Jobs.flink(0);
        flink.getCheckpointConfig().disableCheckpointing();
        return flink;
    }

    @Test
    void aSourceThatStandsStillForWantOfCheckpointsSaysSo() throws Exception {
        String queue = queues.create("standing");
        Jobs.fill(broker, queue, 100);
        Tally seen = new Tally(queue);
        try (SeenLogs logs = SeenLogs.ofEverything()) {
            StreamExecutionEnvironment flink = without();
            flink.fromSource(
                            Jobs.source(broker, queue, DeliveryGuarantee.AT_LEAST_ONCE)
                                    .setPrefetch(10)
                                    .build(),
                            WatermarkStrategy.noWatermarks(),
                            "source")
                    .map(seen)
                    .returns(Types.STRING)
                    .sinkTo(new DiscardingSink<>());
            JobClient job = flink.executeAsync();
            Jobs.await().until(() -> !logs.containing("STANDS STILL").isEmpty());
            job.cancel().get();
            assertThat(seen.distinct()).isEqualTo(10);
            assertThat(logs.containing("STANDS STILL"))
                    .singleElement()
                    .satisfies(
                            line -> assertThat(line).contains("queue " + queue, "window of 10", "enableCheckpointing"));
        }
    }

    /** It cannot know whether checkpoints are on, and a first one may just be late. */
    @Test
    void aSourceThatEndsAndReadsBeyondItsWindowSaysWhatBecomesOfItWithCheckpointsAndWithout() throws Exception {
        String queue = queues.create("beyond");
        Jobs.fill(broker, queue, 100);
        try (SeenLogs logs = SeenLogs.ofEverything()) {
            StreamExecutionEnvironment flink = without();
            flink.fromSource(
                            Jobs.source(broker, queue, DeliveryGuarantee.AT_LEAST_ONCE)
                                    .setPrefetch(10)
                                    .setBounded(Bound.untilEmpty())
                                    .build(),
                            WatermarkStrategy.noWatermarks(),
                            "source")
                    .sinkTo(new DiscardingSink<>());
            flink.execute();
            assertThat(logs.containing("no checkpoint has begun yet"))
                    .singleElement()
                    .satisfies(line -> assertThat(line)
                            .contains("queue " + queue, "window of 10")
                            .contains("If checkpoints are on, they acknowledge all of it when they come")
                            .contains("else its messages go back"));
        }
    }

    /** Both of the source's threads stand still then. */
    @Test
    void messagesThatGrowOldWhileTheOutputHoldsTheSourceBackAreWarnedAbout() throws Exception {
        String queue = queues.create("held-back");
        Jobs.fill(broker, queue, 20_000);
        Gate gate = new Gate(queue, "m0");
        try (SeenLogs logs = SeenLogs.ofEverything()) {
            StreamExecutionEnvironment flink = without();
            flink.fromSource(
                            Jobs.source(broker, queue, DeliveryGuarantee.AT_LEAST_ONCE)
                                    .setConsumerTimeout(Duration.ofSeconds(4))
                                    .build(),
                            WatermarkStrategy.noWatermarks(),
                            "source")
                    .map(gate)
                    .returns(Types.STRING)
                    .sinkTo(new DiscardingSink<>());
            JobClient job = flink.executeAsync();
            long begun = System.nanoTime();
            Jobs.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() ->
                            !logs.containing("have been unacknowledged for 2 s").isEmpty());
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(30));
            gate.open();
            job.cancel().get();
        }
    }
}
