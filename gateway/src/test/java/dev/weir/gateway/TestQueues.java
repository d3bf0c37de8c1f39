package dev.weir.gateway;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.Delivery;
import dev.weir.engine.store.HeapStore;
import dev.weir.protocol.Json;
import dev.weir.protocol.Names;
import dev.weir.protocol.queue.QueueAnswer;
import dev.weir.protocol.queue.QueueAnswers;
import dev.weir.protocol.queue.QueueLow;
import dev.weir.protocol.queue.QueueMessage;
import dev.weir.protocol.queue.QueueRequest;
import dev.weir.queues.Queues;
import dev.weir.queues.api.Effect;
import dev.weir.queues.api.Event;
import dev.weir.queues.options.QueuesOptions;
import dev.weir.testing.ScratchBroker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** The queues' core behind the exchanges and queues of a test, which it declares as Weir's job does. */
final class TestQueues implements AutoCloseable {

    private static final int TICK_MILLIS = 20;

    /** What gateways sent, to look at. */
    record Received(String queue, BasicProperties properties, QueueRequest request) {}

    private final ScratchBroker broker;
    private final Queues core = new Queues(
            QueuesOptions.defaults(),
            text -> Integer.toHexString(("secret" + text).hashCode()),
            List.of(),
            "s1",
            new HeapStore());
    private final Connection connection;
    private final Channel channel;
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
    private final Queue<Received> received = new ConcurrentLinkedQueue<>();
    private volatile boolean silent;
    /** Null: what comes is applied at once. */
    private List<QueueRequest> held;

    TestQueues(ScratchBroker broker) throws IOException {
        this.broker = broker;
        connection = broker.connect();
        channel = connection.createChannel();
        channel.exchangeDeclare(broker.name(Names.SEND_QUEUES), "direct", true);
        channel.exchangeDeclare(broker.name(Names.ANSWERS), "direct", true);
        consume(Names.ITEMS, Names.ITEMS_KEY);
        consume(Names.DONE, Names.DONE_KEY);
        consume(Names.ASKS, Names.ASKS_KEY);
        var unused = clock.scheduleWithFixedDelay(this::tick, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void consume(String queue, String key) throws IOException {
        String name = broker.name(queue);
        channel.queueDeclare(name, true, false, false, null);
        channel.queueBind(name, broker.name(Names.SEND_QUEUES), key);
        channel.basicConsume(name, true, (tag, message) -> take(queue, message), tag -> {});
    }

    private synchronized void take(String queue, Delivery message) {
        if (Json.read(message.getBody(), QueueMessage.class) instanceof QueueRequest request) {
            received.add(new Received(queue, message.getProperties(), request));
            if (held != null) {
                held.add(request);
            } else if (!silent) {
                apply(new Event.Requested(request, false));
            }
        }
    }

    private void tick() {
        if (core.nextDeadlineMillis() <= System.currentTimeMillis()) {
            apply(new Event.Tick());
        }
    }

    private synchronized void apply(Event event) {
        Map<String, List<QueueAnswer>> answers = new HashMap<>();
        List<Event> further = new ArrayList<>();
        for (Effect effect : core.apply(event, System.currentTimeMillis())) {
            if (effect instanceof Effect.Answer answer) {
                answers.computeIfAbsent(answer.gateway(), gateway -> new ArrayList<>())
                        .add(answer.answer());
            } else if (effect instanceof Effect.SendBeat beat) {
                further.add(new Event.BeatArrived(beat.beat()));
            } else if (effect instanceof Effect.AnnounceLow low) {
                publish(Names.EVENTS, QueueLow.ROUTING_KEY, Json.write(new QueueLow(low.queue(), low.items())));
            }
        }
        answers.forEach((to, all) -> publish(Names.ANSWERS, to, Json.write(new QueueAnswers(all))));
        further.forEach(this::apply);
    }

    private void publish(String exchange, String key, byte[] body) {
        try {
            channel.basicPublish(broker.name(exchange), key, null, body);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** From now on it takes requests and does nothing, or answers again. */
    void beSilent(boolean value) {
        silent = value;
    }

    /** From now on requests wait; or those that have waited are applied. */
    synchronized void hold(boolean value) {
        List<QueueRequest> waiting = held == null ? List.of() : held;
        held = value ? new ArrayList<>() : null;
        waiting.forEach(request -> apply(new Event.Requested(request, false)));
    }

    /** What came since the last call, the oldest first. */
    List<Received> received() {
        List<Received> taken = new ArrayList<>();
        for (Received one = received.poll(); one != null; one = received.poll()) {
            taken.add(one);
        }
        return taken;
    }

    @Override
    public void close() {
        clock.shutdownNow();
        connection.abort();
    }
}
