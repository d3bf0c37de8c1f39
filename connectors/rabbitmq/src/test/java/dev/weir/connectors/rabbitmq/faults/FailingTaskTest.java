package dev.weir.connectors.rabbitmq.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.connectors.rabbitmq.broker.SharedRabbit;
import dev.weir.connectors.rabbitmq.broker.TestBroker;
import dev.weir.connectors.rabbitmq.sink.Publishing;
import dev.weir.connectors.rabbitmq.source.Bound;
import dev.weir.connectors.rabbitmq.suite.Jobs;
import dev.weir.connectors.rabbitmq.suite.TextQueues;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A task that fails, again and again, while more messages are under way than the windows of source and sink have room for. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class FailingTaskTest {

    private static final int MESSAGES = 1_000;
    private static final int SOURCE_WINDOW = 50;
    private static final int SINK_WINDOW = 10;

    /** Fails once at each of some texts. */
    private record FailsOnceAt(String name, Set<String> texts) implements MapFunction<String, String> {
        private static final Set<String> FAILED = ConcurrentHashMap.newKeySet();

        @Override
        public String map(String text) {
            if (texts.contains(text) && FAILED.add(name + text)) {
                throw new IllegalStateException(text + " is too much, once");
            }
            return text;
        }

        long failures() {
            return texts.stream().filter(text -> FAILED.contains(name + text)).count();
        }
    }

    @ParameterizedTest
    @EnumSource(Publishing.class)
    void losesNothingAndLeavesNothingInItsQueue(Publishing publishing) throws Exception {
        TestBroker broker = SharedRabbit.orSkip();
        try (TextQueues queues = new TextQueues(broker)) {
            String from = queues.create("failing-from");
            String to = queues.create("failing-to");
            Jobs.fill(broker, from, MESSAGES);
            FailsOnceAt failing = new FailsOnceAt(from, Set.of("m0", "m120", "m555", "m" + (MESSAGES - 1)));
            var flink = Jobs.flink(10);
            flink.fromSource(
                            Jobs.source(broker, from, DeliveryGuarantee.EXACTLY_ONCE)
                                    .setPrefetch(SOURCE_WINDOW)
                                    .setBounded(Bound.untilEmpty())
                                    .build(),
                            WatermarkStrategy.noWatermarks(),
                            "source")
                    // In a task of its own, so that the source goes on when this one fails.
                    .rebalance()
                    .map(failing)
                    .returns(Types.STRING)
                    .sinkTo(Jobs.sink(broker, to, publishing)
                            .setMaxInFlight(SINK_WINDOW)
                            .build());
            flink.execute();
            assertThat(failing.failures()).isEqualTo(4);
            Map<String, Integer> arrived = Jobs.drain(broker, to);
            assertThat(arrived).hasSize(MESSAGES);
            Jobs.await().until(() -> queues.ready(from) == 0);
            assertThat(queues.take(from)).isEmpty();
        }
    }
}
