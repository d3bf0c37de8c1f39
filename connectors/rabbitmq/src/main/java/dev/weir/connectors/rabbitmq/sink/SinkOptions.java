package dev.weir.connectors.rabbitmq.sink;

import dev.weir.connectors.rabbitmq.common.BackOff;
import dev.weir.connectors.rabbitmq.common.Broker;
import dev.weir.connectors.rabbitmq.common.Topology;
import java.io.Serializable;
import java.time.Duration;
import org.apache.flink.annotation.Internal;

/**
 * All settings of a sink's publisher; the builder documents each.
 *
 * @param maxInFlight most unconfirmed messages
 * @param maxInFlightBytes most unconfirmed bytes; a single larger message goes alone
 * @param maxHeldBytes most bytes that a writer hands to a checkpoint, publishing on commit
 * @param confirmTimeout how old an unconfirmed message is for which no checkpoint waits, and how long before a silent connection is replaced
 */
@Internal
public record SinkOptions(
        Broker broker,
        Topology topology,
        BackOff backOff,
        int maxInFlight,
        long maxInFlightBytes,
        long maxHeldBytes,
        Duration confirmTimeout,
        Unroutable unroutable,
        Refused refused)
        implements Serializable {}
