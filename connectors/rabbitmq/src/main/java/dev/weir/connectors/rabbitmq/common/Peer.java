package dev.weir.connectors.rabbitmq.common;

import com.rabbitmq.client.Channel;
import java.util.Map;
import org.apache.flink.annotation.Internal;

/** What the broker at the other end of a channel says that it is and can do. */
@Internal
public final class Peer {

    private Peer() {}

    /** Whether it is a RabbitMQ, whose queue arguments and prefetch per consumer are its own. */
    public static boolean isRabbit(Channel channel) {
        return "RabbitMQ".equals(String.valueOf(properties(channel).get("product")));
    }

    /** Whether it notifies a consumer when its queue is deleted or fails over. */
    public static boolean tellsOfCancelledConsumers(Channel channel) {
        return properties(channel).get("capabilities") instanceof Map<?, ?> capabilities
                && Boolean.TRUE.equals(capabilities.get("consumer_cancel_notify"));
    }

    private static Map<String, Object> properties(Channel channel) {
        Map<String, Object> properties = channel.getConnection().getServerProperties();
        return properties == null ? Map.of() : properties;
    }
}
