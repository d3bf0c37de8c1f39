package dev.weir.bench.system;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import dev.weir.protocol.Job;
import dev.weir.protocol.Json;
import dev.weir.testing.site.Site;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** Pilots whose jobs take no time: each job is answered at once, by one of many ids. */
final class InstantPilots implements AutoCloseable {

    private static final int CHANNELS = 4;
    private static final int PILOTS_OF_A_CHANNEL = 50;
    private static final int PREFETCH = 250;
    /** At once, as perf-test does with 200. */
    private static final int ACKNOWLEDGED = 50;

    private final Consumer<Job> each;
    private final Connection connection;
    private final List<Answers> channels = new ArrayList<>();
    private final Reports reports;
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong jobs = new AtomicLong();
    private final AtomicLong lastNanos = new AtomicLong();
    private final AtomicLong longestGapNanos = new AtomicLong();

    InstantPilots(Site site, Reports.Told told) throws IOException {
        this(site, told, job -> {});
    }

    /** @param each gets all jobs, from several threads */
    InstantPilots(Site site, Reports.Told told, Consumer<Job> each) throws IOException {
        this.each = each;
        connection = site.broker().connect();
        reports = new Reports(site.queue("reports"), told);
        for (int i = 0; i < CHANNELS; i++) {
            Channel channel = connection.createChannel();
            channel.basicQos(PREFETCH);
            channels.add(new Answers(channel, i * PILOTS_OF_A_CHANNEL));
            channel.basicConsume(site.jobsQueue("cpu"), false, channels.get(i));
        }
    }

    /** Jobs that were answered so far; a repeated one counts again. */
    long jobs() {
        return jobs.get();
    }

    /** The longest time from one job to the next. */
    double longestGapSeconds() {
        return longestGapNanos.get() / 1e9;
    }

    /** Of the messages of a job that is told in full, without registrations. */
    int averageBytes() {
        return (int) ((bytes.get() + reports.bytes()) / Math.max(1, jobs.get() * (1 + Reports.OF_A_JOB)));
    }

    private void count() {
        long now = System.nanoTime();
        long before = lastNanos.getAndSet(now);
        if (jobs.incrementAndGet() > 1) {
            longestGapNanos.accumulateAndGet(now - before, Math::max);
        }
    }

    /** The broker takes what one channel sends in its order, so jobs are acknowledged after their reports are there. */
    private final class Answers extends DefaultConsumer {

        private final int firstPilot;
        private int next;
        private long lastTag;
        private int unacknowledged;
        private boolean ended;

        Answers(Channel channel, int firstPilot) {
            super(channel);
            this.firstPilot = firstPilot;
        }

        @Override
        public synchronized void handleDelivery(
                String tag, Envelope envelope, AMQP.BasicProperties properties, byte[] body) throws IOException {
            if (ended) {
                return;
            }
            count();
            bytes.addAndGet(body.length);
            Job job = Json.read(body, Job.class);
            each.accept(job);
            next = (next + 1) % PILOTS_OF_A_CHANNEL;
            String pilot = "instant-" + (firstPilot + next);
            reports.send(getChannel(), pilot, job);
            lastTag = envelope.getDeliveryTag();
            unacknowledged++;
            if (unacknowledged == ACKNOWLEDGED) {
                acknowledge();
            }
        }

        private void acknowledge() throws IOException {
            if (unacknowledged > 0) {
                getChannel().basicAck(lastTag, true);
                unacknowledged = 0;
            }
        }

        /** What has come and is not answered goes back to the queue with the connection. */
        synchronized void end() throws IOException {
            ended = true;
            acknowledge();
        }
    }

    @Override
    public void close() throws IOException {
        for (Answers each : channels) {
            each.end();
        }
        connection.close();
    }
}
