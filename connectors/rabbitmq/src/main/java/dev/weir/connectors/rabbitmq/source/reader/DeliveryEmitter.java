package dev.weir.connectors.rabbitmq.source.reader;

import dev.weir.connectors.rabbitmq.common.Seldom;
import dev.weir.connectors.rabbitmq.source.Delivery;
import dev.weir.connectors.rabbitmq.source.DeliveryDeserializer;
import dev.weir.connectors.rabbitmq.source.SourceOptions;
import dev.weir.connectors.rabbitmq.source.Undeserializable;
import dev.weir.connectors.rabbitmq.source.consume.ConsumerEvent.Delivered;
import dev.weir.connectors.rabbitmq.source.split.MessageKey;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import javax.annotation.Nullable;
import org.apache.flink.api.connector.source.SourceOutput;
import org.apache.flink.connector.base.source.reader.RecordEmitter;
import org.apache.flink.metrics.Counter;
import org.apache.flink.util.Collector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Turns deliveries into records, on the task's thread: recognises repetitions, deserializes, and deals with what cannot be read. */
final class DeliveryEmitter<T> implements RecordEmitter<Delivered, T, QueueState> {

    private static final Logger LOG = LoggerFactory.getLogger(DeliveryEmitter.class);

    private final SourceOptions options;
    private final DeliveryDeserializer<T> deserializer;
    private final Undeserializable<T> undeserializable;
    private final SourceCounters counters;
    private final Consumer<String> limitReached;
    private final Consumer<Delivery> handled;
    private final Buffer<T> buffer = new Buffer<>();
    private final Seldom dropped = new Seldom();

    DeliveryEmitter(
            SourceOptions options,
            DeliveryDeserializer<T> deserializer,
            Undeserializable<T> undeserializable,
            SourceCounters counters,
            Consumer<String> limitReached,
            Consumer<Delivery> handled) {
        this.options = options;
        this.deserializer = deserializer;
        this.undeserializable = undeserializable;
        this.counters = counters;
        this.limitReached = limitReached;
        this.handled = handled;
    }

    @Override
    public void emitRecord(Delivered delivered, SourceOutput<T> output, QueueState state) throws Exception {
        try {
            take(delivered, output, state);
        } finally {
            handled.accept(delivered.delivery());
        }
    }

    private void take(Delivered delivered, SourceOutput<T> output, QueueState state) throws Exception {
        if (state.hasEnded()) {
            skip();
            return;
        }
        state.deliveredBy(delivered.channel());
        Delivery delivery = delivered.delivery();
        Identity identity = identity(delivery);
        if (isAtLimit(state) && (identity.key() == null || !state.isKnown(identity.key()))) {
            // Restored at the limit: only repetitions were missing, and this is the first that is none.
            end(state);
            skip();
            return;
        }
        boolean fresh = identity.key() == null || state.isNew(identity.key(), delivered.channel());
        if (fresh) {
            counters.bytes().inc(delivery.body().length);
            emit(delivery, identity.missing(), output);
            state.countRead();
        } else {
            counters.duplicates().inc();
        }
        state.done(delivered.channel(), delivery.envelope().getDeliveryTag());
        if (fresh && isAtLimit(state)) {
            end(state);
        }
    }

    /** Not ours any more: it is never acknowledged and returns to its queue. Flink counts a record before it hands it over. */
    private void skip() {
        counters.records().dec();
    }

    private boolean isAtLimit(QueueState state) {
        return state.read() >= options.bound().limit();
    }

    private void end(QueueState state) {
        state.end();
        limitReached.accept(state.queue());
    }

    /** How a message is recognised: by its key, or not at all; {@code missing} says why it should be and cannot. */
    private record Identity(
            @Nullable MessageKey key, @Nullable String missing) {}

    private Identity identity(Delivery delivery) {
        if (!options.exactlyOnce()) {
            return new Identity(null, null);
        }
        String why = "";
        try {
            String id = options.messageId().apply(delivery);
            if (id != null && !id.isEmpty()) {
                return new Identity(MessageKey.of(id), null);
            }
        } catch (RuntimeException e) {
            why = " (" + inWords(e) + ")";
        }
        return new Identity(null, "no message id, which exactly-once needs to recognise repetitions" + why);
    }

    private void emit(Delivery delivery, @Nullable String missing, SourceOutput<T> output) throws Exception {
        buffer.records.clear();
        String reason = missing;
        Exception cause = null;
        if (missing == null) {
            try {
                deserializer.deserialize(delivery, buffer);
            } catch (Exception e) {
                cause = e;
                reason = inWords(e);
            } catch (StackOverflowError e) {
                // A text may nest so deep that a reader which calls itself for each level runs out of stack.
                reason = inWords(e);
            }
        }
        if (reason == null) {
            for (T record : buffer.records) {
                collect(delivery, record, output);
            }
        } else {
            handOver(delivery, reason, cause, output);
        }
    }

    private void handOver(Delivery delivery, String reason, @Nullable Exception cause, SourceOutput<T> output)
            throws IOException {
        counters.errors().inc();
        if (undeserializable instanceof Undeserializable.Fail) {
            throw new IOException(
                    "A message cannot be read: " + delivery + ": " + reason
                            + ". It stays in its queue; remove it, or choose with setUndeserializable what to do",
                    cause);
        }
        if (undeserializable instanceof Undeserializable.HandOn<T> handOn) {
            T record = handOn.rejection().reject(delivery, reason);
            if (record != null) {
                collect(delivery, record, output);
                return;
            }
        }
        long since = dropped.happened();
        if (since > 0) {
            LOG.warn(
                    "Dropped {} that cannot be read ({}), the last of {} since the last such line (metric numRecordsInErrors)",
                    delivery,
                    reason,
                    since);
        }
    }

    private static String inWords(Throwable e) {
        String name = e.getClass().getSimpleName();
        return e.getMessage() == null ? name : name + ": " + e.getMessage();
    }

    private static <T> void collect(Delivery delivery, T record, SourceOutput<T> output) {
        if (delivery.properties().getTimestamp() == null) {
            output.collect(record);
        } else {
            output.collect(record, delivery.properties().getTimestamp().getTime());
        }
    }

    private static final class Buffer<T> implements Collector<T> {
        private final List<T> records = new ArrayList<>();

        @Override
        public void collect(T record) {
            records.add(record);
        }

        @Override
        public void close() {
            // Lives as long as the reader.
        }
    }

    /** What the emitter counts. */
    record SourceCounters(Counter records, Counter bytes, Counter errors, Counter duplicates) {}
}
