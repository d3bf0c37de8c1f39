package dev.weir.bench.queue;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import dev.weir.testing.ScratchBroker;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** How long a message takes from this process through a queue of the broker and back. */
final class RoundTrip {

    private static final int MESSAGES = 2_000;
    private static final int WARM_UP = 500;
    private static final double MILLI = 1e6;

    private RoundTrip() {}

    static double medianMillis(ScratchBroker broker) throws Exception {
        Histogram times = new Histogram(TimeUnit.SECONDS.toNanos(60), 3);
        try (Connection connection = broker.connect();
                Channel channel = connection.createChannel()) {
            String queue = channel.queueDeclare().getQueue();
            SynchronousQueue<Long> back = new SynchronousQueue<>();
            channel.basicConsume(queue, true, (tag, message) -> offer(back), tag -> {});
            Channel sender = connection.createChannel();
            for (int i = 0; i < MESSAGES; i++) {
                long begin = System.nanoTime();
                sender.basicPublish(
                        "", queue, new BasicProperties.Builder().deliveryMode(1).build(), new byte[100]);
                Long end = back.poll(10, TimeUnit.SECONDS);
                if (end == null) {
                    throw new IllegalStateException("the broker has not given a message back within 10 s");
                }
                if (i >= WARM_UP) {
                    times.recordValue(end - begin);
                }
            }
        }
        return times.getValueAtPercentile(50) / MILLI;
    }

    private static void offer(SynchronousQueue<Long> back) {
        try {
            back.offer(System.nanoTime(), 10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
