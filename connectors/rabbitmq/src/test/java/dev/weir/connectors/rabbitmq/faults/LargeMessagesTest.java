package dev.weir.connectors.rabbitmq.faults;

import static dev.weir.connectors.rabbitmq.suite.Jobs.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.connectors.rabbitmq.broker.SeenLogs;
import dev.weir.connectors.rabbitmq.broker.SharedRabbit;
import dev.weir.connectors.rabbitmq.broker.TestBroker;
import dev.weir.connectors.rabbitmq.source.SourceOptions;
import dev.weir.connectors.rabbitmq.source.consume.ConsumerEvent;
import dev.weir.connectors.rabbitmq.source.consume.Consumers;
import dev.weir.connectors.rabbitmq.suite.Jobs;
import dev.weir.connectors.rabbitmq.suite.ReaderOptions;
import dev.weir.connectors.rabbitmq.suite.Tally;
import dev.weir.connectors.rabbitmq.suite.TextQueues;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Messages so large that a prefetch window of them would be more than the heap. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class LargeMessagesTest {

    private static final int MESSAGES = 60;
    private static final int BODY = 100_000;
    private static final int ROOM = 10 * BODY;

    private static String text(int n) {
        return n + "x".repeat(BODY - 10);
    }

    private static String filled(TextQueues queues) throws Exception {
        String queue = queues.create("large");
        for (int n = 0; n < MESSAGES; n++) {
            queues.publish(queue, "m" + n, text(n));
        }
        queues.awaitConfirms();
        return queue;
    }

    private static Consumers consumers(TestBroker broker, String queue) {
        SourceOptions options = ReaderOptions.withRoom(broker, queue, ROOM);
        Consumers consumers = new Consumers(options, "large");
        consumers.add(List.of(queue));
        return consumers;
    }

    @Test
    void aReaderThatFallsBehindHoldsNoMoreBytesThanAllowedAndGetsAllMessagesInTheEnd() throws Exception {
        TestBroker broker = SharedRabbit.orSkip();
        try (TextQueues queues = new TextQueues(broker);
                SeenLogs logs = SeenLogs.ofEverything()) {
            String queue = filled(queues);
            try (Consumers consumers = consumers(broker, queue)) {
                consumers.keepOpen();
                // Nothing is taken: what there is no room for goes back.
                await().until(() -> queues.ready(queue) == MESSAGES);
                assertThat(consumers.bufferedBytes()).isBetween(1L, (long) ROOM);
                assertThat(logs.containing("Queue " + queue + " is opened again with a window of"))
                        .singleElement()
                        .asString()
                        .contains("setPrefetch")
                        .contains("setMaxBufferedBytes");
                assertThat(takeAll(consumers)).hasSize(MESSAGES);
                assertThat(consumers.bufferedBytes()).isZero();
                assertThat(consumers.reconnects()).isEqualTo(1);
            }
        }
    }

    private static Set<String> takeAll(Consumers consumers) throws Exception {
        Set<String> taken = new HashSet<>();
        while (taken.size() < MESSAGES) {
            consumers.keepOpen();
            ConsumerEvent event = consumers.next(Duration.ofMillis(20));
            assertThat(consumers.bufferedBytes()).isLessThanOrEqualTo(ROOM);
            if (event instanceof ConsumerEvent.Interrupted interrupted) {
                consumers.interrupted(interrupted);
            } else if (event instanceof ConsumerEvent.Delivered delivered) {
                var delivery = delivered.delivery();
                taken.add(new String(delivery.body(), StandardCharsets.UTF_8));
                consumers.handled(delivery);
                consumers.acknowledge(
                        delivery.queue(),
                        delivered.channel(),
                        delivery.envelope().getDeliveryTag());
            }
        }
        return taken;
    }

    @Test
    void aJobReadsThemAllOnceWithRoomForFew() throws Exception {
        TestBroker broker = SharedRabbit.orSkip();
        try (TextQueues queues = new TextQueues(broker)) {
            String queue = filled(queues);
            Tally seen = new Tally(queue);
            var flink = Jobs.flink(0);
            flink.fromSource(
                            Jobs.source(broker, queue, DeliveryGuarantee.EXACTLY_ONCE)
                                    .setMaxBufferedBytes(ROOM)
                                    .build(),
                            WatermarkStrategy.noWatermarks(),
                            "source")
                    .map(text -> text.substring(0, 20))
                    .returns(Types.STRING)
                    .map(seen)
                    .returns(Types.STRING)
                    .sinkTo(new DiscardingSink<>());
            JobClient job = flink.executeAsync();
            await().until(() -> seen.distinct() == MESSAGES);
            await().until(() -> queues.ready(queue) == 0);
            job.cancel().get();
            assertThat(seen.repetitions()).isZero();
        }
    }
}
