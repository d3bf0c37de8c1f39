package dev.weir.connectors.rabbitmq.sink;

import dev.weir.connectors.rabbitmq.sink.publish.Publisher;
import java.io.IOException;
import java.util.List;
import org.apache.flink.api.connector.sink2.StatefulSinkWriter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Publishes at {@link #write}, awaits confirms at {@link #flush}, and keeps in the checkpoint what is still unconfirmed. */
final class AtOnceWriter<T> implements StatefulSinkWriter<T, MessageBatch> {

    private static final Logger LOG = LoggerFactory.getLogger(AtOnceWriter.class);
    /** What Flink's default checkpoint storage, the JobManager's memory, takes of one task. */
    private static final long DEFAULT_STORAGE_BYTES = 5 << 20;

    private final Routing<T> routing;
    private final Publisher publisher;
    /** Logged once: a sink cannot find out whether the storage is the default one. */
    private boolean advised;

    AtOnceWriter(Routing<T> routing, Publisher publisher) {
        this.routing = routing;
        this.publisher = publisher;
    }

    @Override
    public void write(T record, Context context) throws IOException, InterruptedException {
        AmqpMessage message = routing.route(record);
        if (message != null) {
            publisher.publish(message);
        }
    }

    @Override
    public void flush(boolean endOfInput) throws IOException, InterruptedException {
        if (endOfInput) {
            publisher.awaitAllConfirmed();
        } else {
            publisher.awaitConfirmsForACheckpoint();
        }
    }

    @Override
    public List<MessageBatch> snapshotState(long checkpointId) throws IOException {
        List<AmqpMessage> unconfirmed = publisher.unconfirmed();
        long bytes = unconfirmed.stream().mapToLong(AmqpMessage::weight).sum();
        if (bytes > DEFAULT_STORAGE_BYTES && !advised) {
            advised = true;
            LOG.warn(
                    "Some {} bytes of unconfirmed messages go into checkpoint {}. Flink's default storage, the JobManager's memory,"
                            + " takes no more than {} of a task: unless it is set, set execution.checkpointing.dir, or a lower setMaxInFlightBytes",
                    bytes,
                    checkpointId,
                    DEFAULT_STORAGE_BYTES);
        }
        // One element, however large: Flink deals list elements out when the parallelism changes, which would mix the
        // order.
        return unconfirmed.isEmpty() ? List.of() : List.of(new MessageBatch(unconfirmed));
    }

    @Override
    public void close() {
        publisher.close();
    }
}
