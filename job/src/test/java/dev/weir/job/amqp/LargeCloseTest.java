package dev.weir.job.amqp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import dev.weir.job.FlinkDefaults;
import dev.weir.job.options.AmqpOptions;
import dev.weir.job.wire.Outbound;
import dev.weir.testing.ScratchBroker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichFilterFunction;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The check-list of a dataset of 1,500,000 files with names of 100 characters at the sink that waits for checkpoints: some hundred
 * megabytes as fast as they can be encoded, which is much faster than the scheduler sends them, with a heap of half the default.
 */
@Timeout(120)
class LargeCloseTest {

    /** Outputs and logs have position, attempt and pilot in their names, and each part fits in one message. */
    private static final int PARTS = 390;

    private static final int PART_BYTES = 1_000_000;

    /** As soon as they can be encoded. */
    private static final int PARTS_PER_SECOND = 400;

    /** Parts that have left when the job fails once; more than as many wait in its state then. */
    private static final int PARTS_BEFORE_FAILURE = 50;

    private static final List<Integer> TAKEN = Collections.synchronizedList(new ArrayList<>());
    private static final AtomicInteger STARTS = new AtomicInteger();

    @TempDir
    Path directory;

    @Test
    void everyPartLeavesInOrderAndTheJobGoesOnSoonWhenItFailsInBetween() throws Exception {
        TAKEN.clear();
        STARTS.set(0);
        try (ScratchBroker broker = ScratchBroker.create();
                Connection connection = broker.connect()) {
            String queue = broker.name("dsm.register");
            Channel channel = connection.createChannel();
            channel.queueDeclare(queue, true, false, false, null);
            channel.basicQos(5);
            channel.basicConsume(
                    queue,
                    false,
                    (tag, part) -> {
                        TAKEN.add(Integer.parseInt(part.getProperties().getMessageId()));
                        channel.basicAck(part.getEnvelope().getDeliveryTag(), false);
                    },
                    tag -> {});
            JobClient job = start(broker, queue);
            await().atMost(Duration.ofSeconds(90)).until(() -> TAKEN.contains(PARTS));
            job.cancel().get();
        }
        assertThat(STARTS).as("one failure on purpose and no other").hasValue(2);
        assertThat(TAKEN.stream().distinct())
                .isEqualTo(IntStream.rangeClosed(1, PARTS).boxed().toList());
    }

    private JobClient start(ScratchBroker broker, String queue) throws Exception {
        Configuration own = new Configuration();
        own.set(AmqpOptions.URI, broker.uri());
        own.set(AmqpOptions.DECLARE, false);
        own.set(CheckpointingOptions.CHECKPOINTS_DIRECTORY, directory.toUri().toString());
        own.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofMillis(500));
        own.set(RestOptions.BIND_PORT, "0");
        Configuration all = FlinkDefaults.under(own);
        StreamExecutionEnvironment flink = StreamExecutionEnvironment.getExecutionEnvironment(all);
        flink.setParallelism(1);
        DataGeneratorSource<Outbound> parts = new DataGeneratorSource<>(
                n -> new Outbound("", queue, String.valueOf(n + 1), 0, new byte[n < PARTS ? PART_BYTES : 0]),
                Long.MAX_VALUE,
                RateLimiterStrategy.perSecond(PARTS_PER_SECOND),
                Outbound.TYPE);
        // It goes on without an end, as the schedule job does, but then nothing more leaves.
        new Sinks(all)
                .onCommit(
                        flink.fromSource(parts, WatermarkStrategy.noWatermarks(), "parts", Outbound.TYPE)
                                .filter(new FailsOnce()),
                        "send",
                        "send");
        return flink.executeAsync();
    }

    /** Lets the parts pass. */
    private static final class FailsOnce extends RichFilterFunction<Outbound> {

        private static final long serialVersionUID = 1L;

        private transient boolean first;

        @Override
        public void open(OpenContext context) {
            first = STARTS.incrementAndGet() == 1;
        }

        @Override
        public boolean filter(Outbound part) {
            if (first && TAKEN.size() >= PARTS_BEFORE_FAILURE) {
                throw new IllegalStateException("on purpose");
            }
            return part.body().length > 0;
        }
    }
}
