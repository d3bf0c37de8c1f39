package dev.weir.connectors.rabbitmq.sink;

import java.io.IOException;
import javax.annotation.Nullable;
import org.apache.flink.api.common.serialization.SerializationSchema.InitializationContext;
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

    /**
     * Prepares the router for its task.
     *
     * @throws IOException if it cannot be
     */
    static <T> Routing<T> open(
            MessageRouter<T> router, Refused refused, PublisherMetrics metrics, InitializationContext context)
            throws IOException {
        try {
            router.open(context);
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException("The router could not be opened: " + e, e);
        }
        return new Routing<>(router, refused, metrics);
    }

    Routing(MessageRouter<T> router, Refused refused, PublisherMetrics metrics) {
        this.router = router;
        this.refused = refused;
        this.metrics = metrics;
    }

    /**
     * The message of a record, or the one that stands for it; null for none.
     *
     * @throws IOException if the router fails, or the message cannot be encoded and that is to fail the task, or what stands for it cannot be encoded either
     */
    @Nullable AmqpMessage route(T record) throws IOException, InterruptedException {
        AmqpMessage message = routed(record);
        if (message == null) {
            return null;
        }
        String why = MessageBatchSerializer.whyUnencodable(message);
        return why == null ? message : instead(message, why);
    }

    @Nullable private AmqpMessage routed(T record) throws IOException, InterruptedException {
        try {
            return router.route(record);
        } catch (IOException | InterruptedException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException("The router failed at a record: " + e, e);
        }
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
