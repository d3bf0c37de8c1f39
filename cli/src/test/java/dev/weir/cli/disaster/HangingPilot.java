package dev.weir.cli.disaster;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.GetResponse;
import com.rabbitmq.client.MessageProperties;
import dev.weir.protocol.Device;
import dev.weir.protocol.Heartbeat;
import dev.weir.protocol.Job;
import dev.weir.protocol.Json;
import dev.weir.protocol.Notice;
import dev.weir.protocol.Report;
import dev.weir.protocol.Status;
import dev.weir.testing.site.Site;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** A pilot that takes one job, never reports its result, obeys no notice, and is heard all the time. */
final class HangingPilot implements AutoCloseable {

    private static final long BEAT_MILLIS = 300;

    private final String id;
    private final String pool;
    private final String reports;
    private final Connection connection;
    private final Channel channel;
    private final List<Notice> notices = new CopyOnWriteArrayList<>();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final String jobs;
    private volatile Job job;

    HangingPilot(Site site, String id, String pool) throws IOException {
        this.id = id;
        this.pool = pool;
        reports = site.queue("reports");
        jobs = site.jobsQueue(pool);
        connection = site.broker().connect();
        channel = connection.createChannel();
        String own = channel.queueDeclare().getQueue();
        channel.queueBind(own, site.setting("weir.amqp.exchange.notices"), id);
        connection
                .createChannel()
                .basicConsume(
                        own,
                        true,
                        (tag, message) -> notices.add(Json.read(message.getBody(), Notice.class)),
                        tag -> {});
        var unused = timer.scheduleWithFixedDelay(this::beat, 0, BEAT_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** The job that it holds; null before it has one. */
    Job job() {
        return job;
    }

    /** What it was told to do about its job. */
    List<Notice.Kind> told() {
        return notices.stream()
                .map(Notice::type)
                .filter(Notice.Kind::isAboutAttempt)
                .toList();
    }

    private void beat() {
        try {
            if (job == null) {
                take();
            }
            Job now = job;
            send(new Heartbeat(
                    id,
                    pool,
                    null,
                    Instant.now(),
                    Device.CPU_GPU,
                    null,
                    null,
                    now == null ? null : now.uid(),
                    now == null ? null : now.attempt(),
                    now == null ? null : now.route()));
        } catch (IOException | RuntimeException e) {
            throw new IllegalStateException("the hanging pilot cannot send", e);
        }
    }

    private void take() throws IOException {
        GetResponse next = channel.basicGet(jobs, false);
        if (next != null) {
            Job taken = Json.read(next.getBody(), Job.class);
            send(new Status(
                    id, pool, Instant.now(), taken.uid(), taken.attempt(), taken.route(), Status.Phase.STARTING));
            channel.basicAck(next.getEnvelope().getDeliveryTag(), false);
            job = taken;
        }
    }

    private void send(Report report) throws IOException {
        channel.basicPublish("", reports, MessageProperties.PERSISTENT_BASIC, Json.write(report));
    }

    @Override
    public void close() throws IOException {
        timer.shutdownNow();
        connection.close();
    }
}
