package dev.weir.pilot.broker;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.GetResponse;
import com.rabbitmq.client.ShutdownSignalException;
import dev.weir.pilot.uplink.Delivery;
import dev.weir.pilot.uplink.Outbox;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Takes one job and holds none ahead. While jobs wait, {@code basic.get} brings the next in one round trip, the preferred pool
 * first. When all queues are empty it consumes with a prefetch of one, so that a new job arrives the moment it is queued, and
 * cancels its consumers at the first delivery; what another queue's consumer brought meanwhile goes back at once. It asks for none while a
 * report about an earlier job is not confirmed, or the broker takes nothing: what it cannot report would be given to others as well. For one
 * thread.
 */
final class JobIntake {

    /** Between two looks at whether to give up. */
    private static final Duration STEP = Duration.ofMillis(100);

    private static final long CANCEL_SECONDS = 30;

    private final BrokerLink link;
    private final BrokerSettings settings;
    private final Outbox outbox;

    JobIntake(BrokerLink link, BrokerSettings settings, Outbox outbox) {
        this.link = link;
        this.settings = settings;
        this.outbox = outbox;
    }

    /** Waits for a job; null as soon as the caller gives up. Outages are waited out. */
    Delivery take(BooleanSupplier givesUp) throws InterruptedException {
        while (!givesUp.getAsBoolean()) {
            Session session = link.await(STEP);
            if (session == null || !outbox.awaitConfirmed(STEP, () -> false)) {
                continue;
            }
            if (session.isBlocked()) {
                session.awaitEnd(STEP.toMillis());
                continue;
            }
            try {
                Delivery delivery = get(session);
                return delivery != null ? delivery : consume(session, givesUp);
            } catch (IOException | ShutdownSignalException e) {
                session.fail(e);
            }
        }
        return null;
    }

    private Delivery get(Session session) throws IOException {
        for (String pool : settings.pools()) {
            GetResponse response = session.jobs().basicGet(settings.queue(pool), false);
            if (response != null) {
                Envelope envelope = response.getEnvelope();
                return new AmqpDelivery(session.jobs(), envelope.getDeliveryTag(), pool, response.getBody());
            }
        }
        return null;
    }

    private Delivery consume(Session session, BooleanSupplier givesUp) throws IOException, InterruptedException {
        BlockingQueue<Delivery> arrived = new LinkedBlockingQueue<>();
        List<OneJob> consumers = new ArrayList<>();
        for (String pool : settings.pools()) {
            OneJob consumer = new OneJob(session, pool, arrived);
            session.jobs().basicConsume(settings.queue(pool), false, consumer);
            consumers.add(consumer);
        }
        Delivery first = null;
        while (first == null && !givesUp.getAsBoolean()) {
            first = arrived.poll(STEP.toMillis(), TimeUnit.MILLISECONDS);
            if (first == null && !session.isOpen()) {
                throw new IOException("the connection is cut");
            }
        }
        for (OneJob consumer : consumers) {
            consumer.cancel();
        }
        // Nothing can arrive any more: cancelled consumers have seen all that was on its way.
        for (Delivery extra = arrived.poll(); extra != null; extra = arrived.poll()) {
            if (first == null && !givesUp.getAsBoolean()) {
                first = extra;
            } else {
                extra.giveBack();
            }
        }
        return first;
    }

    private static final class OneJob extends DefaultConsumer {

        private final Session session;
        private final String pool;
        private final BlockingQueue<Delivery> arrived;
        private final CountDownLatch cancelled = new CountDownLatch(1);

        OneJob(Session session, String pool, BlockingQueue<Delivery> arrived) {
            super(session.jobs());
            this.session = session;
            this.pool = pool;
            this.arrived = arrived;
        }

        @Override
        public void handleDelivery(String tag, Envelope envelope, AMQP.BasicProperties properties, byte[] body) {
            Channel channel = getChannel();
            arrived.add(new AmqpDelivery(channel, envelope.getDeliveryTag(), pool, body));
        }

        @Override
        public void handleCancelOk(String tag) {
            cancelled.countDown();
        }

        @Override
        public void handleCancel(String tag) {
            cancelled.countDown();
            session.fail(new IOException("the broker removed the queue of pool " + pool));
        }

        void cancel() throws IOException, InterruptedException {
            getChannel().basicCancel(getConsumerTag());
            if (!cancelled.await(CANCEL_SECONDS, TimeUnit.SECONDS)) {
                throw new IOException("the broker does not answer the cancel of a consumer");
            }
        }
    }
}
