package dev.weir.job.amqp;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import dev.weir.connectors.rabbitmq.common.Reason;
import dev.weir.connectors.rabbitmq.common.Topology;
import dev.weir.job.options.AmqpOptions;
import dev.weir.protocol.Names;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ReadableConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The queue of rejected messages. Nothing has to read it, so it has a maximum size: without one it would grow until the broker's disk
 * is full and stops everything.
 */
final class RejectedQueue {

    private static final Logger LOG = LoggerFactory.getLogger(RejectedQueue.class);

    /** Not for users: what a start found goes to the operators, which declare the topology at each connect. */
    private static final ConfigOption<Boolean> AS_IT_IS =
            ConfigOptions.key("weir.amqp.rejected-as-it-is").booleanType().defaultValue(false);

    private RejectedQueue() {}

    /** Adds the queue, unless a start found it with other arguments. */
    static Topology addTo(Topology topology, ReadableConfig configuration) {
        if (configuration.get(AS_IT_IS)) {
            return topology;
        }
        long maxBytes = configuration.get(AmqpOptions.REJECTED_MAX_BYTES).getBytes();
        Map<String, Object> bound = maxBytes == 0 ? Map.of() : Map.of(Names.MAX_BYTES_ARGUMENT, maxBytes);
        return topology.withQueue(new Topology.Queue(configuration.get(AmqpOptions.REJECTED), Map.of(), bound));
    }

    /** Makes the queue if there is none. One with other arguments is noted in the configuration, and then used as it is. */
    static void prepare(Connection connection, Configuration configuration) throws IOException {
        try (Channel channel = connection.createChannel()) {
            addTo(Topology.NONE, configuration).declareOn(channel);
        } catch (TimeoutException e) {
            throw new IOException("the broker did not close a channel in time", e);
        } catch (IOException e) {
            if (Reason.channelCloseCode(e) != AMQP.PRECONDITION_FAILED) {
                throw e;
            }
            LOG.warn(
                    "Queue {} exists with other arguments than {} gives it, and is used as it is. If it has no maximum size, it can"
                            + " fill the broker's disk: delete it while Weir is stopped, or set a policy",
                    configuration.get(AmqpOptions.REJECTED),
                    AmqpOptions.REJECTED_MAX_BYTES.key());
            configuration.set(AS_IT_IS, true);
        }
    }
}
