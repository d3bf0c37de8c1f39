package dev.weir.connectors.rabbitmq.faults;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.connectors.rabbitmq.broker.EmbeddedBroker;
import dev.weir.connectors.rabbitmq.broker.FrameProxy;
import dev.weir.connectors.rabbitmq.broker.FreePort;
import dev.weir.connectors.rabbitmq.sink.AmqpMessage;
import dev.weir.connectors.rabbitmq.sink.Publishing;
import dev.weir.connectors.rabbitmq.sink.RabbitMqSink;
import dev.weir.connectors.rabbitmq.source.DeliveryDeserializer;
import dev.weir.connectors.rabbitmq.source.RabbitMqSource;
import dev.weir.connectors.rabbitmq.suite.Jobs;
import dev.weir.connectors.rabbitmq.suite.TextQueues;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.serialization.SimpleStringSchema;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.runtime.client.JobCancellationException;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.streaming.connectors.rabbitmq.common.RMQConnectionConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A job can be ended although its broker is away, takes connections and says nothing, or reads nothing more. */
class SilentBrokerTest {

    private static final int BASIC = 60;
    private static final int PUBLISH = 40;
    /** Less than the 10 s after which the client gives up an attempt to connect. */
    private static final long SOON_SECONDS = 8;

    /** More than what sockets keep for a broker that does not read. */
    private static final int LARGE_BYTES = 64 << 20;

    private final AtomicInteger published = new AtomicInteger();

    private static RMQConnectionConfig at(int port) {
        return new RMQConnectionConfig.Builder()
                .setUri("amqp://guest:guest@127.0.0.1:" + port)
                .build();
    }

    private static void read(StreamExecutionEnvironment flink, int port) {
        flink.fromSource(
                        RabbitMqSource.<String>builder()
                                .setConnection(at(port))
                                .setQueues("any")
                                .setDeserializer(DeliveryDeserializer.ofBody(new SimpleStringSchema()))
                                .build(),
                        WatermarkStrategy.noWatermarks(),
                        "source")
                .sinkTo(new DiscardingSink<>());
    }

    private static void publish(StreamExecutionEnvironment flink, int port, Publishing publishing) {
        flink.fromSequence(1, 1_000)
                .sinkTo(RabbitMqSink.<Long>builder()
                        .setConnection(at(port))
                        .setPublishing(publishing)
                        .setMaxInFlight(10)
                        .setRouter(n -> AmqpMessage.persistent("", "any", "m" + n, new byte[0]))
                        .build());
    }

    private static void endSoon(JobClient job) throws Exception {
        job.cancel().get();
        assertThatThrownBy(() -> job.getJobExecutionResult().get(SOON_SECONDS, TimeUnit.SECONDS))
                .hasRootCauseInstanceOf(JobCancellationException.class);
    }

    @Test
    void aSourceWhoseBrokerDoesNotAnswerIsCancelledAtOnce() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            StreamExecutionEnvironment flink = Jobs.flink(0);
            read(flink, silent.getLocalPort());
            JobClient job = flink.executeAsync();
            silent.accept();
            endSoon(job);
        }
    }

    @Test
    void aSinkWhoseBrokerDoesNotAnswerIsCancelledAtOnce() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            StreamExecutionEnvironment flink = Jobs.flink(0);
            publish(flink, silent.getLocalPort(), Publishing.AT_ONCE);
            JobClient job = flink.executeAsync();
            silent.accept();
            endSoon(job);
        }
    }

    @ParameterizedTest
    @EnumSource(Publishing.class)
    void aJobWhoseBrokerIsAwayIsCancelledAtOnce(Publishing publishing) throws Exception {
        int nobody = FreePort.next();
        StreamExecutionEnvironment flink = Jobs.flink(0);
        flink.enableCheckpointing(50);
        read(flink, nobody);
        publish(flink, nobody, publishing);
        JobClient job = flink.executeAsync();
        Jobs.await().until(() -> job.getJobStatus().get() == JobStatus.RUNNING);
        endSoon(job);
    }

    /** Only the end of the write, or of the connection, ends it: an interruption does not. */
    @ParameterizedTest
    @EnumSource(Publishing.class)
    void aJobWhoseBrokerStopsReadingInTheMiddleOfAMessageIsCancelledAtOnce(Publishing publishing) throws Exception {
        CountDownLatch silent = new CountDownLatch(1);
        try (EmbeddedBroker broker = EmbeddedBroker.start();
                TextQueues queues = new TextQueues(broker);
                FrameProxy proxy = new FrameProxy(broker, method -> {
                    if (!method.fromBroker() && method.is(BASIC, PUBLISH) && published.incrementAndGet() > 1) {
                        stopReadingUntil(silent);
                    }
                })) {
            String from = queues.create("stops-reading-from");
            String to = queues.create("stops-reading-to");
            StreamExecutionEnvironment flink = Jobs.flink(0);
            flink.fromSource(
                            Jobs.source(broker, from, DeliveryGuarantee.AT_LEAST_ONCE)
                                    .build(),
                            WatermarkStrategy.noWatermarks(),
                            "source")
                    .sinkTo(Jobs.sink(proxy, to, publishing)
                            .setRouter(text ->
                                    AmqpMessage.persistent("", to, text, new byte[text.equals("m0") ? 1 : LARGE_BYTES]))
                            .build());
            JobClient job = flink.executeAsync();
            // The first may be written by whoever connects; what comes after its confirm is written by the task.
            Jobs.fill(broker, from, 0, 1);
            Jobs.await().atMost(Duration.ofSeconds(60)).until(() -> queues.ready(to) == 1);
            Jobs.fill(broker, from, 1, 2);
            Jobs.await()
                    .atMost(Duration.ofSeconds(60))
                    .during(Duration.ofSeconds(1))
                    .until(SilentBrokerTest::aTaskIsInAWrite);
            endSoon(job);
        } finally {
            silent.countDown();
        }
    }

    private static void stopReadingUntil(CountDownLatch end) {
        try {
            var unused = end.await(2, TimeUnit.MINUTES);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static boolean aTaskIsInAWrite() {
        return Thread.getAllStackTraces().entrySet().stream()
                .filter(thread -> thread.getKey().getName().contains("Sink"))
                .map(thread -> Arrays.toString(thread.getValue()))
                .anyMatch(
                        stack -> stack.contains("ConfirmingChannel.publish") && stack.contains("NioSocketImpl.write"));
    }
}
