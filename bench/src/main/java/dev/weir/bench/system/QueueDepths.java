package dev.weir.bench.system;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import dev.weir.testing.site.Site;
import java.io.IOException;
import java.util.List;

/** How many messages wait in queues of a site. For one thread. */
final class QueueDepths implements AutoCloseable {

    private final Connection connection;
    private final Channel channel;
    private final List<String> queues;

    /** @param names last parts of the options {@code weir.amqp.queue.NAME} */
    QueueDepths(Site site, List<String> names) throws IOException {
        connection = site.broker().connect();
        channel = connection.createChannel();
        queues = names.stream().map(site::queue).toList();
    }

    /** Of all of them; what was delivered and not acknowledged does not count. */
    long sum() throws IOException {
        long sum = 0;
        for (String queue : queues) {
            sum += channel.messageCount(queue);
        }
        return sum;
    }

    @Override
    public void close() throws IOException {
        connection.close();
    }
}
