package dev.weir.job.amqp;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import dev.weir.connectors.rabbitmq.common.Topology;
import dev.weir.job.options.AmqpOptions;
import dev.weir.job.options.JobOptions;
import dev.weir.job.options.QueueOptions;
import dev.weir.protocol.Names;
import java.io.IOException;
import java.util.concurrent.TimeoutException;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ReadableConfig;

/**
 * The queues, exchanges and bindings of the protocol page, all durable. They have no arguments but the maximum of the queue of
 * rejected messages, which only RabbitMQ gets, so every AMQP 0-9-1 broker accepts them.
 */
public final class WeirTopology {

    private WeirTopology() {}

    /** All names of the configuration; empty if an operator declares the topology. */
    public static Topology of(ReadableConfig configuration) {
        return configuration.get(AmqpOptions.DECLARE) ? whole(configuration) : Topology.NONE;
    }

    /**
     * Declares the topology once. Throws when a part of it exists with other properties, except the queue of rejected messages.
     *
     * @param configuration gets a note if that queue is to be used as it is
     */
    public static void declare(Connection connection, Configuration configuration) throws IOException {
        RejectedQueue.prepare(connection, configuration);
        try (Channel channel = connection.createChannel()) {
            whole(configuration).declareOn(channel);
        } catch (TimeoutException e) {
            throw new IOException("the broker did not close a channel in time", e);
        }
    }

    private static Topology whole(ReadableConfig configuration) {
        String exchange = configuration.get(AmqpOptions.EXCHANGE);
        String tasks = configuration.get(AmqpOptions.TASKS);
        String commands = configuration.get(AmqpOptions.COMMANDS);
        String reports = configuration.get(AmqpOptions.REPORTS);
        Topology topology = Topology.queues(
                        tasks,
                        commands,
                        reports,
                        configuration.get(AmqpOptions.PAGES),
                        configuration.get(AmqpOptions.MIRROR),
                        configuration.get(AmqpOptions.DSM_REGISTER))
                .withExchange(exchange, "direct")
                .withExchange(configuration.get(AmqpOptions.NOTICES), "direct")
                .withExchange(configuration.get(AmqpOptions.EVENTS), "topic")
                .withBinding(tasks, exchange, Names.TASKS_KEY)
                .withBinding(commands, exchange, Names.COMMANDS_KEY)
                .withBinding(reports, exchange, Names.REPORTS_KEY);
        topology = sending(topology, configuration.get(AmqpOptions.SEND_TASKS), tasks, Names.TASKS_KEY);
        topology = sending(topology, configuration.get(AmqpOptions.SEND_COMMANDS), commands, Names.COMMANDS_KEY);
        topology = sending(topology, configuration.get(AmqpOptions.SEND_REPORTS), reports, Names.REPORTS_KEY);
        topology = withQueues(topology, configuration);
        for (String pool : configuration.get(JobOptions.POOLS)) {
            topology = topology.withQueue(configuration.get(AmqpOptions.JOBS_PREFIX) + pool);
        }
        topology = RejectedQueue.addTo(topology, configuration);
        return sending(
                topology,
                configuration.get(AmqpOptions.SEND_REJECTED),
                configuration.get(AmqpOptions.REJECTED),
                Names.REJECTED_KEY);
    }

    /** What the queues job needs, if it is switched on. */
    private static Topology withQueues(Topology topology, ReadableConfig configuration) {
        if (!configuration.get(QueueOptions.ENABLED)) {
            return topology;
        }
        String exchange = configuration.get(AmqpOptions.SEND_QUEUES);
        String items = configuration.get(AmqpOptions.ITEMS);
        String done = configuration.get(AmqpOptions.DONE);
        String asks = configuration.get(AmqpOptions.ASKS);
        return topology.withQueue(items)
                .withQueue(done)
                .withQueue(asks)
                .withExchange(configuration.get(AmqpOptions.ANSWERS), "direct")
                .withExchange(exchange, "direct")
                .withBinding(items, exchange, Names.ITEMS_KEY)
                .withBinding(done, exchange, Names.DONE_KEY)
                .withBinding(asks, exchange, Names.ASKS_KEY);
    }

    /** An exchange that leads to this queue alone. */
    private static Topology sending(Topology topology, String exchange, String queue, String key) {
        return topology.withExchange(exchange, "direct").withBinding(queue, exchange, key);
    }
}
