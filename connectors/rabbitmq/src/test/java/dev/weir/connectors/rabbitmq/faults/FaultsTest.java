package dev.weir.connectors.rabbitmq.faults;

import static dev.weir.connectors.rabbitmq.suite.Jobs.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.connectors.rabbitmq.broker.EmbeddedBroker;
import dev.weir.connectors.rabbitmq.broker.SeenLogs;
import dev.weir.connectors.rabbitmq.source.Bound;
import dev.weir.connectors.rabbitmq.source.Undeserializable;
import dev.weir.connectors.rabbitmq.suite.Jobs;
import dev.weir.connectors.rabbitmq.suite.Tally;
import dev.weir.connectors.rabbitmq.suite.TextQueues;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.serialization.SimpleStringSchema;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.util.Collector;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Messages that come again, cannot be read, or are not wanted any more. */
class FaultsTest {

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

    private static List<String> numbered(String what, int from, int to) {
        return IntStream.range(from, to).mapToObj(n -> what + n).toList();
    }

    /** FLINK-23183: repetitions that are dropped but not acknowledged fill the prefetch window, and reading stops. */
    @Test
    void repetitionsAreAcknowledgedAndNeverFillThePrefetchWindow() throws Exception {
        String queue = queues.create("repeated");
        for (int copy = 0; copy < 5; copy++) {
            for (int n = 0; n < 20; n++) {
                queues.publish(queue, "id" + n, "message" + n);
            }
        }
        queues.publish(queue, "last", "last");
        queues.awaitConfirms();
        Tally seen = new Tally(queue);
        JobClient job = Jobs.count(broker, queue, 10, seen);
        await().until(() -> seen.counts().containsKey("last"));
        await().until(() -> queues.ready(queue) == 0);
        job.cancel().get();
        assertThat(seen.distinct()).isEqualTo(21);
        assertThat(seen.repetitions()).isZero();
    }

    private static org.apache.flink.streaming.api.environment.StreamExecutionEnvironment readPoisoned(
            String queue, Undeserializable<String> handler, Tally seen) {
        var flink = Jobs.flink(0);
        flink.fromSource(
                        Jobs.source(broker, queue, DeliveryGuarantee.AT_LEAST_ONCE)
                                .setDeserializer(new RefusesPoison())
                                .setUndeserializable(handler)
                                .setBounded(Bound.untilEmpty())
                                .build(),
                        WatermarkStrategy.noWatermarks(),
                        "source")
                .map(seen)
                .returns(Types.STRING)
                .sinkTo(new DiscardingSink<>());
        return flink;
    }

    private static final class RefusesPoison
            implements dev.weir.connectors.rabbitmq.source.DeliveryDeserializer<String> {
        @Override
        public void deserialize(dev.weir.connectors.rabbitmq.source.Delivery delivery, Collector<String> out) {
            String text = new String(delivery.body(), StandardCharsets.UTF_8);
            out.collect(text);
            if (text.equals("poison")) {
                throw new IllegalArgumentException("this is poison");
            }
        }

        @Override
        public org.apache.flink.api.common.typeinfo.TypeInformation<String> getProducedType() {
            return new SimpleStringSchema().getProducedType();
        }
    }

    @Test
    void aPoisonMessageIsHandedOnWithItsReasonAndItsBytes() throws Exception {
        String queue = queues.create("poison");
        queues.write(queue, List.of("good", "poison", "better"));
        Tally seen = new Tally(queue);
        readPoisoned(
                        queue,
                        Undeserializable.handOn((delivery, reason) ->
                                new String(delivery.body(), StandardCharsets.UTF_8) + " refused: " + reason),
                        seen)
                .execute();
        assertThat(seen.counts())
                .containsOnlyKeys("good", "poison refused: IllegalArgumentException: this is poison", "better");
        assertThat(queues.ready(queue)).isZero();
    }

    @Test
    void aPoisonMessageCanBeDropped() throws Exception {
        String queue = queues.create("dropped");
        queues.write(queue, List.of("good", "poison", "better"));
        Tally seen = new Tally(queue);
        readPoisoned(queue, Undeserializable.dropAndCount(), seen).execute();
        assertThat(seen.counts()).containsOnlyKeys("good", "better");
        assertThat(queues.ready(queue)).isZero();
    }

    @Test
    void aPoisonMessageCanFailTheJobAndStaysInItsQueue() throws Exception {
        String queue = queues.create("failing");
        queues.write(queue, List.of("poison"));
        var flink = readPoisoned(queue, Undeserializable.fail(), new Tally(queue));
        assertThatThrownBy(flink::execute).hasStackTraceContaining("this is poison");
        await().until(() -> queues.ready(queue) == 1);
    }

    @Test
    void aSourceThatEndsAfterACountLeavesTheRestInTheQueue() throws Exception {
        String queue = queues.create("counted");
        queues.write(queue, numbered("m", 0, 50));
        Tally seen = new Tally(queue);
        var flink = Jobs.flink(0);
        flink.fromSource(
                        Jobs.source(broker, queue, DeliveryGuarantee.EXACTLY_ONCE)
                                .setBounded(Bound.afterCount(20))
                                .build(),
                        WatermarkStrategy.noWatermarks(),
                        "source")
                .map(seen)
                .returns(Types.STRING)
                .sinkTo(new DiscardingSink<>());
        flink.execute();
        assertThat(seen.counts()).containsOnlyKeys(numbered("m", 0, 20).toArray(String[]::new));
        await().until(() -> queues.ready(queue) == 30);
    }

    @Test
    void aCheckpointIntervalTooLongForTheBrokersConsumerTimeoutIsWarnedAboutAtTheStart() throws Exception {
        String queue = queues.create("timeout");
        try (SeenLogs logs = SeenLogs.ofEverything()) {
            var flink = Jobs.flink(0);
            flink.enableCheckpointing(Duration.ofMinutes(20).toMillis());
            flink.fromSource(
                            Jobs.source(broker, queue, DeliveryGuarantee.AT_LEAST_ONCE)
                                    .setConsumerTimeout(Duration.ofMinutes(30))
                                    .build(),
                            WatermarkStrategy.noWatermarks(),
                            "source")
                    .sinkTo(new DiscardingSink<>());
            JobClient job = flink.executeAsync();
            await().until(() -> !logs.containing("consuming queue " + queue).isEmpty());
            job.cancel().get();
            assertThat(logs.containing("The checkpoint interval is 1200 s")).hasSize(1);
        }
    }
}
