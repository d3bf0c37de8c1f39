package dev.weir.job.amqp;

import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import dev.weir.job.options.AmqpOptions;
import dev.weir.job.options.JobOptions;
import dev.weir.protocol.Names;
import java.io.IOException;
import java.util.concurrent.TimeoutException;
import org.apache.flink.configuration.Configuration;

/**
 * The queues, exchanges and bindings of the protocol page, made as durable as their messages. Only what every AMQP 0-9-1
 * broker has: no arguments. What exists already with the same properties is left as it is.
 */
public final class Topology {

    private Topology() {}

    /** Declares everything that the configuration names. Throws when a queue exists with other properties. */
    public static void declare(Connection connection, Configuration configuration) throws IOException {
        try (Channel channel = connection.createChannel()) {
            String exchange = configuration.get(AmqpOptions.EXCHANGE);
            channel.exchangeDeclare(exchange, BuiltinExchangeType.DIRECT, true);
            channel.exchangeDeclare(configuration.get(AmqpOptions.NOTICES), BuiltinExchangeType.DIRECT, true);
            channel.exchangeDeclare(configuration.get(AmqpOptions.EVENTS), BuiltinExchangeType.TOPIC, true);
            bound(channel, configuration.get(AmqpOptions.TASKS), exchange, Names.TASKS_KEY);
            bound(channel, configuration.get(AmqpOptions.COMMANDS), exchange, Names.COMMANDS_KEY);
            bound(channel, configuration.get(AmqpOptions.REPORTS), exchange, Names.REPORTS_KEY);
            queue(channel, configuration.get(AmqpOptions.PAGES));
            queue(channel, configuration.get(AmqpOptions.MIRROR));
            queue(channel, configuration.get(AmqpOptions.REJECTED));
            queue(channel, configuration.get(AmqpOptions.DSM_REGISTER));
            for (String pool : configuration.get(JobOptions.POOLS)) {
                queue(channel, configuration.get(AmqpOptions.JOBS_PREFIX) + pool);
            }
        } catch (TimeoutException e) {
            throw new IOException("the broker did not close a channel in time", e);
        }
    }

    private static void queue(Channel channel, String name) throws IOException {
        channel.queueDeclare(name, true, false, false, null);
    }

    private static void bound(Channel channel, String name, String exchange, String key) throws IOException {
        queue(channel, name);
        channel.queueBind(name, exchange, key);
    }
}
