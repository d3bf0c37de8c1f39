package dev.weir.connectors.rabbitmq.sink;

import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.api.connector.sink2.Sink;

/**
 * Publishes records to RabbitMQ, or any AMQP 0-9-1 broker with publisher confirms, and loses none.
 *
 * <p><b>Guarantee: at least once.</b> Every message is confirmed by the broker, or kept in the checkpoint until it is.
 * AMQP 0-9-1 has no transactions that outlive a connection, so a failure repeats messages: those published since the
 * last checkpoint ({@link Publishing#AT_ONCE}), all those of the last checkpoint ({@link Publishing#ON_COMMIT}), or those whose
 * confirmation was lost. Repetitions of the same record
 * carry the same message id if the {@link MessageRouter} makes one from the record.
 *
 * <p>Order is kept per writer, and thus per routing key if a key's records reach one writer, also across reconnects: what
 * is unconfirmed is published again in its order before anything new.
 * It is lost when a job is restored with another parallelism from a checkpoint that holds unconfirmed messages ({@link
 * Publishing#AT_ONCE}, broker away or blocked): they go to one writer, new records of their key perhaps to another, which does not
 * wait for it. So rescale from a savepoint that holds none: one at which no writer warned that messages go into the checkpoint,
 * because the gauge {@code unconfirmed} fell to 0 in time.
 *
 * <p>What would lose data: {@link Unroutable#dropAndCount()} for messages without a queue; {@code deliveryMode(1)}; a
 * non-durable queue; running without checkpoints.
 */
@PublicEvolving
public abstract sealed class RabbitMqSink<T> implements Sink<T> permits AtOnceSink, OnCommitSink {
    private static final long serialVersionUID = 1L;

    final MessageRouter<T> router;
    final SinkOptions options;

    RabbitMqSink(MessageRouter<T> router, SinkOptions options) {
        this.router = router;
        this.options = options;
    }

    /** Starts to describe a sink. */
    public static <T> RabbitMqSinkBuilder<T> builder() {
        return new RabbitMqSinkBuilder<>();
    }
}
