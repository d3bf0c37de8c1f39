package dev.weir.bench.rabbitmq;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import dev.weir.connectors.rabbitmq.sink.AmqpMessage;
import dev.weir.connectors.rabbitmq.sink.RabbitMqSink;
import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.connectors.rabbitmq.common.RMQConnectionConfig;

/**
 * The latency of messages from when they are due at the sink, which publishes at once, to a plain consumer in the same JVM: 200 a second, a
 * checkpoint every second. Prints median and 99th percentile in milliseconds. Arguments: URI, queue, messages, bytes.
 */
public final class LatencyRun {

    private static final int CHECKPOINT_MILLIS = 1_000;
    private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1) / 200;
    /** Number of messages at the beginning that are not counted, because the code is cold. */
    private static final int COLD = 5;

    private LatencyRun() {}

    public static void main(String[] arguments) throws Exception {
        String queue = arguments[1];
        int messages = Integer.parseInt(arguments[2]);
        byte[] padding = new byte[Integer.parseInt(arguments[3]) - Long.BYTES];
        Queue<Long> nanos = new ConcurrentLinkedQueue<>();
        CountDownLatch left = new CountDownLatch(messages);
        try (Connection connection = consume(arguments[0], queue, nanos, left)) {
            StreamExecutionEnvironment flink = StreamExecutionEnvironment.getExecutionEnvironment();
            flink.setParallelism(1);
            flink.enableCheckpointing(CHECKPOINT_MILLIS);
            flink.fromSequence(1, messages)
                    .map(new Paced())
                    .sinkTo(RabbitMqSink.<Long>builder()
                            .setConnection(new RMQConnectionConfig.Builder()
                                    .setUri(arguments[0])
                                    .build())
                            .setRouter(
                                    due -> AmqpMessage.persistent("", queue, Long.toString(due), stamped(due, padding)))
                            .build());
            flink.execute();
            if (!left.await(1, TimeUnit.MINUTES)) {
                throw new IllegalStateException(left.getCount() + " messages did not arrive");
            }
        }
        double[] millis = nanos.stream()
                .skip(messages / COLD)
                .mapToDouble(n -> n / 1e6)
                .sorted()
                .toArray();
        System.out.println(millis[millis.length / 2] + " " + millis[millis.length * 99 / 100]);
    }

    private static byte[] stamped(long due, byte[] padding) {
        return ByteBuffer.allocate(Long.BYTES + padding.length)
                .putLong(due)
                .put(padding)
                .array();
    }

    private static Connection consume(String uri, String queue, Queue<Long> nanos, CountDownLatch left)
            throws Exception {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri(uri);
        Connection connection = factory.newConnection("weir-bench");
        connection
                .createChannel()
                .basicConsume(
                        queue,
                        true,
                        (tag, delivery) -> {
                            nanos.add(System.nanoTime()
                                    - ByteBuffer.wrap(delivery.getBody()).getLong());
                            left.countDown();
                        },
                        tag -> {});
        return connection;
    }

    /** Sends each record when it is due, 5 ms after the previous one; late records catch up. Gives when each was due. */
    private static final class Paced implements MapFunction<Long, Long> {
        private static final long serialVersionUID = 1L;

        private long firstNanos;

        @Override
        public Long map(Long n) {
            if (firstNanos == 0) {
                firstNanos = System.nanoTime() - n * PERIOD_NANOS;
            }
            long due = firstNanos + n * PERIOD_NANOS;
            for (long wait = due - System.nanoTime(); wait > 0; wait = due - System.nanoTime()) {
                LockSupport.parkNanos(wait);
            }
            return due;
        }
    }
}
