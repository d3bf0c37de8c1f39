package dev.weir.connectors.rabbitmq.suite;

import com.rabbitmq.client.MessageProperties;
import dev.weir.connectors.rabbitmq.broker.TestBroker;
import dev.weir.connectors.rabbitmq.sink.AmqpMessage;
import dev.weir.connectors.rabbitmq.sink.Publishing;
import dev.weir.connectors.rabbitmq.sink.RabbitMqSink;
import dev.weir.connectors.rabbitmq.sink.RabbitMqSinkBuilder;
import dev.weir.connectors.rabbitmq.source.DeliveryDeserializer;
import dev.weir.connectors.rabbitmq.source.RabbitMqSource;
import dev.weir.connectors.rabbitmq.source.RabbitMqSourceBuilder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.serialization.SimpleStringSchema;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

/** The jobs and the counting that tests share. */
public final class Jobs {

    private Jobs() {}

    /** A Flink in this process, with a checkpoint every 200 ms, where a failing task fails the job. */
    public static StreamExecutionEnvironment flink(int restarts) {
        Configuration config = new Configuration();
        config.setString("restart-strategy.type", restarts == 0 ? "none" : "fixed-delay");
        config.setString("restart-strategy.fixed-delay.attempts", String.valueOf(restarts));
        config.setString("restart-strategy.fixed-delay.delay", "100 ms");
        // In the JobManager's memory, the default, a checkpoint may hold 5 MiB only.
        config.setString(
                "execution.checkpointing.dir",
                Path.of("target", "checkpoints").toUri().toString());
        config.setString("execution.checkpointing.tolerable-failed-checkpoints", "1000");
        StreamExecutionEnvironment flink = StreamExecutionEnvironment.getExecutionEnvironment(config);
        flink.setParallelism(1);
        flink.enableCheckpointing(200);
        return flink;
    }

    /** The texts m0, m1 and so on, so many a second at most: what is to happen in their middle has time to. */
    public static DataStream<String> numbered(StreamExecutionEnvironment flink, int messages, int perSecond) {
        DataGeneratorSource<String> source = new DataGeneratorSource<>(
                n -> "m" + n, messages, RateLimiterStrategy.perSecond(perSecond), Types.STRING);
        return flink.fromSource(source, WatermarkStrategy.noWatermarks(), "numbered");
    }

    /** Starts a job that reads a queue exactly-once, with this window, and counts what it sees. */
    public static JobClient count(TestBroker broker, String queue, int prefetch, Tally seen) throws Exception {
        StreamExecutionEnvironment flink = flink(0);
        flink.fromSource(
                        source(broker, queue, DeliveryGuarantee.EXACTLY_ONCE)
                                .setPrefetch(prefetch)
                                .build(),
                        WatermarkStrategy.noWatermarks(),
                        "source")
                .map(seen)
                .returns(Types.STRING)
                .sinkTo(new DiscardingSink<>());
        return flink.executeAsync();
    }

    public static RabbitMqSourceBuilder<String> source(TestBroker broker, String queue, DeliveryGuarantee guarantee) {
        return RabbitMqSource.<String>builder()
                .setConnection(broker.config())
                .setQueues(queue)
                .setGuarantee(guarantee)
                .setPrefetch(20_000)
                .setDeserializer(DeliveryDeserializer.ofBody(new SimpleStringSchema()));
    }

    public static RabbitMqSinkBuilder<String> sink(TestBroker broker, String queue, Publishing publishing) {
        return RabbitMqSink.<String>builder()
                .setConnection(broker.config())
                .setPublishing(publishing)
                .setRouter(text -> AmqpMessage.persistent("", queue, text, text.getBytes(StandardCharsets.UTF_8)));
    }

    /** Declares a queue and puts messages into it: m0, m1 and so on, which are their ids too. */
    public static void fill(TestBroker broker, String queue, int messages) throws Exception {
        fill(broker, queue, 0, messages);
    }

    /** The same, with the first number and the one after the last. */
    public static void fill(TestBroker broker, String queue, int from, int to) throws Exception {
        try (var connection = broker.connect();
                var channel = connection.createChannel()) {
            channel.queueDeclare(queue, true, false, false, null);
            channel.confirmSelect();
            for (int i = from; i < to; i++) {
                var properties = MessageProperties.MINIMAL_PERSISTENT_BASIC
                        .builder()
                        .messageId("m" + i)
                        .build();
                channel.basicPublish("", queue, properties, ("m" + i).getBytes(StandardCharsets.UTF_8));
            }
            channel.waitForConfirmsOrDie(60_000);
        }
    }

    /** Takes everything out of a queue and counts each text. */
    public static Map<String, Integer> drain(TestBroker broker, String queue) throws Exception {
        Map<String, Integer> counts = new HashMap<>();
        BlockingQueue<String> taken = new LinkedBlockingQueue<>();
        try (var connection = broker.connect();
                var channel = connection.createChannel()) {
            long there = channel.messageCount(queue);
            channel.basicConsume(
                    queue,
                    true,
                    (tag, delivery) -> taken.add(new String(delivery.getBody(), StandardCharsets.UTF_8)),
                    tag -> {});
            for (long n = 0; n < there; n++) {
                String text = taken.poll(30, TimeUnit.SECONDS);
                if (text == null) {
                    throw new IllegalStateException(there + " messages were in " + queue + ", but only " + n + " came");
                }
                counts.merge(text, 1, Integer::sum);
            }
        }
        return counts;
    }

    /** Tries until there is a savepoint: all records may be through before the last task of a job runs, and Flink makes none before that. */
    public static String savepoint(Supplier<CompletableFuture<String>> attempt) {
        return await().ignoreExceptionsMatching(e -> e.getMessage().contains("Not all required tasks"))
                .until(() -> attempt.get().get(), path -> true);
    }

    public static long repetitions(Map<String, Integer> counts) {
        return counts.values().stream().mapToLong(n -> n - 1).sum();
    }

    public static org.awaitility.core.ConditionFactory await() {
        return org.awaitility.Awaitility.await().atMost(240, TimeUnit.SECONDS).pollInterval(20, TimeUnit.MILLISECONDS);
    }
}
