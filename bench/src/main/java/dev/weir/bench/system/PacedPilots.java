package dev.weir.bench.system;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.Delivery;
import dev.weir.protocol.Job;
import dev.weir.protocol.Json;
import dev.weir.testing.site.Site;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** Pilots that end so many jobs a second, whatever Weir takes for the next ones. For one thread. */
final class PacedPilots implements AutoCloseable {

    private static final int PILOTS = 200;
    private static final int PATIENCE_SECONDS = 60;
    private static final long MOST_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final Connection connection;
    private final Channel channel;
    private final Reports reports;
    private final BlockingQueue<Delivery> held = new LinkedBlockingQueue<>();
    private int pilot;

    /** Since when each job that ends is due to end; null while times are not measured. */
    private volatile AtomicLongArray due;

    private volatile int first;
    private volatile int arrived;
    private final Histogram times = new ConcurrentHistogram(MOST_NANOS, 3);

    PacedPilots(Site site) throws IOException {
        connection = site.broker().connect();
        channel = connection.createChannel();
        reports = new Reports(site.queue("reports"), Reports.Told.FULLY);
        // What is here and has not ended is no more than Weir has out: its window.
        connection
                .createChannel()
                .basicConsume(
                        site.jobsQueue("cpu"),
                        true,
                        (tag, job) -> {
                            arrived(System.nanoTime());
                            held.add(job);
                        },
                        tag -> {});
    }

    /** The n-th job that comes after the first ones takes the place of the n-th that has ended. */
    private void arrived(long now) {
        AtomicLongArray ended = due;
        int place = arrived - first;
        arrived = arrived + 1;
        if (ended != null && place >= 0 && place < ended.length() && ended.get(place) != 0) {
            times.recordValue(Math.min(MOST_NANOS, Math.max(0, now - ended.get(place))));
        }
    }

    /** How many jobs are here that have not ended. */
    int held() {
        return held.size();
    }

    /** Ends jobs at this rate for a time. Returns how many; they are fewer when Weir does not send enough. */
    long run(int perSecond, Duration time) throws IOException, InterruptedException {
        long step = TimeUnit.SECONDS.toNanos(1) / perSecond;
        long begin = System.nanoTime();
        long count = 0;
        for (long next = begin; next - begin < time.toNanos(); next += step) {
            while (next - System.nanoTime() > 0) {
                LockSupport.parkNanos(next - System.nanoTime());
            }
            Delivery job = held.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
            if (job == null) {
                throw new IOException("Weir has sent no job for " + PATIENCE_SECONDS + " s");
            }
            AtomicLongArray ends = due;
            if (ends != null) {
                ends.set((int) count, next);
            }
            count++;
            pilot = (pilot + 1) % PILOTS;
            reports.send(channel, "paced-" + pilot, Json.read(job.getBody(), Job.class));
        }
        return count;
    }

    /**
     * From when a job is due to end at this rate until the next one is here, in nanoseconds.
     * All jobs that Weir has out must be here.
     */
    Histogram untilNextJob(int perSecond, Duration time) throws IOException, InterruptedException {
        first = arrived;
        due = new AtomicLongArray((int) (time.toSeconds() + 1) * perSecond);
        run(perSecond, time);
        due = null;
        return times;
    }

    @Override
    public void close() throws IOException {
        connection.close();
    }
}
