package dev.weir.connectors.rabbitmq.faults;

import static dev.weir.connectors.rabbitmq.suite.Jobs.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.connectors.rabbitmq.broker.FrameProxy;
import dev.weir.connectors.rabbitmq.broker.TestBroker;
import dev.weir.connectors.rabbitmq.sink.Publishing;
import dev.weir.connectors.rabbitmq.source.Bound;
import dev.weir.connectors.rabbitmq.source.Delivery;
import dev.weir.connectors.rabbitmq.source.DeliveryDeserializer;
import dev.weir.connectors.rabbitmq.source.Undeserializable;
import dev.weir.connectors.rabbitmq.suite.Jobs;
import dev.weir.connectors.rabbitmq.suite.Tally;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.connector.testframe.environment.MiniClusterTestEnvironment;
import org.apache.flink.connector.testframe.environment.TestEnvironmentSettings;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.util.Collector;
import org.junit.jupiter.api.Test;

/** What goes wrong in the middle of 60,000 messages of a RabbitMQ of our own, besides its own death. */
class RabbitFaultsTest extends OwnRabbit {

    private static final int BASIC = 60;
    private static final int ACK = 80;

    @Test
    void aKilledTaskManagerLosesNothingAndWithExactlyOnceNothingIsProcessedTwice() throws Exception {
        int messages = MESSAGES;
        String one = TestBroker.unique("taskmanager-one");
        String two = TestBroker.unique("taskmanager-two");
        String to = TestBroker.unique("taskmanager-to");
        Jobs.fill(rabbit, one, 0, messages / 2);
        Jobs.fill(rabbit, two, messages / 2, messages);
        Jobs.fill(rabbit, to, 0);
        Tally passed = new Tally(to);
        int atKill;
        MiniClusterTestEnvironment cluster = new MiniClusterTestEnvironment();
        cluster.startUp();
        try {
            var flink = cluster.createExecutionEnvironment(TestEnvironmentSettings.builder()
                    .setConnectorJarPaths(List.of())
                    .build());
            flink.setParallelism(2);
            flink.enableCheckpointing(100);
            flink.fromSource(
                            Jobs.source(rabbit, one, DeliveryGuarantee.EXACTLY_ONCE)
                                    .setQueues(one, two)
                                    .setPrefetch(1_000)
                                    .setBounded(Bound.afterCount(messages / 2))
                                    .build(),
                            WatermarkStrategy.noWatermarks(),
                            "source")
                    .map(passed)
                    .returns(Types.STRING)
                    .keyBy(text -> text)
                    .process(new CountPerText())
                    .sinkTo(Jobs.sink(rabbit, to, Publishing.ON_COMMIT).build());
            JobClient job = flink.executeAsync();
            await().until(() -> passed.distinct() > messages / 4);
            atKill = passed.distinct();
            cluster.triggerTaskManagerFailover(job, () -> {});
            job.getJobExecutionResult().get();
        } finally {
            cluster.tearDown();
        }
        Map<String, Integer> arrived = Jobs.drain(rabbit, to);
        System.out.println("TaskManager killed after " + atKill + " of " + messages + ": lost "
                + (messages - arrived.size()) + ", published twice " + Jobs.repetitions(arrived)
                + ", replayed through the job " + passed.repetitions());
        assertThat(atKill).isBetween(messages / 4, messages - 1);
        assertThat(arrived).hasSize(messages);
        assertThat(arrived.keySet()).allMatch(text -> text.endsWith("#1"));
        await().pollInterval(Duration.ofSeconds(1)).until(() -> rabbit.held(one) + rabbit.held(two) == 0);
    }

    /** Says how often the job has seen a text, in state that is rolled back with it. */
    private static final class CountPerText extends KeyedProcessFunction<String, String, String> {
        private transient ValueState<Integer> count;

        @Override
        public void open(OpenContext context) {
            count = getRuntimeContext().getState(new ValueStateDescriptor<>("count", Types.INT));
        }

        @Override
        public void processElement(String text, Context context, Collector<String> out) throws IOException {
            int now = (count.value() == null ? 0 : count.value()) + 1;
            count.update(now);
            out.collect(text + "#" + now);
        }
    }

    /** The broker closes a channel that acknowledges what it never delivered, and delivers anew what was unacknowledged. */
    @Test
    void acknowledgementsThatFailLoseNothingAndNothingIsProcessedTwice() throws Exception {
        int failing = 3;
        String queue = TestBroker.unique("failing-ack");
        Jobs.fill(rabbit, queue, MESSAGES);
        Tally seen = new Tally(queue);
        List<Integer> failedAt = new CopyOnWriteArrayList<>();
        try (FrameProxy proxy = new FrameProxy(rabbit, method -> {
            if (!method.fromBroker()
                    && method.is(BASIC, ACK)
                    && seen.distinct() > MESSAGES / 4
                    && failedAt.size() < failing) {
                failedAt.add(seen.distinct());
                method.payload().putLong(2 * Short.BYTES, Long.MAX_VALUE);
            }
        })) {
            JobClient job = Jobs.count(proxy, queue, 3_000, seen);
            await().until(() -> seen.distinct() == MESSAGES);
            await().pollInterval(Duration.ofSeconds(1)).until(() -> rabbit.held(queue) == 0);
            job.cancel().get();
        }
        System.out.println("acknowledgements failed after " + failedAt + " of " + MESSAGES + ": lost "
                + (MESSAGES - seen.distinct()) + ", duplicates seen downstream " + seen.repetitions());
        assertThat(failedAt).hasSize(failing).allMatch(n -> n < MESSAGES);
        assertThat(seen.repetitions()).isZero();
    }

    @Test
    void aDeletedQueueIsConsumedAgainWhenItIsBack() throws Exception {
        String queue = TestBroker.unique("deleted");
        Jobs.fill(rabbit, queue, 0, MESSAGES / 2);
        Tally seen = new Tally(queue);
        JobClient job = Jobs.count(rabbit, queue, 3_000, seen);
        // What is in a queue goes with it, so it is read before, but not acknowledged.
        await().until(() -> seen.distinct() == MESSAGES / 2);
        try (var connection = rabbit.connect();
                var channel = connection.createChannel()) {
            channel.queueDelete(queue);
        }
        Jobs.fill(rabbit, queue, MESSAGES / 2, MESSAGES);
        await().until(() -> seen.distinct() == MESSAGES);
        await().pollInterval(Duration.ofSeconds(1)).until(() -> rabbit.held(queue) == 0);
        job.cancel().get();
        System.out.println("queue deleted after " + MESSAGES / 2 + " of " + MESSAGES + ": lost "
                + (MESSAGES - seen.distinct()) + ", duplicates seen downstream " + seen.repetitions());
        assertThat(seen.repetitions()).isZero();
    }

    @Test
    void poisonIsHandedOnWithItsReasonAndItsBytesAndTheOthersPass() throws Exception {
        int poison = MESSAGES / 1_000;
        String queue = TestBroker.unique("poison");
        Jobs.fill(rabbit, queue, MESSAGES);
        Tally seen = new Tally(queue);
        var flink = Jobs.flink(0);
        flink.fromSource(
                        Jobs.source(rabbit, queue, DeliveryGuarantee.EXACTLY_ONCE)
                                .setDeserializer(new RefusesThousands())
                                .setUndeserializable(Undeserializable.handOn((delivery, reason) ->
                                        new String(delivery.body(), StandardCharsets.UTF_8) + " refused: " + reason))
                                .setBounded(Bound.untilEmpty())
                                .build(),
                        WatermarkStrategy.noWatermarks(),
                        "source")
                .map(seen)
                .returns(Types.STRING)
                .sinkTo(new DiscardingSink<>());
        flink.execute();
        Set<String> refused = seen.counts().keySet().stream()
                .filter(text -> text.contains(" refused: "))
                .collect(Collectors.toSet());
        System.out.println("poison: " + refused.size() + " of " + MESSAGES + " refused, lost "
                + (MESSAGES - seen.distinct()) + ", duplicates seen downstream " + seen.repetitions());
        assertThat(seen.distinct()).isEqualTo(MESSAGES);
        assertThat(seen.repetitions()).isZero();
        assertThat(refused).hasSize(poison).contains("m42000 refused: IllegalArgumentException: m42000 is poison");
        assertThat(rabbit.held(queue)).isZero();
    }

    private static final class RefusesThousands implements DeliveryDeserializer<String> {
        @Override
        public void deserialize(Delivery delivery, Collector<String> out) {
            String text = new String(delivery.body(), StandardCharsets.UTF_8);
            if (Integer.parseInt(text.substring(1)) % 1_000 == 0) {
                throw new IllegalArgumentException(text + " is poison");
            }
            out.collect(text);
        }

        @Override
        public TypeInformation<String> getProducedType() {
            return Types.STRING;
        }
    }
}
