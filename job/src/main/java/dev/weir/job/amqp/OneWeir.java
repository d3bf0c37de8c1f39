package dev.weir.job.amqp;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import dev.weir.connectors.rabbitmq.common.Reason;
import dev.weir.job.options.AmqpOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ReadableConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks that no other Weir reads the queues of this one: two would take each other's tasks and reports. It sees the consumers
 * of this moment, so two that start at the same moment may both pass.
 */
public final class OneWeir {

    private static final Logger LOG = LoggerFactory.getLogger(OneWeir.class);
    private static final long LOOK_EVERY_MILLIS = 500;
    /** Read by the schedule job of one Weir. */
    public static final List<ConfigOption<String>> READ_BY_SCHEDULE =
            List.of(AmqpOptions.TASKS, AmqpOptions.COMMANDS, AmqpOptions.REPORTS, AmqpOptions.PAGES);

    /** Read by the queues job of one Weir. */
    public static final List<ConfigOption<String>> READ_BY_QUEUES =
            List.of(AmqpOptions.ITEMS, AmqpOptions.DONE, AmqpOptions.ASKS);

    private OneWeir() {}

    /**
     * Waits until these queues have no consumer. A consumer may belong to an earlier start whose end the broker has not noticed
     * yet.
     *
     * @param queues their options
     * @param patience how long to wait for consumers to go; looks at least once
     * @return a clause that names the queue that still has a consumer; empty if there is none
     * @throws IOException when the broker cannot be asked
     */
    public static Optional<String> inTheWay(
            Connection connection, ReadableConfig configuration, List<ConfigOption<String>> queues, Duration patience)
            throws IOException {
        long until = System.nanoTime() + patience.toNanos();
        Optional<String> used = used(connection, configuration, queues);
        if (used.isPresent() && patience.toSeconds() > 0) {
            LOG.warn(
                    "{}; waiting up to {} s for it to go. Is another Weir running on this virtual host?",
                    used.get(),
                    patience.toSeconds());
        }
        while (used.isPresent() && System.nanoTime() - until < 0) {
            pause();
            used = used(connection, configuration, queues);
        }
        return used;
    }

    private static Optional<String> used(
            Connection connection, ReadableConfig configuration, List<ConfigOption<String>> queues) throws IOException {
        for (ConfigOption<String> option : queues) {
            String queue = configuration.get(option);
            if (consumers(connection, queue) > 0) {
                return Optional.of("queue " + queue + " has a consumer");
            }
        }
        return Optional.empty();
    }

    /** 0 for a missing queue: an operator may declare it later. */
    private static long consumers(Connection connection, String queue) throws IOException {
        try (Channel channel = connection.createChannel()) {
            return channel.consumerCount(queue);
        } catch (TimeoutException e) {
            throw new IOException("the broker did not close a channel in time", e);
        } catch (IOException e) {
            if (Reason.channelCloseCode(e) == AMQP.NOT_FOUND) {
                return 0;
            }
            throw e;
        }
    }

    private static void pause() throws IOException {
        try {
            TimeUnit.MILLISECONDS.sleep(LOOK_EVERY_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for another Weir to go", e);
        }
    }
}
