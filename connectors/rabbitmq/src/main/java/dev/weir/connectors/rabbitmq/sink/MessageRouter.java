package dev.weir.connectors.rabbitmq.sink;

import com.rabbitmq.client.AMQP.BasicProperties;
import java.io.Serializable;
import java.util.Objects;
import javax.annotation.Nullable;
import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.api.common.serialization.SerializationSchema;
import org.apache.flink.util.function.SerializableFunction;

/**
 * Turns a record into a message: exchange, routing key, properties and body. Called once per record, on the task's
 * thread. An exception fails the task.
 */
@PublicEvolving
@FunctionalInterface
public interface MessageRouter<T> extends Serializable {

    /** Called once in each task, before the first record. */
    default void open(SerializationSchema.InitializationContext context) throws Exception {}

    /** The message that says {@code record}; null for none, which skips the record. */
    @Nullable AmqpMessage route(T record) throws Exception;

    /**
     * Persistent messages to one place, with bodies made by a schema of Flink's. A record of which it makes null is skipped.
     *
     * @param exchange name of the exchange; empty for the default exchange, whose routing key is the queue's name
     * @param messageId makes the id of a record's message, by which consumers recognise a repetition
     */
    static <T> MessageRouter<T> ofBody(
            String exchange,
            String routingKey,
            SerializationSchema<T> schema,
            SerializableFunction<T, String> messageId) {
        return new BodyRouter<>(exchange, routingKey, schema, messageId);
    }

    /** See {@link #ofBody}. */
    record BodyRouter<T>(
            String exchange,
            String routingKey,
            SerializationSchema<T> schema,
            SerializableFunction<T, String> messageId)
            implements MessageRouter<T> {

        public BodyRouter {
            // Refused now, not by each record.
            var unused = new AmqpMessage(exchange, routingKey, new BasicProperties(), new byte[0]);
            Objects.requireNonNull(schema, "schema");
            Objects.requireNonNull(messageId, "messageId");
        }

        @Override
        public void open(SerializationSchema.InitializationContext context) throws Exception {
            schema.open(context);
        }

        @Nullable @Override
        public AmqpMessage route(T record) {
            byte[] body = schema.serialize(record);
            return body == null ? null : AmqpMessage.persistent(exchange, routingKey, messageId.apply(record), body);
        }
    }
}
