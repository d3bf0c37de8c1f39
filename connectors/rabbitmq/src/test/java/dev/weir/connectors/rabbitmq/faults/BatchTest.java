package dev.weir.connectors.rabbitmq.faults;

import static dev.weir.connectors.rabbitmq.suite.Jobs.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.connectors.rabbitmq.broker.EmbeddedBroker;
import dev.weir.connectors.rabbitmq.broker.FrameProxy;
import dev.weir.connectors.rabbitmq.broker.SharedRabbit;
import dev.weir.connectors.rabbitmq.broker.TestBroker;
import dev.weir.connectors.rabbitmq.sink.Publishing;
import dev.weir.connectors.rabbitmq.source.Bound;
import dev.weir.connectors.rabbitmq.suite.Jobs;
import dev.weir.connectors.rabbitmq.suite.Tally;
import dev.weir.connectors.rabbitmq.suite.TextQueues;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Flink's batch mode, which has no checkpoints: a queue is read like a file, to its end, and keeps its messages. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class BatchTest {

    static StreamExecutionEnvironment batch() {
        StreamExecutionEnvironment flink = Jobs.flink(0);
        flink.getCheckpointConfig().disableCheckpointing();
        flink.setRuntimeMode(RuntimeExecutionMode.BATCH);
        return flink;
    }

    @Test
    void aQueueTwentyTimesAsDeepAsTheWindowIsReadToItsEndAndPublishedAndStaysAsItWas() throws Exception {
        int messages = 60_000;
        TestBroker broker = SharedRabbit.orSkip();
        try (TextQueues queues = new TextQueues(broker)) {
            String from = queues.create("batch-from");
            String to = queues.create("batch-to");
            Jobs.fill(broker, from, messages);
            StreamExecutionEnvironment flink = batch();
            flink.fromSource(
                            Jobs.source(broker, from, DeliveryGuarantee.AT_LEAST_ONCE)
                                    .setPrefetch(3_000)
                                    .setBounded(Bound.untilEmpty())
                                    .build(),
                            WatermarkStrategy.noWatermarks(),
                            "source")
                    .sinkTo(Jobs.sink(broker, to, Publishing.AT_ONCE).build());
            flink.execute();
            Map<String, Integer> arrived = Jobs.drain(broker, to);
            assertThat(arrived).hasSize(messages);
            assertThat(Jobs.repetitions(arrived)).isZero();
            await().until(() -> queues.ready(from) == messages);
        }
    }

    @Test
    void aCountBeyondTheWindowIsReadAndNotMore() throws Exception {
        TestBroker broker = SharedRabbit.orSkip();
        try (TextQueues queues = new TextQueues(broker)) {
            String queue = queues.create("batch-count");
            Jobs.fill(broker, queue, 1_000);
            assertThat(read(broker, queue, Bound.afterCount(750), 100)).isEqualTo(750);
            await().until(() -> queues.ready(queue) == 1_000);
        }
    }

    @Test
    void aQuorumQueueIsReadBeyondTheWindowToo() throws Exception {
        TestBroker broker = SharedRabbit.orSkip();
        try (TextQueues queues = new TextQueues(broker)) {
            String queue = TestBroker.unique("batch-quorum");
            queues.channel().queueDeclare(queue, true, false, false, Map.of("x-queue-type", "quorum"));
            for (int n = 0; n < 1_000; n++) {
                queues.publish(queue, "m" + n, "m" + n);
            }
            queues.awaitConfirms();
            assertThat(read(broker, queue, Bound.untilEmpty(), 100)).isEqualTo(1_000);
            await().until(() -> queues.ready(queue) == 1_000);
            queues.channel().queueDelete(queue);
        }
    }

    /** RabbitMQ answers no basic.get there. */
    @ParameterizedTest
    @ValueSource(strings = {"quorum", "classic"})
    void aQueueWithASingleActiveConsumerIsReadToItsEndAndBeyondTheWindow(String type) throws Exception {
        TestBroker broker = SharedRabbit.orSkip();
        try (TextQueues queues = new TextQueues(broker)) {
            String queue = TestBroker.unique("batch-single");
            queues.channel()
                    .queueDeclare(
                            queue, true, false, false, Map.of("x-queue-type", type, "x-single-active-consumer", true));
            for (int n = 0; n < 350; n++) {
                queues.publish(queue, "m" + n, "m" + n);
            }
            queues.awaitConfirms();
            assertThat(read(broker, queue, Bound.untilEmpty(), 1_000)).isEqualTo(350);
            await().until(() -> queues.ready(queue) == 350);
            assertThat(read(broker, queue, Bound.untilEmpty(), 100)).isEqualTo(350);
            await().until(() -> queues.ready(queue) == 350);
            queues.channel().queueDelete(queue);
        }
    }

    /** Such as Qpid, which counts the prefetch of a channel, as AMQP says. */
    @Test
    void onABrokerThatIsNoRabbitMqItGoesOnAsFarAsAmqpCanCountAndSaysSoThere() throws Exception {
        try (EmbeddedBroker broker = EmbeddedBroker.start();
                TextQueues queues = new TextQueues(broker)) {
            String queue = queues.create("batch-portable");
            Jobs.fill(broker, queue, 60_000);
            assertThat(read(broker, queue, Bound.untilEmpty(), 20_000)).isEqualTo(60_000);
            await().until(() -> queues.ready(queue) == 60_000);
            Jobs.fill(broker, queue, 60_000, 70_000);
            assertThatThrownBy(() -> read(broker, queue, Bound.untilEmpty(), 20_000))
                    .hasStackTraceContaining("more than the 65535 messages")
                    .hasStackTraceContaining("streaming mode with checkpoints on");
            await().until(() -> queues.ready(queue) == 70_000);
        }
    }

    @Test
    void aFailedJobHasLostNothing() throws Exception {
        TestBroker broker = SharedRabbit.orSkip();
        try (TextQueues queues = new TextQueues(broker)) {
            String queue = queues.create("batch-failed");
            Jobs.fill(broker, queue, 1_000);
            StreamExecutionEnvironment flink = batch();
            flink.fromSource(
                            Jobs.source(broker, queue, DeliveryGuarantee.AT_LEAST_ONCE)
                                    .setPrefetch(100)
                                    .setBounded(Bound.untilEmpty())
                                    .build(),
                            WatermarkStrategy.noWatermarks(),
                            "source")
                    .map(new FailsAt("m900"))
                    .returns(Types.STRING)
                    .sinkTo(new DiscardingSink<>());
            assertThatThrownBy(flink::execute).hasStackTraceContaining("m900 is too much");
            await().until(() -> queues.ready(queue) == 1_000);
        }
    }

    /** Breaks the connection once, when everything was delivered and the queue is not yet known to be empty; {@code before} is called then. */
    static FrameProxy breakingOnce(TestBroker broker, Runnable before) throws Exception {
        AtomicInteger questions = new AtomicInteger();
        return new FrameProxy(broker, method -> {
            // The first question for the depth comes at once, for the metrics.
            if (!method.fromBroker() && method.is(50, 10) && questions.incrementAndGet() == 2) {
                before.run();
                throw new UncheckedIOException(new IOException("broken, as this test wants it"));
            }
        });
    }

    @Test
    void aConnectionThatBreaksWithinTheWindowFailsTheTaskInsteadOfCountingTwice() throws Exception {
        TestBroker broker = SharedRabbit.orSkip();
        try (TextQueues queues = new TextQueues(broker);
                FrameProxy proxy = breakingOnce(broker, () -> {})) {
            String queue = queues.create("batch-broken");
            Jobs.fill(broker, queue, 100);
            assertThatThrownBy(() -> read(proxy, queue, Bound.untilEmpty(), 1_000))
                    .hasStackTraceContaining("Queue " + queue)
                    .hasStackTraceContaining("read to its end without checkpoints")
                    .hasStackTraceContaining("a restart reads them anew");
            await().until(() -> queues.ready(queue) == 100);
        }
    }

    @Test
    void aConnectionThatBreaksWithinTheWindowChangesNothingWhenMessagesAreRecognised() throws Exception {
        TestBroker broker = SharedRabbit.orSkip();
        try (TextQueues queues = new TextQueues(broker);
                FrameProxy proxy = breakingOnce(broker, () -> {})) {
            String queue = queues.create("batch-recognised");
            Jobs.fill(broker, queue, 100);
            assertThat(read(proxy, queue, Bound.untilEmpty(), 1_000, DeliveryGuarantee.EXACTLY_ONCE))
                    .isEqualTo(100);
        }
    }

    private record FailsAt(String last) implements MapFunction<String, String> {
        @Override
        public String map(String text) {
            if (text.equals(last)) {
                throw new IllegalStateException(text + " is too much");
            }
            return text;
        }
    }

    private static int read(TestBroker broker, String queue, Bound bound, int prefetch) throws Exception {
        return read(broker, queue, bound, prefetch, DeliveryGuarantee.AT_LEAST_ONCE);
    }

    private static int read(TestBroker broker, String queue, Bound bound, int prefetch, DeliveryGuarantee guarantee)
            throws Exception {
        Tally seen = new Tally(TestBroker.unique(queue));
        StreamExecutionEnvironment flink = batch();
        flink.fromSource(
                        Jobs.source(broker, queue, guarantee)
                                .setPrefetch(prefetch)
                                .setBounded(bound)
                                .build(),
                        WatermarkStrategy.noWatermarks(),
                        "source")
                .map(seen)
                .returns(Types.STRING)
                .sinkTo(new DiscardingSink<>());
        flink.execute();
        assertThat(seen.repetitions()).isZero();
        return seen.distinct();
    }
}
