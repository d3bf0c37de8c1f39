package dev.weir.connectors.rabbitmq.source;

import java.io.Serializable;
import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.java.typeutils.ResultTypeQueryable;
import org.apache.flink.util.Collector;

/**
 * Makes records of a message: none, one or several. Runs on the task's thread. What is collected is emitted only if the
 * method returns; if it throws, the message goes to the {@link Undeserializable} handler and nothing of it is emitted.
 */
@PublicEvolving
public interface DeliveryDeserializer<T> extends Serializable, ResultTypeQueryable<T> {

    /** Called once before the first message. */
    default void open(DeserializationSchema.InitializationContext context) throws Exception {}

    /** Collects the records that are in {@code delivery}. */
    void deserialize(Delivery delivery, Collector<T> out) throws Exception;

    /** Reads only the body, with a schema of Flink's. */
    static <T> DeliveryDeserializer<T> ofBody(DeserializationSchema<T> schema) {
        return new BodyDeserializer<>(schema);
    }

    /** See {@link #ofBody}. */
    record BodyDeserializer<T>(DeserializationSchema<T> schema) implements DeliveryDeserializer<T> {
        @Override
        public void open(DeserializationSchema.InitializationContext context) throws Exception {
            schema.open(context);
        }

        @Override
        public void deserialize(Delivery delivery, Collector<T> out) throws Exception {
            schema.deserialize(delivery.body(), out);
        }

        @Override
        public TypeInformation<T> getProducedType() {
            return schema.getProducedType();
        }
    }
}
