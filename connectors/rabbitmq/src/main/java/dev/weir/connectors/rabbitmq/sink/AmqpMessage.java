package dev.weir.connectors.rabbitmq.sink;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.LongString;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import javax.annotation.Nullable;
import org.apache.flink.annotation.PublicEvolving;

/**
 * What a record becomes: where it goes and what it says. A message without a delivery mode is made persistent; one
 * without a message id gets a random one, which stays the same across reconnects but not across a restart of the job:
 * give one made from the record, so that consumers recognise a repetition.
 *
 * @param exchange name of the exchange; empty for the default exchange, whose routing key is the queue's name
 * @param routingKey at most 255 bytes of UTF-8
 * @param properties AMQP properties, headers included
 * @param body content; not copied, so leave it alone afterwards
 */
@PublicEvolving
public record AmqpMessage(String exchange, String routingKey, BasicProperties properties, byte[] body) {

    private static final int PERSISTENT = 2;
    /** AMQP 0-9-1, 4.2.5.3: a short string has one byte for its length. */
    private static final int MAX_SHORT_BYTES = 255;

    /**
     * Completes the properties.
     *
     * @throws IllegalArgumentException when exchange, routing key or message id is longer than 255 bytes
     */
    public AmqpMessage {
        Objects.requireNonNull(exchange, "exchange");
        Objects.requireNonNull(routingKey, "routingKey");
        Objects.requireNonNull(properties, "properties");
        Objects.requireNonNull(body, "body");
        shortEnough("exchange", exchange);
        shortEnough("routingKey", routingKey);
        shortEnough("messageId", properties.getMessageId());
        if (properties.getDeliveryMode() == null || properties.getMessageId() == null) {
            BasicProperties.Builder complete = properties.builder();
            if (properties.getDeliveryMode() == null) {
                complete.deliveryMode(PERSISTENT);
            }
            if (properties.getMessageId() == null) {
                complete.messageId(UUID.randomUUID().toString());
            }
            properties = complete.build();
        }
    }

    /** What AMQP cannot carry must be refused now, not when a checkpoint already holds it. */
    private static void shortEnough(String what, @Nullable String text) {
        // A char is three bytes at most, so most texts need no counting.
        if (text != null
                && text.length() > MAX_SHORT_BYTES / 3
                && text.getBytes(StandardCharsets.UTF_8).length > MAX_SHORT_BYTES) {
            throw new IllegalArgumentException(
                    what + " must be at most " + MAX_SHORT_BYTES + " bytes of UTF-8, got '" + text + "'");
        }
    }

    /** A persistent message with a stable id. */
    public static AmqpMessage persistent(String exchange, String routingKey, String messageId, byte[] body) {
        Objects.requireNonNull(messageId, "messageId");
        return new AmqpMessage(
                exchange,
                routingKey,
                new BasicProperties.Builder()
                        .deliveryMode(PERSISTENT)
                        .messageId(messageId)
                        .build(),
                body);
    }

    /** About how much memory this holds, in bytes. */
    public long weight() {
        return body.length + 256L + weight(properties.getHeaders());
    }

    /** Of a value of a header: text, bytes, tables and lists may be large, all else is small. */
    private static long weight(@Nullable Object value) {
        if (value instanceof Map<?, ?> table) {
            long sum = 64;
            for (Map.Entry<?, ?> entry : table.entrySet()) {
                sum += weight(entry.getKey()) + weight(entry.getValue());
            }
            return sum;
        }
        if (value instanceof Collection<?> list) {
            long sum = 64;
            for (Object one : list) {
                sum += weight(one);
            }
            return sum;
        }
        if (value instanceof byte[] bytes) {
            return 16L + bytes.length;
        }
        return value instanceof CharSequence || value instanceof LongString
                ? 56L + value.toString().length()
                : 24;
    }

    @Override
    public String toString() {
        return "AmqpMessage[to '" + exchange + "' key '" + routingKey + "' id " + properties.getMessageId() + ", "
                + body.length + " bytes]";
    }
}
