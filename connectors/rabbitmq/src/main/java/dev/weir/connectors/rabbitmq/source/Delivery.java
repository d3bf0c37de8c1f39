package dev.weir.connectors.rabbitmq.source;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Envelope;
import org.apache.flink.annotation.PublicEvolving;

/**
 * A message as it came from a queue.
 *
 * @param queue the queue it was taken from
 * @param envelope exchange, routing key, delivery tag and the redelivered flag
 * @param properties AMQP properties, headers included
 * @param body content; not copied
 */
@PublicEvolving
public record Delivery(String queue, Envelope envelope, BasicProperties properties, byte[] body) {

    @Override
    public String toString() {
        return "Delivery[from queue " + queue + ", id " + properties.getMessageId() + ", " + body.length + " bytes]";
    }
}
