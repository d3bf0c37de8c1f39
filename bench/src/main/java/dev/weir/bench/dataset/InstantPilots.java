package dev.weir.bench.dataset;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.MessageProperties;
import dev.weir.protocol.Job;
import dev.weir.protocol.Json;
import dev.weir.protocol.Report;
import dev.weir.protocol.Result;
import dev.weir.protocol.Status;
import dev.weir.testing.site.Site;
import java.io.IOException;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

/** Pilots whose jobs take no time: each job is answered with starting and finished, with an output and a log, by one of many ids. */
final class InstantPilots implements AutoCloseable {

    private static final int CHANNELS = 4;
    private static final int PILOTS_OF_A_CHANNEL = 50;
    private static final int PREFETCH = 250;
    private static final String CHECKSUM = "sha256:" + "0123456789abcdef".repeat(4);

    private final Connection connection;
    private final String reports;
    private final AtomicLong jobs = new AtomicLong();
    private final AtomicLong lastNanos = new AtomicLong();
    private final AtomicLong longestGapNanos = new AtomicLong();

    InstantPilots(Site site) throws IOException {
        connection = site.broker().connect();
        reports = site.queue("reports");
        for (int i = 0; i < CHANNELS; i++) {
            Channel channel = connection.createChannel();
            channel.basicQos(PREFETCH);
            channel.basicConsume(site.jobsQueue("cpu"), false, new Answers(channel, i * PILOTS_OF_A_CHANNEL));
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

    private void count() {
        long now = System.nanoTime();
        long before = lastNanos.getAndSet(now);
        if (jobs.incrementAndGet() > 1) {
            longestGapNanos.accumulateAndGet(now - before, Math::max);
        }
    }

    /** The broker takes what one channel sends in its order, so a job is acknowledged after its reports are there. */
    private final class Answers extends DefaultConsumer {

        private final int firstPilot;
        private int next;

        Answers(Channel channel, int firstPilot) {
            super(channel);
            this.firstPilot = firstPilot;
        }

        @Override
        public void handleDelivery(String tag, Envelope envelope, AMQP.BasicProperties properties, byte[] body)
                throws IOException {
            count();
            Job job = Json.read(body, Job.class);
            next = (next + 1) % PILOTS_OF_A_CHANNEL;
            String pilot = "instant-" + (firstPilot + next);
            Instant now = Instant.now();
            send(new Status(pilot, "cpu", now, job.uid(), job.attempt(), job.route(), Status.Phase.STARTING));
            send(new Result(
                    pilot,
                    "cpu",
                    now,
                    job.uid(),
                    job.attempt(),
                    job.route(),
                    Result.Outcome.FINISHED,
                    0,
                    null,
                    null,
                    job.fileOutUrl(),
                    1L,
                    CHECKSUM,
                    job.fileLogUrl(),
                    1L,
                    CHECKSUM,
                    now,
                    now));
            getChannel().basicAck(envelope.getDeliveryTag(), false);
        }

        private void send(Report report) throws IOException {
            getChannel().basicPublish("", reports, MessageProperties.PERSISTENT_BASIC, Json.write(report));
        }
    }

    @Override
    public void close() throws IOException {
        connection.close();
    }
}
