package dev.weir.connectors.rabbitmq.source;

import dev.weir.connectors.rabbitmq.source.enumerator.EnumeratorState;
import dev.weir.connectors.rabbitmq.source.enumerator.EnumeratorStateSerializer;
import dev.weir.connectors.rabbitmq.source.enumerator.QueueEnumerator;
import dev.weir.connectors.rabbitmq.source.reader.RabbitMqSourceReader;
import dev.weir.connectors.rabbitmq.source.split.QueueSplit;
import dev.weir.connectors.rabbitmq.source.split.QueueSplitSerializer;
import java.util.Set;
import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.java.typeutils.ResultTypeQueryable;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * Consumes queues of RabbitMQ, or any AMQP 0-9-1 broker. A queue is a split: one reader consumes it, a reader may consume
 * several, readers beyond the number of queues have nothing to do.
 *
 * <p><b>Guarantees.</b> A message is acknowledged when a checkpoint that contains its effects is complete, so none is
 * lost ({@code AT_LEAST_ONCE}). With {@code EXACTLY_ONCE} the ids of emitted messages are kept in the checkpoint until
 * after they are acknowledged, and redeliveries are recognised and dropped, at any parallelism; messages must then have an
 * id. Checkpointing must be on: without it nothing is ever acknowledged, and reading stops, with a
 * warning, when the prefetch window is full; a source that ends reads on, but all of it goes back to its queues when the task ends.
 *
 * <p>What would lose data: {@link Undeserializable#dropAndCount()}; a queue's time to live or length limit.
 */
@PublicEvolving
public final class RabbitMqSource<T> implements Source<T, QueueSplit, EnumeratorState>, ResultTypeQueryable<T> {
    private static final long serialVersionUID = 1L;

    private final SourceOptions options;
    private final DeliveryDeserializer<T> deserializer;
    private final Undeserializable<T> undeserializable;

    RabbitMqSource(SourceOptions options, DeliveryDeserializer<T> deserializer, Undeserializable<T> undeserializable) {
        this.options = options;
        this.deserializer = deserializer;
        this.undeserializable = undeserializable;
    }

    /** Starts to describe a source. */
    public static <T> RabbitMqSourceBuilder<T> builder() {
        return new RabbitMqSourceBuilder<>();
    }

    @Override
    public Boundedness getBoundedness() {
        return options.bound() instanceof Bound.Never ? Boundedness.CONTINUOUS_UNBOUNDED : Boundedness.BOUNDED;
    }

    @Override
    public SourceReader<T, QueueSplit> createReader(SourceReaderContext context) throws Exception {
        return RabbitMqSourceReader.create(options, deserializer, undeserializable, context);
    }

    @Override
    public SplitEnumerator<QueueSplit, EnumeratorState> createEnumerator(SplitEnumeratorContext<QueueSplit> context) {
        return restoreEnumerator(context, new EnumeratorState(Set.of()));
    }

    @Override
    public SplitEnumerator<QueueSplit, EnumeratorState> restoreEnumerator(
            SplitEnumeratorContext<QueueSplit> context, EnumeratorState state) {
        boolean bounded = getBoundedness() == Boundedness.BOUNDED;
        return new QueueEnumerator(context, options.queues(), bounded, state);
    }

    @Override
    public SimpleVersionedSerializer<QueueSplit> getSplitSerializer() {
        return new QueueSplitSerializer();
    }

    @Override
    public SimpleVersionedSerializer<EnumeratorState> getEnumeratorCheckpointSerializer() {
        return new EnumeratorStateSerializer();
    }

    @Override
    public TypeInformation<T> getProducedType() {
        return deserializer.getProducedType();
    }
}
