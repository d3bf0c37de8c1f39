package dev.weir.pilot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.pilot.run.TestJobs;
import dev.weir.pilot.run.Watchdog;
import dev.weir.pilot.uplink.Delivery;
import dev.weir.pilot.uplink.Outbox;
import dev.weir.pilot.uplink.Uplink;
import dev.weir.pilot.uplink.UplinkSettings;
import dev.weir.protocol.Device;
import dev.weir.protocol.Heartbeat;
import dev.weir.protocol.Json;
import dev.weir.protocol.Notice;
import dev.weir.protocol.PilotState;
import dev.weir.protocol.Report;
import dev.weir.protocol.Result;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a pilot does with its disk outside of an attempt's own steps, on a disk that does not answer. */
class HangingPilotTest {

    private static final Duration SOON = Duration.ofSeconds(30);
    private static final Duration STEP = Duration.ofMillis(10);

    @TempDir
    Path temp;

    private final AtomicLong nanos = new AtomicLong();
    private final AtomicInteger silentLooks = new AtomicInteger();
    private final CountDownLatch hangs = new CountDownLatch(1);
    private final CountDownLatch goesOn = new CountDownLatch(1);
    private final BlockingQueue<Delivery> deliveries = new LinkedBlockingQueue<>();
    private TestJobs jobs;
    private Outbox outbox;
    private Pilot pilot;
    private CompletableFuture<Void> running;

    @BeforeEach
    void prepare() throws IOException {
        jobs = new TestJobs(temp);
    }

    @AfterEach
    void close() {
        goesOn.countDown();
        pilot.close();
        running.join();
    }

    @Test
    void aPilotIsBusyUntilTheResultIsKeptAndSilentWhenThatHangs() throws Exception {
        jobs.program("quick", "echo done");
        deliveries.add(new Given(Json.write(jobs.job("j1", "quick", ""))));
        startAndHangIn("the keeping of the result");
        assertThat(reports(Duration.ZERO)).noneMatch(Result.class::isInstance);
        Heartbeat busy = (Heartbeat) reports(SOON).get(0);
        assertThat(busy.state()).isEqualTo(PilotState.BUSY);
        assertThat(busy.jobUid()).isEqualTo("j1");

        fallSilent();
        goesOn.countDown();

        assertThat(reports(SOON).get(0)).isInstanceOf(Result.class);
        assertThat(((Heartbeat) reports(SOON).get(0)).state()).isEqualTo(PilotState.IDLE);
    }

    @Test
    void anIdlePilotIsSilentWhenTheLookForItsDrainFileHangs() throws Exception {
        startAndHangIn("the look for the drain file");
        assertThat(((Heartbeat) reports(SOON).get(0)).state()).isEqualTo(PilotState.IDLE);

        fallSilent();
        goesOn.countDown();

        assertThat(((Heartbeat) reports(SOON).get(0)).state()).isEqualTo(PilotState.IDLE);
    }

    /** In that step the pilot's thread stands still, as on a disk that does not answer. */
    private void startAndHangIn(String hangingStep) throws IOException, InterruptedException {
        Watchdog watchdog = new Watchdog(nanos::get) {
            @Override
            public void begin(String name, Duration limit) {
                super.begin(name, limit);
                if (name.equals(hangingStep)) {
                    hangs.countDown();
                    awaitEnd();
                }
            }

            @Override
            public String hanging() {
                String hanging = super.hanging();
                if (hanging != null) {
                    silentLooks.incrementAndGet();
                }
                return hanging;
            }
        };
        pilot = new Pilot(settings(), watchdog);
        running = CompletableFuture.runAsync(
                () -> {
                    try {
                        pilot.run();
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                },
                work -> new Thread(work, "test-pilot").start());
        assertThat(hangs.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }

    private void awaitEnd() {
        try {
            goesOn.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Time passes; after the first look that finds it hanging nothing is under way. */
    private void fallSilent() throws InterruptedException {
        nanos.addAndGet(Watchdog.SLACK.plusSeconds(1).toNanos());
        await().atMost(SOON).until(() -> silentLooks.get() > 0);
        reports(Duration.ZERO);
        int looks = silentLooks.get();
        await().atMost(SOON).until(() -> silentLooks.get() > looks + 2);
        assertThat(reports(Duration.ZERO)).isEmpty();
    }

    private List<Report> reports(Duration wait) throws InterruptedException {
        List<Report> reports = new ArrayList<>();
        for (Outbox.Entry entry : outbox.next(Integer.MAX_VALUE, Integer.MAX_VALUE, wait)) {
            reports.add(Json.read(entry.body(), Report.class));
        }
        return reports;
    }

    private PilotSettings settings() {
        return new PilotSettings(
                "p1",
                Device.CPU,
                jobs.work(),
                List.of(jobs.data()),
                List.of(),
                Duration.ofMillis(20),
                Duration.ZERO,
                0,
                Duration.ZERO,
                new Line(),
                jobs.settings());
    }

    /** To this test, with the jobs that wait. */
    private final class Line implements UplinkSettings, Uplink {

        @Override
        public List<String> pools() {
            return List.of("cpu");
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
    }

    private record Given(byte[] body) implements Delivery {

        @Override
        public String pool() {
            return "cpu";
        }

        @Override
        public boolean isRedelivered() {
            return false;
        }

        @Override
        public void acknowledge() {}

        @Override
        public void reject() {}

        @Override
        public void giveBack() {}
    }
}
