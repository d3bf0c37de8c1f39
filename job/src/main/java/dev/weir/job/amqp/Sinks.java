package dev.weir.job.amqp;

import com.rabbitmq.client.AMQP.BasicProperties;
import dev.weir.connectors.rabbitmq.sink.AmqpMessage;
import dev.weir.connectors.rabbitmq.sink.Publishing;
import dev.weir.connectors.rabbitmq.sink.RabbitMqSink;
import dev.weir.connectors.rabbitmq.sink.Unroutable;
import dev.weir.job.options.AmqpOptions;
import dev.weir.job.wire.Outbound;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.datastream.DataStream;

/** The sinks of the jobs: messages sent at once, messages that wait for their checkpoint, and messages that may have no receiver. */
public final class Sinks {

    private static final int PERSISTENT = 2;
    private static final String JSON = "application/json";

    /** What each writer holds at most without a confirm of the broker, beside one more message of a megabyte: all sinks share the heap. */
    private static final long MOST_BYTES = 16L << 20;

    /**
     * What leaves with one checkpoint; a message is never too large for it. Check-lists have 4 MB between two checkpoints, so this is enough for
     * one that comes eight times as late. Beyond it the sink holds the job back.
     */
    private static final long MOST_BYTES_ON_COMMIT = 32L << 20;

    private final Configuration configuration;

    public Sinks(Configuration configuration) {
        this.configuration = configuration;
    }

    /** Published as soon as decided; confirmed by the next checkpoint. A queue that is missing fails the job. */
    public void atOnce(DataStream<Outbound> messages, String name, String uid) {
        add(messages, Publishing.AT_ONCE, Unroutable.fail(), name, uid);
    }

    /** The same, but a message without a bound queue is counted and dropped. */
    public void atOnceIfBound(DataStream<Outbound> messages, String name, String uid) {
        add(messages, Publishing.AT_ONCE, Unroutable.dropAndCount(), name, uid);
    }

    /**
     * Published when the checkpoint that contains the decision is complete, in the order of the decisions. An event without a
     * bound queue is counted and dropped; a registration without one fails the job, and is published again by each restart.
     */
    public void onCommit(DataStream<Outbound> messages, String name, String uid) {
        String events = configuration.get(AmqpOptions.EVENTS);
        add(messages, Publishing.ON_COMMIT, Unroutable.dropAndCountTo(events), name, uid);
    }

    private void add(
            DataStream<Outbound> messages, Publishing publishing, Unroutable unroutable, String name, String uid) {
        RabbitMqSink<Outbound> sink = RabbitMqSink.<Outbound>builder()
                .setConnection(Broker.connection(configuration))
                .setTopology(WeirTopology.of(configuration))
                .setReconnect(Broker.RECONNECT)
                .setRouter(Sinks::message)
                .setPublishing(publishing)
                .setUnroutable(unroutable)
                .setMaxInFlight(configuration.get(AmqpOptions.MAX_IN_FLIGHT))
                .setMaxInFlightBytes(MOST_BYTES)
                .setMaxHeldBytes(MOST_BYTES_ON_COMMIT)
                .setConfirmTimeout(configuration.get(AmqpOptions.CONFIRM_TIMEOUT))
                .build();
        // Not chained, so that the web UI shows the sink as an operator with its own name.
        // With as many writers as the operator before it: what a lane sends goes through one of them, and stays in
        // order.
        messages.sinkTo(sink)
                .name(name)
                .uid(uid)
                .setParallelism(messages.getParallelism())
                .disableChaining();
    }

    private static AmqpMessage message(Outbound outbound) {
        BasicProperties properties = new BasicProperties.Builder()
                .deliveryMode(PERSISTENT)
                .contentType(JSON)
                .messageId(outbound.messageId())
                .priority(outbound.priority())
                .build();
        return new AmqpMessage(outbound.exchange(), outbound.routingKey(), properties, outbound.body());
    }
}
