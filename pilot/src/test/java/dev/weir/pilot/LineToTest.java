package dev.weir.pilot;

import dev.weir.pilot.run.TestJobs;
import dev.weir.pilot.uplink.Delivery;
import dev.weir.pilot.uplink.Outbox;
import dev.weir.pilot.uplink.Uplink;
import dev.weir.pilot.uplink.UplinkSettings;
import dev.weir.protocol.Device;
import dev.weir.protocol.Job;
import dev.weir.protocol.Json;
import dev.weir.protocol.Notice;
import dev.weir.protocol.Report;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Instead of a broker: gives a pilot the jobs that wait, and leaves its reports in its outbox for a test to look at. */
final class LineToTest implements UplinkSettings, Uplink {

    private static final Duration STEP = Duration.ofMillis(10);

    private final BlockingQueue<Delivery> deliveries = new LinkedBlockingQueue<>();
    private volatile Outbox outbox;

    void give(Job job) {
        deliveries.add(new Given(Json.write(job)));
    }

    /** What is to be sent now; waits for the first. */
    List<Report> reports(Duration wait) throws InterruptedException {
        return reports(outbox, wait);
    }

    static List<Report> reports(Outbox outbox, Duration wait) throws InterruptedException {
        List<Report> reports = new ArrayList<>();
        for (Outbox.Entry entry : outbox.next(Integer.MAX_VALUE, Integer.MAX_VALUE, wait)) {
            reports.add(Json.read(entry.body(), Report.class));
        }
        return reports;
    }

    /** Of a pilot with many heartbeats. */
    PilotSettings settings(String id, TestJobs jobs, Path work) {
        return new PilotSettings(
                id,
                Device.CPU,
                work,
                List.of(jobs.data()),
                List.of(),
                Duration.ofMillis(20),
                Duration.ZERO,
                0,
                Duration.ZERO,
                this,
                jobs.settings());
    }

    @Override
    public List<String> pools() {
        return List.of("cpu");
    }

    @Override
    public String address() {
        return "test";
    }

    @Override
    public Uplink uplink(String pilotId, Consumer<Notice> notices) {
        return this;
    }

    @Override
    public void start(Outbox of) {
        outbox = of;
    }

    @Override
    public Delivery take(BooleanSupplier givesUp) throws InterruptedException {
        Delivery delivery = null;
        while (delivery == null && !givesUp.getAsBoolean()) {
            delivery = deliveries.poll(STEP.toMillis(), TimeUnit.MILLISECONDS);
        }
        return delivery;
    }

    @Override
    public boolean isConnected() {
        return false;
    }

    @Override
    public String gaveUp() {
        return null;
    }

    @Override
    public void close() {}

    private record Given(byte[] body) implements Delivery {

        @Override
        public String pool() {
            return "cpu";
        }

        @Override
        public void acknowledge() {}

        @Override
        public void reject() {}

        @Override
        public void giveBack() {}
    }
}
