package dev.weir.cli;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.GetResponse;
import com.rabbitmq.client.MessageProperties;
import dev.weir.protocol.Job;
import dev.weir.protocol.Json;
import dev.weir.protocol.Report;
import dev.weir.protocol.Result;
import dev.weir.protocol.Status;
import dev.weir.testing.ScratchBroker;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** Pilots without programs, which take a moment for each job. */
final class SessionPilots implements AutoCloseable {

    private static final long MOMENT = Duration.ofMillis(10).toNanos();

    private final ScratchBroker broker;
    private final ExecutorService threads;
    private final AtomicInteger ran = new AtomicInteger();
    private volatile boolean stopped;
    private volatile Exception failure;

    SessionPilots(ScratchBroker broker, int count) {
        this.broker = broker;
        this.threads = Executors.newFixedThreadPool(count);
        for (int i = 0; i < count; i++) {
            String id = "pilot-" + i;
            threads.execute(() -> work(id));
        }
    }

    int ran() {
        return ran.get();
    }

    private void work(String id) {
        try (Connection connection = broker.connect();
                Channel channel = connection.createChannel()) {
            channel.confirmSelect();
            while (!stopped) {
                GetResponse next = channel.basicGet(broker.name("jobs.cpu"), false);
                LockSupport.parkNanos(MOMENT);
                if (next == null) {
                    continue;
                }
                Job job = Json.read(next.getBody(), Job.class);
                Instant now = Instant.now();
                tell(channel, new Status(id, "cpu", now, job.uid(), job.attempt(), job.route(), Status.Phase.STARTING));
                channel.basicAck(next.getEnvelope().getDeliveryTag(), false);
                tell(channel, finished(id, job, now));
                ran.incrementAndGet();
            }
        } catch (Exception e) {
            failure = e;
        }
    }

    private void tell(Channel channel, Report report) throws Exception {
        channel.basicPublish("", broker.name("weir.reports"), MessageProperties.PERSISTENT_BASIC, Json.write(report));
        channel.waitForConfirmsOrDie(30_000);
    }

    private static Result finished(String id, Job job, Instant now) {
        return new Result(
                id,
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
                5L,
                null,
                job.fileLogUrl(),
                3L,
                null,
                now,
                now);
    }

    @Override
    public void close() throws InterruptedException {
        stopped = true;
        threads.shutdown();
        boolean ended = threads.awaitTermination(30, TimeUnit.SECONDS);
        if (failure != null || !ended) {
            throw new AssertionError("a pilot failed", failure);
        }
    }
}
