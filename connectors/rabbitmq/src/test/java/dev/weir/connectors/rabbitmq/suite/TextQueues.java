package dev.weir.connectors.rabbitmq.suite;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.GetResponse;
import com.rabbitmq.client.MessageProperties;
import dev.weir.connectors.rabbitmq.broker.TestBroker;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** Queues of text, made for a test and deleted after it. */
public final class TextQueues implements AutoCloseable {

    private final Connection connection;
    private final Channel channel;
    private final Set<String> queues = new LinkedHashSet<>();

    public TextQueues(TestBroker broker) throws Exception {
        connection = broker.connect();
        channel = connection.createChannel();
        channel.confirmSelect();
    }

    public String create(String what) throws Exception {
        return declare(TestBroker.unique(what));
    }

    public String declare(String queue) throws Exception {
        channel.queueDeclare(queue, true, false, false, null);
        queues.add(queue);
        return queue;
    }

    /** Writes texts, each with an id of its own, and returns when the broker has them. */
    public void write(String queue, List<String> texts) throws Exception {
        for (String text : texts) {
            publish(queue, UUID.randomUUID().toString(), text);
        }
        channel.waitForConfirmsOrDie(30_000);
    }

    public void publish(String queue, String id, String text) throws Exception {
        var properties = MessageProperties.MINIMAL_PERSISTENT_BASIC
                .builder()
                .messageId(id)
                .build();
        channel.basicPublish("", queue, properties, text.getBytes(StandardCharsets.UTF_8));
    }

    public void awaitConfirms() throws Exception {
        channel.waitForConfirmsOrDie(30_000);
    }

    /** Takes what is in a queue now. */
    public List<String> take(String queue) throws Exception {
        List<String> texts = new ArrayList<>();
        for (GetResponse got = channel.basicGet(queue, true); got != null; got = channel.basicGet(queue, true)) {
            texts.add(new String(got.getBody(), StandardCharsets.UTF_8));
        }
        return texts;
    }

    public long ready(String queue) throws Exception {
        return channel.messageCount(queue);
    }

    public Channel channel() {
        return channel;
    }

    @Override
    public void close() throws Exception {
        if (channel.isOpen()) {
            for (String queue : queues) {
                channel.queueDelete(queue);
            }
        }
        connection.abort(5_000);
    }
}
