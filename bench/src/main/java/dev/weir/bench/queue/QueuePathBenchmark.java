package dev.weir.bench.queue;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import dev.weir.bench.Benchmark;
import dev.weir.bench.BenchmarkContext;
import dev.weir.bench.Row;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;

/**
 * The least that a pop from a queue can cost: HTTP, broker, Flink and back, through a core that answers at once. Gateway, core and clients
 * run in this process; RabbitMQ is that of this machine, at WEIR_AMQP_URL or on the default port.
 */
public final class QueuePathBenchmark implements Benchmark {

    private static final int[] RATES = {1, 100, 1_000};
    private static final int UNDER_WAY = 64;
    private static final double GOAL_MILLIS = 10;
    private static final double GOAL_RATIO = 0.15;
    private static final double MILLI = 1e6;

    @Override
    public String name() {
        return "queue-path";
    }

    @Override
    public String description() {
        return "a pop through an empty core, over gateway and broker";
    }

    @Override
    public List<Row> run(BenchmarkContext context) throws Exception {
        String given = System.getenv("WEIR_AMQP_URL");
        String uri = given == null || given.isEmpty() ? "amqp://guest:guest@127.0.0.1:5672" : given;
        String name = "weir-bench." + UUID.randomUUID();
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri(uri);
        try (Connection connection = factory.newConnection("weir-bench");
                Channel channel = connection.createChannel()) {
            channel.queueDeclare(name, true, false, false, null);
            channel.exchangeDeclare(name, "direct");
            try (EmptyCore core = new EmptyCore(uri, name, name, context.directory());
                    Edge edge = new Edge(uri, name, name)) {
                return measure(context, edge);
            } finally {
                channel.queueDelete(name);
                channel.exchangeDelete(name);
            }
        }
    }

    private static List<Row> measure(BenchmarkContext context, Edge edge) throws Exception {
        Duration time = Duration.ofSeconds(context.quick() ? 3 : 15);
        HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        HttpRequest get =
                HttpRequest.newBuilder(URI.create(edge.url() + "/constant")).build();
        HttpRequest post = HttpRequest.newBuilder(URI.create(edge.url() + "/pop"))
                .POST(BodyPublishers.noBody())
                .build();
        Supplier<CompletableFuture<?>> constant =
                () -> client.sendAsync(get, BodyHandlers.discarding()).thenAccept(QueuePathBenchmark::require200);
        Supplier<CompletableFuture<?>> pop =
                () -> client.sendAsync(post, BodyHandlers.discarding()).thenAccept(QueuePathBenchmark::require200);
        context.progress("warm-up");
        Load.closed(UNDER_WAY, time, constant);
        Load.closed(UNDER_WAY, time, pop);
        List<Row> rows = new ArrayList<>();
        for (int rate : RATES) {
            context.progress(rate + " a second");
            Histogram constants = Load.atRate(rate, time, constant);
            Histogram broker = Load.atRate(rate, time, edge::ask);
            Histogram pops = Load.atRate(rate, time, pop);
            String at = " at " + rate + "/s";
            rows.add(Row.of("constant" + at + ", median", constants.getValueAtPercentile(50) / MILLI, "ms"));
            rows.add(Row.of("broker, core and back" + at + ", median", broker.getValueAtPercentile(50) / MILLI, "ms"));
            rows.add(Row.atMost("pop" + at + ", median", pops.getValueAtPercentile(50) / MILLI, GOAL_MILLIS, "ms"));
            rows.add(Row.of("pop" + at + ", 99th percentile", pops.getValueAtPercentile(99) / MILLI, "ms"));
        }
        // A B A B: absolute rates drift.
        double ratio = 0;
        for (int round = 1; round <= 2; round++) {
            context.progress("as many as possible, round " + round);
            double constants = Load.closed(UNDER_WAY, time, constant);
            double pops = Load.closed(UNDER_WAY, time, pop);
            ratio += pops / constants / 2;
            rows.add(Row.of("constants, " + UNDER_WAY + " under way, round " + round, constants, "1/s"));
            rows.add(Row.of("pops, " + UNDER_WAY + " under way, round " + round, pops, "1/s"));
        }
        rows.add(Row.atLeast("pops / constants", ratio, GOAL_RATIO, ""));
        return rows;
    }

    private static void require200(HttpResponse<?> answer) {
        if (answer.statusCode() != 200) {
            throw new IllegalStateException(answer.uri() + " was answered with " + answer.statusCode());
        }
    }
}
