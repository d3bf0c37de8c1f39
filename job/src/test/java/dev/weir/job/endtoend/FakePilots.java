package dev.weir.job.endtoend;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.GetResponse;
import com.rabbitmq.client.MessageProperties;
import dev.weir.protocol.ErrorType;
import dev.weir.protocol.Job;
import dev.weir.protocol.Json;
import dev.weir.protocol.Report;
import dev.weir.protocol.Result;
import dev.weir.protocol.Status;
import dev.weir.testing.ScratchBroker;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/** Pilots that follow the protocol page: take a job, report that, acknowledge, pretend to run it, report the result. */
final class FakePilots implements AutoCloseable {

    private static final long POLL_NANOS = Duration.ofMillis(2).toNanos();

    private final ScratchBroker broker;
    private final String pool;
    private final String queue;
    private final String reports;
    private final Predicate<Job> succeeds;
    private final long runNanos;
    private final ExecutorService threads;
    private final List<Job> run = new ArrayList<>();
    private final ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private volatile boolean stopped;

    FakePilots(Deployment deployment, String pool, int count, Duration runTime, Predicate<Job> succeeds) {
        this.broker = deployment.broker();
        this.pool = pool;
        this.queue = deployment.jobsQueue(pool);
        this.reports = deployment.reportsQueue();
        this.succeeds = succeeds;
        this.runNanos = runTime.toNanos();
        this.threads = Executors.newFixedThreadPool(count);
        for (int i = 0; i < count; i++) {
            String id = "pilot-" + pool + "-" + i;
            threads.execute(() -> work(id));
        }
    }

    /** Every attempt that really ran, in the order in which they ended. */
    List<Job> run() {
        synchronized (run) {
            return List.copyOf(run);
        }
    }

    private void work(String id) {
        try (Connection connection = broker.connect()) {
            Channel channel = connection.createChannel();
            channel.confirmSelect();
            while (!stopped) {
                GetResponse next = channel.basicGet(queue, false);
                if (next == null) {
                    LockSupport.parkNanos(POLL_NANOS);
                    continue;
                }
                Job job = Json.read(next.getBody(), Job.class);
                tell(
                        channel,
                        new Status(
                                id, pool, Instant.now(), job.uid(), job.attempt(), job.route(), Status.Phase.STARTING));
                channel.basicAck(next.getEnvelope().getDeliveryTag(), false);
                LockSupport.parkNanos(runNanos);
                Result result = result(id, job);
                synchronized (run) {
                    run.add(job);
                }
                tell(channel, result);
            }
        } catch (IOException | InterruptedException | TimeoutException | RuntimeException e) {
            if (!stopped) {
                failures.add(e);
            }
        }
    }

    private void tell(Channel channel, Report report) throws IOException, InterruptedException, TimeoutException {
        channel.basicPublish("", reports, MessageProperties.PERSISTENT_BASIC, Json.write(report));
        channel.waitForConfirmsOrDie(10_000);
    }

    private Result result(String id, Job job) {
        boolean good = succeeds.test(job);
        Instant now = Instant.now();
        return new Result(
                id,
                pool,
                now,
                job.uid(),
                job.attempt(),
                job.route(),
                good ? Result.Outcome.FINISHED : Result.Outcome.FAILED,
                good ? 0 : 1,
                good ? null : ErrorType.EXIT,
                good ? null : "the program did not like " + job.fileInUrl(),
                good ? job.fileOutUrl() : null,
                good ? 5L : null,
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
        if (!threads.awaitTermination(10, TimeUnit.SECONDS)) {
            threads.shutdownNow();
        }
        if (!failures.isEmpty()) {
            throw new AssertionError("a pilot failed", failures.peek());
        }
    }
}
