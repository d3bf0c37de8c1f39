package dev.weir.connectors.rabbitmq.sink;

import java.io.IOException;
import java.util.Objects;
import javax.annotation.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes messages of records, and sorts out at once what cannot be encoded: messages may come into a checkpoint, and one with
 * such a message would never complete.
 */
final class Routing<T> {

    private static final Logger LOG = LoggerFactory.getLogger(Routing.class);

    private final MessageRouter<T> router;
    private final Refused refused;
    private final PublisherMetrics metrics;

    Routing(MessageRouter<T> router, Refused refused, PublisherMetrics metrics) {
        this.router = router;
        this.refused = refused;
        this.metrics = metrics;
    }

    /**
     * The message of a record, or the one that stands for it; null for none.
     *
     * @throws IOException if it cannot be encoded and that is to fail the task, or what stands for it cannot be encoded either
     */
    @Nullable AmqpMessage route(T record) throws IOException {
        AmqpMessage message = Objects.requireNonNull(
                router.route(record), "the router returned null; it gives a message for every record");
        String why = MessageBatchSerializer.whyUnencodable(message);
        return why == null ? message : instead(message, why);
    }

    @Nullable private AmqpMessage instead(AmqpMessage message, String why) throws IOException {
        metrics.errors().inc();
        AmqpMessage instead = refused.instead(message, why);
        metrics.refused().inc();
        LOG.warn(
                "Message {} was refused: {}; {}", message, why, instead == null ? "dropped" : "replaced by " + instead);
        String again = instead == null ? null : MessageBatchSerializer.whyUnencodable(instead);
        return again == null ? instead : Refused.fail().instead(instead, again);
    }
}
