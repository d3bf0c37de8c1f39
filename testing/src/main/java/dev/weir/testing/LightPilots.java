package dev.weir.testing;

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
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Pilots without programs that follow the protocol page: take a job, report that, acknowledge, pretend to run it, report the result.
 * Each is a thread with a connection of its own.
 */
public final class LightPilots implements AutoCloseable {

    private static final long POLL_NANOS = Duration.ofMillis(2).toNanos();
    private static final long RECONNECT_NANOS = Duration.ofMillis(200).toNanos();
    private static final int CONFIRM_MILLIS = 10_000;
    private static final int ABORT_MILLIS = 1_000;

    private final ScratchBroker broker;
    private final String pool;
    private final String queue;
    private final String reports;
    private final long runNanos;
    private final Predicate<Job> succeeds;
    private final Consumer<byte[]> sent;
    private final boolean outlivesOutages;
    private final ExecutorService threads;
    private final AtomicInteger ran = new AtomicInteger();
    private final ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private volatile boolean stopped;

    /**
     * Starts them; their ids are {@code pilot-POOL-0} and so on.
     *
     * @param queue of the pool's jobs
     * @param reports the queue of reports
     * @param outlivesOutages whether they connect again when the broker goes away, and go on with what they had; otherwise {@link #close}
     *     fails
     * @param succeeds called when a job has run, maybe by many threads at once; whether it succeeded
     */
    public LightPilots(
            ScratchBroker broker,
            String pool,
            String queue,
            String reports,
            int count,
            Duration runTime,
            boolean outlivesOutages,
            Predicate<Job> succeeds) {
        this(broker, pool, queue, reports, count, runTime, outlivesOutages, succeeds, report -> {});
    }

    /** The same; {@code sent} is called with each report that the broker has confirmed, maybe by many threads at once. */
    public LightPilots(
            ScratchBroker broker,
            String pool,
            String queue,
            String reports,
            int count,
            Duration runTime,
            boolean outlivesOutages,
            Predicate<Job> succeeds,
            Consumer<byte[]> sent) {
        this.broker = broker;
        this.pool = pool;
        this.queue = queue;
        this.reports = reports;
        this.runNanos = runTime.toNanos();
        this.outlivesOutages = outlivesOutages;
        this.succeeds = succeeds;
        this.sent = sent;
        this.threads = Executors.newFixedThreadPool(count);
        for (int i = 0; i < count; i++) {
            One pilot = new One("pilot-" + pool + "-" + i);
            threads.execute(pilot::live);
        }
    }

    /** Attempts that ran so far. */
    public int ran() {
        return ran.get();
    }

    private final class One {

        private final String id;
        /** Reports that the broker has not confirmed, in their order. */
        private final Deque<Report> unsent = new ArrayDeque<>();

        private Job job;
        private Instant startedAt;

        One(String id) {
            this.id = id;
        }

        void live() {
            while (!stopped) {
                Connection connection = null;
                try {
                    connection = broker.connect();
                    work(connection);
                } catch (IOException | InterruptedException | TimeoutException | RuntimeException e) {
                    if (stopped) {
                        return;
                    }
                    if (!outlivesOutages) {
                        failures.add(e);
                        return;
                    }
                    LockSupport.parkNanos(RECONNECT_NANOS);
                } finally {
                    if (connection != null) {
                        connection.abort(ABORT_MILLIS);
                    }
                }
            }
        }

        private void work(Connection connection) throws IOException, InterruptedException, TimeoutException {
            Channel channel = connection.createChannel();
            channel.confirmSelect();
            while (!stopped) {
                tell(channel);
                if (job == null) {
                    take(channel);
                } else {
                    LockSupport.parkNanos(runNanos);
                    unsent.add(result(succeeds.test(job)));
                    ran.incrementAndGet();
                    job = null;
                }
            }
            tell(channel);
        }

        private void take(Channel channel) throws IOException, InterruptedException, TimeoutException {
            GetResponse next = channel.basicGet(queue, false);
            if (next == null) {
                LockSupport.parkNanos(POLL_NANOS);
                return;
            }
            job = Json.read(next.getBody(), Job.class);
            startedAt = Instant.now();
            unsent.add(new Status(id, pool, startedAt, job.uid(), job.attempt(), job.route(), Status.Phase.STARTING));
            tell(channel);
            channel.basicAck(next.getEnvelope().getDeliveryTag(), false);
        }

        private void tell(Channel channel) throws IOException, InterruptedException, TimeoutException {
            while (!unsent.isEmpty()) {
                byte[] body = Json.write(unsent.peek());
                channel.basicPublish("", reports, MessageProperties.PERSISTENT_BASIC, body);
                channel.waitForConfirmsOrDie(CONFIRM_MILLIS);
                unsent.remove();
                sent.accept(body);
            }
        }

        private Result result(boolean good) {
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
                    startedAt,
                    now);
        }
    }

    /** Ends them; fails if one failed, or does not end within 30 s. */
    @Override
    public void close() throws InterruptedException {
        stopped = true;
        threads.shutdown();
        boolean ended = threads.awaitTermination(30, TimeUnit.SECONDS);
        threads.shutdownNow();
        if (!failures.isEmpty() || !ended) {
            throw new AssertionError("a pilot failed, or did not end", failures.peek());
        }
    }
}
