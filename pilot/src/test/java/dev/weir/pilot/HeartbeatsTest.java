package dev.weir.pilot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.pilot.broker.BrokerSettings;
import dev.weir.pilot.run.RunSettings;
import dev.weir.pilot.run.TestJobs;
import dev.weir.protocol.Device;
import dev.weir.protocol.Heartbeat;
import dev.weir.protocol.Job;
import dev.weir.protocol.PilotState;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HeartbeatsTest {

    private static final Duration INTERVAL = Duration.ofMillis(20);

    @TempDir
    Path temp;

    private final List<Heartbeat> beats = new CopyOnWriteArrayList<>();
    private final AtomicReference<String> hanging = new AtomicReference<>();
    private final AtomicBoolean failing = new AtomicBoolean();
    private final AtomicInteger asked = new AtomicInteger();
    private Heartbeats heartbeats;
    private Job job;

    @BeforeEach
    void prepare() throws IOException {
        job = new TestJobs(temp).job("j1", "program", "");
        PilotSettings settings = new PilotSettings(
                "p1",
                Device.CPU,
                temp,
                List.of(),
                List.of(),
                INTERVAL,
                Duration.ZERO,
                0,
                Duration.ZERO,
                BrokerSettings.of(BrokerSettings.LOCAL_URL, List.of("cpu")),
                RunSettings.of(List.of()));
        heartbeats = new Heartbeats(settings, beats::add, () -> false, () -> {
            asked.incrementAndGet();
            if (failing.get()) {
                throw new IllegalStateException("the test wants it");
            }
            return hanging.get();
        });
    }

    @AfterEach
    void close() {
        heartbeats.close();
    }

    @Test
    void aPilotWhoseAttemptHangsIsSilentUntilItGoesOn() {
        hanging.set("the program is not over after 10 s");
        heartbeats.busy(job, "cpu", () -> {});
        await().until(() -> asked.get() > 3);
        assertThat(beats).isEmpty();
        hanging.set(null);
        await().until(() -> !beats.isEmpty());
        assertThat(beats.get(0).jobUid()).isEqualTo("j1");
    }

    @Test
    void aPilotThatHangsWithoutAJobIsSilentUntilItGoesOn() {
        hanging.set("a look at the disk is not over after 300 s");
        heartbeats.start();
        await().until(() -> asked.get() > 3);
        assertThat(beats).isEmpty();
        hanging.set(null);
        await().until(() -> !beats.isEmpty());
        assertThat(beats.get(0).state()).isEqualTo(PilotState.IDLE);
    }

    @Test
    void aHeartbeatThatFailsIsNotTheLast() {
        failing.set(true);
        heartbeats.start();
        await().until(() -> asked.get() > 2);
        assertThat(beats).isEmpty();
        failing.set(false);
        await().until(() -> !beats.isEmpty());
    }

    @Test
    void shortJobsThatFollowEachOtherDoNotPutHeartbeatsOff() {
        heartbeats.start();
        long start = System.nanoTime();
        await().pollInterval(INTERVAL.dividedBy(4)).until(() -> {
            heartbeats.busy(job, "cpu", () -> {});
            heartbeats.idle();
            return beats.size() >= 5;
        });
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(INTERVAL.multipliedBy(3));
    }
}
