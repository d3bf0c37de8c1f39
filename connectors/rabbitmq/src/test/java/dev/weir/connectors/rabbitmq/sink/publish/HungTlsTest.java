package dev.weir.connectors.rabbitmq.sink.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.connectors.rabbitmq.broker.Certificates;
import dev.weir.connectors.rabbitmq.broker.FreePort;
import dev.weir.connectors.rabbitmq.broker.PrivateRabbit;
import dev.weir.connectors.rabbitmq.common.BackOff;
import dev.weir.connectors.rabbitmq.common.Broker;
import dev.weir.connectors.rabbitmq.common.Tls;
import dev.weir.connectors.rabbitmq.common.Topology;
import dev.weir.connectors.rabbitmq.sink.AmqpMessage;
import dev.weir.connectors.rabbitmq.sink.PublisherMetrics;
import dev.weir.connectors.rabbitmq.sink.Refused;
import dev.weir.connectors.rabbitmq.sink.SinkOptions;
import dev.weir.connectors.rabbitmq.sink.Unroutable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.streaming.connectors.rabbitmq.common.RMQConnectionConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A broker that stops reading in the middle of a message, over TLS, where closing a socket says goodbye first. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class HungTlsTest {

    private static final int LARGE_BYTES = 20 << 20;

    @TempDir
    Path directory;

    @Test
    void closingDoesNotWaitForAWriteThatHangs() throws Exception {
        int port = FreePort.next();
        Certificates certificates = Certificates.in(directory);
        try (PrivateRabbit rabbit = PrivateRabbit.orSkip(List.of(
                "listeners.ssl.1 = 127.0.0.1:" + port,
                "ssl_options.cacertfile = " + certificates.file("ca.pem"),
                "ssl_options.certfile = " + certificates.file("server.pem"),
                "ssl_options.keyfile = " + certificates.file("server.key")))) {
            Publisher publisher = publisher(port, certificates);
            Thread writer = new Thread(() -> write(publisher), "writer");
            writer.setDaemon(true);
            publisher.publish(AmqpMessage.persistent("", "nobody", "first", new byte[1]));
            publisher.awaitAllConfirmed();
            rabbit.setMemoryAlarm(true);
            writer.start();
            await().during(Duration.ofSeconds(3)).atMost(Duration.ofSeconds(30)).until(() -> isIn(writer, "write"));

            Thread closer = new Thread(() -> close(publisher), "closer");
            closer.setDaemon(true);
            closer.start();
            closer.join(20_000);

            assertThat(closer.isAlive())
                    .as("close() waits for the write that hangs")
                    .isFalse();
            await().atMost(Duration.ofSeconds(20)).until(() -> !writer.isAlive());
        }
    }

    private static Publisher publisher(int port, Certificates certificates) {
        RMQConnectionConfig config = new RMQConnectionConfig.Builder()
                .setUri("amqps://guest:guest@localhost:" + port)
                .build();
        SinkOptions options = new SinkOptions(
                new Broker(
                        config, null, Tls.trusting(certificates.file("ca.pem").toString())),
                Topology.NONE,
                new BackOff(Duration.ofMillis(20), Duration.ofMillis(200), Duration.ofSeconds(60)),
                100,
                1L << 30,
                1 << 20,
                Duration.ofSeconds(60),
                Unroutable.dropAndCount(),
                Refused.fail());
        Publisher publisher = new Publisher(options, "test", PublisherMetrics.detached(new UnregisteredMetricsGroup()));
        publisher.start();
        return publisher;
    }

    private static void close(Publisher publisher) {
        try {
            publisher.close();
        } catch (Exception e) {
            throw new IllegalStateException("closing failed", e);
        }
    }

    private static void write(Publisher publisher) {
        try {
            for (int i = 0; i < 10; i++) {
                publisher.publish(AmqpMessage.persistent("", "nobody", "large-" + i, new byte[LARGE_BYTES]));
            }
        } catch (Exception e) {
            // Cut off: what this test is about.
        }
    }

    private static boolean isIn(Thread thread, String method) {
        for (StackTraceElement frame : thread.getStackTrace()) {
            if (frame.getClassName().contains("Socket")
                    && frame.getMethodName().toLowerCase().contains(method)) {
                return true;
            }
        }
        return false;
    }
}
