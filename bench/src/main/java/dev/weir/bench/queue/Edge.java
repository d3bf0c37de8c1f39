package dev.weir.bench.queue;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.javalin.Javalin;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The edge of a gateway: a constant at {@code /constant}, and at {@code /pop} an answer that comes over the broker. Requests that arrive
 * within a millisecond share a message. Nothing is confirmed or kept.
 */
final class Edge implements AutoCloseable {

    static final String CONSTANT = "{\"items\":[]}";

    private static final long GATHER_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long WAIT_SECONDS = 10;
    private static final BasicProperties TRANSIENT =
            new BasicProperties.Builder().deliveryMode(1).expiration("5000").build();

    private final String id = UUID.randomUUID().toString();
    private final String asks;
    private final Connection connection;
    private final Channel channel;
    private final ScheduledExecutorService gatherer = Executors.newSingleThreadScheduledExecutor();
    private final Map<Long, CompletableFuture<String>> open = new ConcurrentHashMap<>();
    private final AtomicLong number = new AtomicLong();
    private final Javalin server;
    private List<Long> gathered = new ArrayList<>();

    /** @param asks a queue, and {@code answers} a direct exchange that exist */
    Edge(String uri, String asks, String answers) throws Exception {
        this.asks = asks;
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri(uri);
        connection = factory.newConnection("weir-bench edge");
        channel = connection.createChannel();
        String mine = channel.queueDeclare().getQueue();
        channel.queueBind(mine, answers, id);
        connection.createChannel().basicConsume(mine, true, (tag, delivery) -> answered(delivery.getBody()), tag -> {});
        server = Javalin.create(config -> {
                    config.startup.showJavalinBanner = false;
                    config.routes.get(
                            "/constant",
                            http -> http.contentType("application/json").result(CONSTANT));
                    config.routes.post(
                            "/pop",
                            http -> http.contentType("application/json").future(() -> ask().thenAccept(http::result)));
                })
                .start("127.0.0.1", 0);
    }

    String url() {
        return "http://127.0.0.1:" + server.port();
    }

    /** The way over the broker and back, without HTTP. */
    CompletableFuture<String> ask() {
        long request = number.incrementAndGet();
        CompletableFuture<String> answer = new CompletableFuture<String>().orTimeout(WAIT_SECONDS, TimeUnit.SECONDS);
        open.put(request, answer);
        synchronized (this) {
            if (gathered.isEmpty()) {
                var unused = gatherer.schedule(this::publish, GATHER_NANOS, TimeUnit.NANOSECONDS);
            }
            gathered.add(request);
        }
        return answer;
    }

    private void publish() {
        List<Long> requests;
        synchronized (this) {
            requests = gathered;
            gathered = new ArrayList<>();
        }
        StringBuilder body = new StringBuilder(id);
        requests.forEach(request -> body.append('\n').append(request));
        try {
            channel.basicPublish("", asks, TRANSIENT, body.toString().getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void answered(byte[] body) {
        String[] lines = new String(body, StandardCharsets.UTF_8).split("\n");
        for (int i = 1; i < lines.length; i++) {
            CompletableFuture<String> answer = open.remove(Long.valueOf(lines[i]));
            if (answer != null) {
                answer.complete(CONSTANT);
            }
        }
    }

    @Override
    public void close() throws IOException {
        server.stop();
        gatherer.shutdownNow();
        connection.close(5_000);
    }
}
