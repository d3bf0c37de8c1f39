package dev.weir.connectors.rabbitmq.sink.publish;

import dev.weir.connectors.rabbitmq.common.BackOff;
import dev.weir.connectors.rabbitmq.common.Broker;
import dev.weir.connectors.rabbitmq.common.Topology;
import dev.weir.connectors.rabbitmq.sink.PublisherMetrics;
import dev.weir.connectors.rabbitmq.sink.Refused;
import dev.weir.connectors.rabbitmq.sink.SinkOptions;
import dev.weir.connectors.rabbitmq.sink.Unroutable;
import dev.weir.connectors.rabbitmq.suite.OnSharedRabbit;
import java.time.Duration;
import java.util.Map;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;

/** A test of a publisher to that RabbitMQ. */
abstract class OnSharedRabbitPublishing extends OnSharedRabbit {

    /** Pauses that a test can wait for. */
    static final BackOff SOON = new BackOff(Duration.ofMillis(10), Duration.ofMillis(50), Duration.ofSeconds(90));

    final PublisherMetrics metrics = PublisherMetrics.detached(new UnregisteredMetricsGroup());

    /** A publisher that has been started, with room for 1,000 messages. */
    Publisher publisher(BackOff backOff, Unroutable unroutable, Refused refused) {
        SinkOptions options = new SinkOptions(
                new Broker(broker.config(), null, null),
                Topology.NONE,
                backOff,
                1_000,
                1 << 20,
                1 << 20,
                Duration.ofSeconds(5),
                unroutable,
                refused);
        Publisher publisher = new Publisher(options, "test", metrics);
        publisher.start();
        return publisher;
    }

    /** Declares a queue that has room for 20 messages and refuses what is more. */
    String declareFullSoon(String queue) throws Exception {
        queues.channel()
                .queueDeclare(queue, true, false, false, Map.of("x-max-length", 20, "x-overflow", "reject-publish"));
        return queue;
    }
}
