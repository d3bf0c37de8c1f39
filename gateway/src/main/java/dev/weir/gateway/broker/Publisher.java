package dev.weir.gateway.broker;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.MessageProperties;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A channel that publishes with confirms. What is unconfirmed at its end has failed. Safe for use from many threads. */
final class Publisher {

    private static final Duration CONFIRM = Duration.ofSeconds(10);
    private static final long NONE = 0;

    private final Channel channel;
    private final Runnable cut;
    private final Duration confirm;
    private final ConcurrentNavigableMap<Long, Sent> unconfirmed = new ConcurrentSkipListMap<>();
    /** Ids of messages that no queue took; the confirm follows. */
    private final Set<String> returned = ConcurrentHashMap.newKeySet();

    /** The number of the message that is being written. */
    private volatile long writing = NONE;

    private record Sent(String id, String exchange, CompletableFuture<Void> confirmed) {}

    /** @param cut ends the connection at once, when a write hangs; must not wait */
    Publisher(Channel channel, Runnable cut) throws IOException {
        this(channel, cut, CONFIRM);
    }

    Publisher(Channel channel, Runnable cut, Duration confirm) throws IOException {
        this.channel = channel;
        this.cut = cut;
        this.confirm = confirm;
        channel.confirmSelect();
        channel.addReturnListener(
                message -> returned.add(message.getProperties().getMessageId()));
        channel.addConfirmListener(
                (number, more) -> settle(number, more, true), (number, more) -> settle(number, more, false));
        channel.addShutdownListener(this::fail);
    }

    boolean isOpen() {
        return channel.isOpen();
    }

    /** Completes when the broker has the message in a queue, fails with {@link BrokerAway} when it does not say so. */
    CompletableFuture<Void> publish(String exchange, String key, String id, byte[] body) {
        return publish(exchange, key, MessageProperties.MINIMAL_PERSISTENT_BASIC.builder(), id, body);
    }

    /**
     * As {@link #publish}, for a message that the broker drops when it stops, and RabbitMQ after a while.
     */
    CompletableFuture<Void> publishTransient(String exchange, String key, String id, byte[] body, long lifeMillis) {
        return publish(
                exchange,
                key,
                expiring(MessageProperties.MINIMAL_BASIC.builder().deliveryMode(1), lifeMillis),
                id,
                body);
    }

    /** As {@link #publish}, for a message that RabbitMQ drops after a while. */
    CompletableFuture<Void> publishFor(String exchange, String key, String id, byte[] body, long lifeMillis) {
        return publish(
                exchange, key, expiring(MessageProperties.MINIMAL_PERSISTENT_BASIC.builder(), lifeMillis), id, body);
    }

    /** AMQP leaves open whether an expiration is a time or a duration, and the embedded broker takes it for a time long past. */
    private BasicProperties.Builder expiring(BasicProperties.Builder properties, long lifeMillis) {
        return JobChannel.isRabbit(channel) ? properties.expiration(Long.toString(lifeMillis)) : properties;
    }

    private CompletableFuture<Void> publish(
            String exchange, String key, BasicProperties.Builder kind, String id, byte[] body) {
        BasicProperties properties =
                kind.contentType("application/json").messageId(id).build();
        synchronized (channel) {
            CompletableFuture<Void> confirmed =
                    new CompletableFuture<Void>().orTimeout(confirm.toMillis(), TimeUnit.MILLISECONDS);
            long number = channel.getNextPublishSeqNo();
            unconfirmed.put(number, new Sent(id, exchange, confirmed));
            var unused = confirmed.whenComplete((done, failure) -> over(number, failure));
            writing = number;
            try {
                channel.basicPublish(exchange, key, true, false, properties, body);
            } catch (IOException | RuntimeException e) {
                confirmed.completeExceptionally(unsure(e));
            } finally {
                writing = NONE;
            }
            return confirmed;
        }
    }

    /** Nobody waits for its confirm any more. A write that takes as long as a confirm may hang for ever, and others wait for it. */
    private void over(long number, Throwable failure) {
        unconfirmed.remove(number);
        if (failure instanceof TimeoutException && writing == number) {
            cut.run();
        }
    }

    /** Messages whose confirm somebody waits for. */
    int unconfirmed() {
        return unconfirmed.size();
    }

    static BrokerAway unsure(Throwable cause) {
        return new BrokerAway(
                "the broker did not confirm the message; it may have been sent. Repeat the request, with the same"
                        + " Idempotency-Key if it had one",
                cause);
    }

    private void settle(long number, boolean more, boolean taken) {
        var settled = more ? unconfirmed.headMap(number, true) : unconfirmed.subMap(number, true, number, true);
        settled.values().forEach(sent -> {
            if (returned.remove(sent.id())) {
                sent.confirmed()
                        .completeExceptionally(new BrokerAway(
                                "no queue takes the message at exchange " + sent.exchange()
                                        + "; Weir's jobs declare it at their start. Nothing was sent",
                                null));
            } else if (taken) {
                sent.confirmed().complete(null);
            } else {
                sent.confirmed()
                        .completeExceptionally(new BrokerAway("the broker refused the message; repeat it", null));
            }
        });
        if (unconfirmed.isEmpty()) {
            // What is left was confirmed too late.
            returned.clear();
        }
    }

    private void fail(Throwable cause) {
        unconfirmed.values().forEach(sent -> sent.confirmed().completeExceptionally(unsure(cause)));
    }
}
