package dev.weir.gateway.broker;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.GetResponse;
import com.rabbitmq.client.ShutdownSignalException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A channel for one job at a time: its prefetch of one brings none ahead. When it closes, the broker gives an unacknowledged job to
 * another. The methods wait for the broker, and are for one thread at a time; they throw {@link BrokerAway}.
 */
public final class JobChannel {

    private static final long CANCEL_SECONDS = 10;
    private static final int NOT_FOUND = 404;
    private static final int ACCESS_REFUSED = 403;

    private final Channel channel;
    private final String prefix;
    private final List<OneJob> consumers = new ArrayList<>();

    JobChannel(Channel channel, String prefix) throws IOException {
        this.channel = channel;
        this.prefix = prefix;
        channel.basicQos(1);
    }

    private interface Step<T> {
        T run() throws IOException, InterruptedException;
    }

    private <T> T run(String pool, Step<T> step) {
        try {
            return step.run();
        } catch (IOException | ShutdownSignalException e) {
            close();
            throw failure(pool, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            close();
            throw new BrokerAway("the gateway stops", e);
        }
    }

    private RuntimeException failure(String pool, Exception e) {
        int code = e.getCause() instanceof ShutdownSignalException signal
                        && signal.getReason() instanceof AMQP.Channel.Close close
                ? close.getReplyCode()
                : 0;
        return switch (code) {
            case NOT_FOUND -> new NoSuchPool(pool, "there is no queue " + prefix + pool + " at the broker");
            case ACCESS_REFUSED ->
                new NoSuchPool(pool, "the gateway's account at the broker may not read queue " + prefix + pool);
            default -> new BrokerAway("the broker gave no job: " + Link.reason(e), e);
        };
    }

    /** A job of the pool if one waits; else null. */
    public Delivery get(String pool) {
        GetResponse got = run(pool, () -> channel.basicGet(prefix + pool, false));
        return got == null
                ? null
                : new Delivery(
                        got.getEnvelope().getDeliveryTag(),
                        pool,
                        got.getBody(),
                        got.getEnvelope().isRedeliver());
    }

    /**
     * Waits for jobs of the pools; at most one comes of each.
     *
     * @param arrived takes them, in a thread of the connection
     * @param lost is run when none can come any more
     */
    public void consume(List<String> pools, Consumer<Delivery> arrived, Runnable lost) {
        for (String pool : pools) {
            OneJob consumer = new OneJob(pool, arrived, lost);
            consumers.add(consumer);
            run(pool, () -> channel.basicConsume(prefix + pool, false, consumer));
        }
    }

    /** Nothing arrives after this. */
    public void stop() {
        for (OneJob consumer : consumers) {
            run(consumer.pool, () -> {
                channel.basicCancel(consumer.getConsumerTag());
                if (!consumer.cancelled.await(CANCEL_SECONDS, TimeUnit.SECONDS)) {
                    throw new IOException("no answer to the cancel of a consumer");
                }
                return null;
            });
        }
        consumers.clear();
    }

    /** The broker forgets the job. */
    public void acknowledge(long tag) {
        run("", () -> {
            channel.basicAck(tag, false);
            return null;
        });
    }

    /** The broker gives the job to another. */
    public void giveBack(long tag) {
        run("", () -> {
            channel.basicReject(tag, true);
            return null;
        });
    }

    /** Whether the broker is RabbitMQ, and no other one of AMQP 0-9-1. */
    static boolean isRabbit(Channel of) {
        return "RabbitMQ"
                .equals(String.valueOf(of.getConnection().getServerProperties().get("product")));
    }

    /**
     * No pilot can use it: RabbitMQ puts it among dead letters, if there is such a queue. The embedded broker would deliver it again without end,
     * so elsewhere it is acknowledged.
     */
    public void reject(long tag) {
        boolean isRabbit = isRabbit(channel);
        run("", () -> {
            if (isRabbit) {
                channel.basicReject(tag, false);
            } else {
                channel.basicAck(tag, false);
            }
            return null;
        });
    }

    public boolean isOpen() {
        return channel.isOpen();
    }

    /** What is not acknowledged goes back to its queue. */
    public void close() {
        Session.abort(channel);
    }

    private final class OneJob extends DefaultConsumer {

        private final String pool;
        private final Consumer<Delivery> arrived;
        private final Runnable lost;
        private final CountDownLatch cancelled = new CountDownLatch(1);

        OneJob(String pool, Consumer<Delivery> arrived, Runnable lost) {
            super(channel);
            this.pool = pool;
            this.arrived = arrived;
            this.lost = lost;
        }

        @Override
        public void handleDelivery(String tag, Envelope envelope, AMQP.BasicProperties properties, byte[] body) {
            arrived.accept(new Delivery(envelope.getDeliveryTag(), pool, body, envelope.isRedeliver()));
        }

        @Override
        public void handleCancelOk(String tag) {
            cancelled.countDown();
        }

        @Override
        public void handleCancel(String tag) {
            cancelled.countDown();
            lost.run();
        }

        @Override
        public void handleShutdownSignal(String tag, ShutdownSignalException cause) {
            cancelled.countDown();
            lost.run();
        }
    }
}
