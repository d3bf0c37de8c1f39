package dev.weir.connectors.rabbitmq.sink;

import java.io.Serializable;
import org.apache.flink.annotation.PublicEvolving;

/**
 * Turns a record into a message: exchange, routing key, properties and body. Called once per record, on the task's
 * thread. An exception fails the task.
 */
@PublicEvolving
@FunctionalInterface
public interface MessageRouter<T> extends Serializable {

    /** The message that says {@code record}; never null. */
    AmqpMessage route(T record);
}
