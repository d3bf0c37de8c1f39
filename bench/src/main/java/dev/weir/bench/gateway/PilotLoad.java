package dev.weir.bench.gateway;

import com.rabbitmq.client.MessageProperties;
import dev.weir.gateway.access.Role;
import dev.weir.protocol.DeviceType;
import dev.weir.protocol.Job;
import dev.weir.protocol.Json;
import dev.weir.protocol.Mode;
import dev.weir.testing.ScratchDatabase;
import java.io.IOException;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/** Pilots that use a gateway by HTTP until this is closed, and the jobs for them. For one thread. */
final class PilotLoad implements AutoCloseable {

    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "bench-pilots");
        thread.setDaemon(true);
        return thread;
    });
    private final Latencies pops = new Latencies();
    private final Latencies reports = new Latencies();
    private final LongAdder failed = new LongAdder();
    private final List<HttpPilot> pilots = new ArrayList<>();
    private final BenchGateway gateway;
    private long number;

    /**
     * @param database with Weir's tables
     * @param job how long each pilot has a job
     */
    PilotLoad(ScratchDatabase database, int count, Duration job) throws IOException {
        gateway = new BenchGateway(database);
        String token = gateway.token(Role.PILOT);
        HttpClient client = HttpClient.newHttpClient();
        for (int i = 0; i < count; i++) {
            HttpPilot pilot =
                    new HttpPilot("bench-" + i, gateway.url(), token, client, clock, job, pops, reports, failed);
            pilots.add(pilot);
            pilot.start();
        }
    }

    /** Sends jobs at this rate for this time. */
    void run(int perSecond, Duration time) throws IOException {
        long step = TimeUnit.SECONDS.toNanos(1) / perSecond;
        long next = System.nanoTime();
        long until = next + time.toNanos();
        while (next - until < 0) {
            LockSupport.parkNanos(next - System.nanoTime());
            if (next - System.nanoTime() <= 0) {
                gateway.channel()
                        .basicPublish("", gateway.queue(), MessageProperties.PERSISTENT_BASIC, Json.write(job()));
                next += step;
            }
        }
    }

    /** Says in its arguments when it was sent. */
    private Job job() {
        String uid = "t." + number++ + ".0";
        return new Job(
                uid,
                "x",
                Long.toString(System.nanoTime()),
                1,
                DeviceType.CPU,
                Mode.MAP,
                "t",
                null,
                "file:///data/in",
                List.of(),
                List.of(),
                null,
                null,
                "file:///data/" + uid + ".out",
                "file:///data/" + uid + ".log",
                1,
                "0/" + number + "/t",
                60,
                60);
    }

    void forget() {
        pops.clear();
        reports.clear();
        failed.reset();
    }

    /** Requests that were not answered with 200. */
    long failed() {
        return failed.sum();
    }

    /** From the later of the request and the job to the answer. */
    Latencies pops() {
        return pops;
    }

    Latencies reports() {
        return reports;
    }

    @Override
    public void close() throws Exception {
        pilots.forEach(HttpPilot::stop);
        clock.shutdownNow();
        gateway.close();
    }
}
