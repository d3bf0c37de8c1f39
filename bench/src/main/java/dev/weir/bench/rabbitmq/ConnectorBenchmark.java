package dev.weir.bench.rabbitmq;

import com.rabbitmq.client.ConnectionFactory;
import dev.weir.bench.Benchmark;
import dev.weir.bench.BenchmarkContext;
import dev.weir.bench.ChildJvm;
import dev.weir.bench.Row;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

/**
 * Source and sink at parallelism 1 against RabbitMQ's perf-test: the same broker, message size, persistence, confirms and
 * windows, alternating in several rounds, each in its own JVM. A ratio is the median of the rounds' ratios, so that both sides
 * of it were measured within a minute. Then the latency of the sink at 200 messages a second. The broker is at
 * WEIR_AMQP_URL or on the default port.
 */
public final class ConnectorBenchmark implements Benchmark {

    static final int IN_FLIGHT = 4_096;
    private static final int PREFETCH = 60_000;
    private static final int BYTES = 1_024;
    private static final double GOAL = 0.8;
    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final List<String> JVM = List.of(
            "-Xmx1g",
            "--add-opens=java.base/java.util=ALL-UNNAMED",
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "--add-opens=java.base/java.time=ALL-UNNAMED");

    @Override
    public String name() {
        return "rabbitmq";
    }

    @Override
    public String description() {
        return "the RabbitMQ source and sink compared with RabbitMQ's perf-test on the same broker";
    }

    @Override
    public List<Row> run(BenchmarkContext context) throws Exception {
        int messages = context.quick() ? 50_000 : 200_000;
        int rounds = context.quick() ? 1 : 3;
        String given = System.getenv("WEIR_AMQP_URL");
        String uri = given == null || given.isEmpty() ? "amqp://guest:guest@127.0.0.1:5672" : given;
        context.note("messages", messages);
        context.note("bytes", BYTES);
        context.note("rounds", rounds);
        PerfTest perfTest = new PerfTest(uri, messages, BYTES);
        Rounds measured = new Rounds();
        for (int round = 1; round <= rounds; round++) {
            context.progress("round " + round + " of " + rounds);
            // The order alternates, so that neither side always runs first.
            if (round % 2 == 1) {
                perfTestPublishes(perfTest, uri, messages, measured);
                sinkPublishes(perfTest, uri, messages, measured);
            } else {
                sinkPublishes(perfTest, uri, messages, measured);
                perfTestPublishes(perfTest, uri, messages, measured);
            }
            context.progress(measured.toString());
        }
        context.note("rates", measured.toString());
        context.progress("latency");
        String[] millis = latency(uri, context.quick() ? 1_000 : 5_000).split(" ");
        return List.of(
                Row.of("perf-test publishes, 1 KiB, persistent, confirms", median(measured.published()), "1/s"),
                Row.of("sink, the same", median(measured.sunk()), "1/s"),
                Row.atLeast("sink / perf-test", median(ratios(measured.sunk(), measured.published())), GOAL, ""),
                Row.of("perf-test consumes, acknowledging", median(measured.consumed()), "1/s"),
                Row.of("source, the same", median(measured.read()), "1/s"),
                Row.atLeast("source / perf-test", median(ratios(measured.read(), measured.consumed())), GOAL, ""),
                Row.of("sink to consumer at 200/s, median", Double.parseDouble(millis[0]), "ms"),
                Row.of("sink to consumer at 200/s, 99th percentile", Double.parseDouble(millis[1]), "ms"));
    }

    /** Messages per second, by round. */
    private record Rounds(List<Double> published, List<Double> sunk, List<Double> consumed, List<Double> read) {
        private Rounds() {
            this(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        }
    }

    private static void perfTestPublishes(PerfTest perfTest, String uri, int messages, Rounds measured)
            throws Exception {
        try (TemporaryQueue queue = new TemporaryQueue(uri)) {
            measured.published().add(perfTest.publish(queue.name(), IN_FLIGHT));
            measured.read().add(connector("source", uri, queue.name(), messages, PREFETCH));
        }
    }

    private static void sinkPublishes(PerfTest perfTest, String uri, int messages, Rounds measured) throws Exception {
        try (TemporaryQueue queue = new TemporaryQueue(uri)) {
            measured.sunk().add(connector("sink", uri, queue.name(), messages, BYTES));
            measured.consumed().add(perfTest.consume(queue.name(), PREFETCH));
        }
    }

    private static String latency(String uri, int messages) throws Exception {
        try (TemporaryQueue queue = new TemporaryQueue(uri)) {
            List<String> arguments = List.of(uri, queue.name(), "" + messages, "" + BYTES);
            return ChildJvm.run(JVM, LatencyRun.class, arguments, LIMIT);
        }
    }

    private static List<Double> ratios(List<Double> ours, List<Double> theirs) {
        return IntStream.range(0, ours.size())
                .mapToObj(n -> ours.get(n) / theirs.get(n))
                .toList();
    }

    private static double connector(String what, String uri, String queue, int messages, int size) throws Exception {
        List<String> arguments = List.of(what, uri, queue, "" + messages, "" + size);
        return Double.parseDouble(ChildJvm.run(JVM, ConnectorRun.class, arguments, LIMIT));
    }

    private static double median(List<Double> figures) {
        List<Double> sorted = figures.stream().sorted().toList();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }

    /** A durable queue that is deleted at the end. */
    private record TemporaryQueue(com.rabbitmq.client.Connection connection, String name) implements AutoCloseable {
        private TemporaryQueue(String uri) throws Exception {
            this(connect(uri), "weir-bench." + UUID.randomUUID());
            connection.createChannel().queueDeclare(name, true, false, false, null);
        }

        private static com.rabbitmq.client.Connection connect(String uri) throws Exception {
            ConnectionFactory factory = new ConnectionFactory();
            factory.setUri(uri);
            return factory.newConnection("weir-bench");
        }

        @Override
        public void close() throws Exception {
            try (var channel = connection.createChannel()) {
                channel.queueDelete(name);
            }
            connection.close(5_000);
        }
    }
}
