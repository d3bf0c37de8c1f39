package dev.weir.connectors.rabbitmq.source;

import dev.weir.connectors.rabbitmq.common.BackOff;
import dev.weir.connectors.rabbitmq.common.Broker;
import dev.weir.connectors.rabbitmq.common.Topology;
import java.io.Serializable;
import java.time.Duration;
import java.util.List;
import org.apache.flink.annotation.Internal;
import org.apache.flink.util.function.SerializableFunction;

/**
 * All settings of a source's readers; the builder documents each.
 *
 * @param exactlyOnce whether redeliveries are recognised and dropped
 * @param prefetch most messages of a queue that are delivered and not acknowledged
 * @param maxBufferedBytes most bytes of bodies that a reader holds; a larger one comes alone
 * @param remembered how many acknowledged messages of a queue are still recognised
 */
@Internal
public record SourceOptions(
        Broker broker,
        List<String> queues,
        Topology topology,
        BackOff backOff,
        boolean exactlyOnce,
        SerializableFunction<Delivery, String> messageId,
        int prefetch,
        long maxBufferedBytes,
        int remembered,
        Duration consumerTimeout,
        Bound bound)
        implements Serializable {}
