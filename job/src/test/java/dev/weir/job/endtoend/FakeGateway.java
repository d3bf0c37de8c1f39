package dev.weir.job.endtoend;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import dev.weir.job.options.AmqpOptions;
import dev.weir.protocol.Json;
import dev.weir.protocol.queue.LeasedItem;
import dev.weir.protocol.queue.QueueAnswer;
import dev.weir.protocol.queue.QueueAnswers;
import dev.weir.protocol.queue.QueueEntry;
import dev.weir.protocol.queue.QueueRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;

/** Asks the queues as a gateway does. */
final class FakeGateway implements AutoCloseable {

    private static final String ID = "gateway-1";

    private final Deployment weir;
    private final Connection connection;
    private final Channel channel;
    private final Map<Long, CompletableFuture<QueueAnswer>> open = new ConcurrentHashMap<>();
    private long number;

    FakeGateway(Deployment weir) throws Exception {
        this.weir = weir;
        connection = weir.broker().connect();
        channel = connection.createChannel();
        String mine = channel.queueDeclare().getQueue();
        channel.queueBind(mine, weir.name(AmqpOptions.ANSWERS), ID);
        connection.createChannel().basicConsume(mine, true, (tag, delivery) -> answered(delivery.getBody()), tag -> {});
    }

    private void answered(byte[] body) {
        for (QueueAnswer answer : Json.read(body, QueueAnswers.class).answers()) {
            if (!open.get(answer.n()).complete(answer) && answer.items() != null) {
                // A crash of Weir has it read a pop twice.
                answer.items().forEach(this::giveBack);
            }
        }
    }

    private void giveBack(LeasedItem item) {
        try {
            var unused = send(n -> new QueueEntry.Done(
                    n, item.token(), QueueEntry.End.RELEASED, null, null, null, null, null, null, null, true));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sends one entry, whose number it gives, and waits for the answer. */
    QueueAnswer ask(LongFunction<QueueEntry> entry) throws Exception {
        return send(entry).get(Deployment.PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    CompletableFuture<QueueAnswer> send(LongFunction<QueueEntry> entry) throws IOException {
        return sendAll(List.of(entry)).get(0);
    }

    /** Sends entries of one route in one message. */
    synchronized List<CompletableFuture<QueueAnswer>> sendAll(List<LongFunction<QueueEntry>> entries)
            throws IOException {
        List<QueueEntry> all = new ArrayList<>();
        List<CompletableFuture<QueueAnswer>> answers = new ArrayList<>();
        for (LongFunction<QueueEntry> entry : entries) {
            CompletableFuture<QueueAnswer> answer = new CompletableFuture<>();
            open.put(++number, answer);
            answers.add(answer);
            all.add(entry.apply(number));
        }
        publish(all.get(0).routingKey(), ID + ":" + number, Json.write(new QueueRequest(ID, all)));
        return answers;
    }

    /** Sends a message as it is. */
    synchronized void publish(String key, String messageId, byte[] body) throws IOException {
        BasicProperties properties = new BasicProperties.Builder()
                .deliveryMode(2)
                .messageId(messageId)
                .build();
        channel.basicPublish(weir.name(AmqpOptions.SEND_QUEUES), key, properties, body);
    }

    @Override
    public void close() {
        connection.abort();
    }
}
