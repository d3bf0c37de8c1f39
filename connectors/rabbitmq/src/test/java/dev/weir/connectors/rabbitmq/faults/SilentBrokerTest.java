package dev.weir.connectors.rabbitmq.faults;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.connectors.rabbitmq.broker.FreePort;
import dev.weir.connectors.rabbitmq.sink.AmqpMessage;
import dev.weir.connectors.rabbitmq.sink.Publishing;
import dev.weir.connectors.rabbitmq.sink.RabbitMqSink;
import dev.weir.connectors.rabbitmq.source.DeliveryDeserializer;
import dev.weir.connectors.rabbitmq.source.RabbitMqSource;
import dev.weir.connectors.rabbitmq.suite.Jobs;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.serialization.SimpleStringSchema;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.runtime.client.JobCancellationException;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.streaming.connectors.rabbitmq.common.RMQConnectionConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A job can be ended although its broker is away, or takes connections and says nothing. */
class SilentBrokerTest {

    /** Less than the 10 s after which the client gives up an attempt to connect. */
    private static final long SOON_SECONDS = 8;

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
}
