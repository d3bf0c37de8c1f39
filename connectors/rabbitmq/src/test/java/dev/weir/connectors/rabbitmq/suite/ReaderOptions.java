package dev.weir.connectors.rabbitmq.suite;

import dev.weir.connectors.rabbitmq.broker.TestBroker;
import dev.weir.connectors.rabbitmq.common.BackOff;
import dev.weir.connectors.rabbitmq.common.Broker;
import dev.weir.connectors.rabbitmq.common.Topology;
import dev.weir.connectors.rabbitmq.source.Bound;
import dev.weir.connectors.rabbitmq.source.SourceOptions;
import java.time.Duration;
import java.util.List;

/** Options of a reader without Flink. */
public final class ReaderOptions {

    private static final int PREFETCH = 1_000;

    private ReaderOptions() {}

    /** Of one that reads a queue without end, with a window of 1,000 messages and room for so many bytes. */
    public static SourceOptions withRoom(TestBroker broker, String queue, long bytes) {
        return new SourceOptions(
                new Broker(broker.config(), null, null),
                List.of(queue),
                Topology.NONE,
                new BackOff(Duration.ofMillis(20), Duration.ofMillis(100), Duration.ofMinutes(1)),
                false,
                delivery -> "",
                PREFETCH,
                bytes,
                PREFETCH,
                Duration.ofMinutes(30),
                Bound.never());
    }
}
