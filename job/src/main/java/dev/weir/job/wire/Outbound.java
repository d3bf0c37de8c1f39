package dev.weir.job.wire;

import dev.weir.protocol.Json;
import org.apache.flink.api.common.typeinfo.TypeInformation;

/**
 * A message on its way to the broker.
 *
 * @param exchange target of the publication; empty: directly to the queue named by the key
 * @param routingKey a queue's name, a pilot's id, or a topic
 * @param messageId a repeated effect has the same one, but for batches of rows, which are never made again
 * @param priority 0 to 9; only for jobs, for brokers whose queues use it
 * @param body UTF-8 JSON
 */
public record Outbound(String exchange, String routingKey, String messageId, int priority, byte[] body) {

    public static final TypeInformation<Outbound> TYPE = new MessageType<>(Outbound.class, OutboundSerializer.INSTANCE);

    /** A message for one queue. */
    public static Outbound toQueue(String queue, String messageId, Object message) {
        return new Outbound("", queue, messageId, 0, Json.write(message));
    }

    /** A message for an exchange. */
    public static Outbound toExchange(String exchange, String routingKey, String messageId, Object message) {
        return new Outbound(exchange, routingKey, messageId, 0, Json.write(message));
    }
}
