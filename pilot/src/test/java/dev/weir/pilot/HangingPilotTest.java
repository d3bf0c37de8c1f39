package dev.weir.pilot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.pilot.run.TestJobs;
import dev.weir.pilot.run.Watchdog;
import dev.weir.protocol.Heartbeat;
import dev.weir.protocol.PilotState;
import dev.weir.protocol.Result;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a pilot does with its disk outside of an attempt's own steps, on a disk that does not answer. */
class HangingPilotTest {

    private static final Duration SOON = Duration.ofSeconds(30);

    @TempDir
    Path temp;

    private final AtomicLong nanos = new AtomicLong();
    private final AtomicInteger silentLooks = new AtomicInteger();
    private final CountDownLatch hangs = new CountDownLatch(1);
    private final CountDownLatch goesOn = new CountDownLatch(1);
    private final LineToTest line = new LineToTest();
    private TestJobs jobs;
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
        line.give(jobs.job("j1", "quick", ""));
        startAndHangIn("the keeping of the result");
        assertThat(line.reports(Duration.ZERO)).noneMatch(Result.class::isInstance);
        Heartbeat busy = (Heartbeat) line.reports(SOON).get(0);
        assertThat(busy.state()).isEqualTo(PilotState.BUSY);
        assertThat(busy.jobUid()).isEqualTo("j1");

        fallSilent();
        goesOn.countDown();

        assertThat(line.reports(SOON).get(0)).isInstanceOf(Result.class);
        await().atMost(SOON)
                .until(() -> line.reports(SOON).get(0) instanceof Heartbeat beat && beat.state() == PilotState.IDLE);
    }

    @Test
    void anIdlePilotIsSilentWhenTheLookForItsDrainFileHangs() throws Exception {
        startAndHangIn("the look for the drain file");
        assertThat(((Heartbeat) line.reports(SOON).get(0)).state()).isEqualTo(PilotState.IDLE);

        fallSilent();
        goesOn.countDown();

        assertThat(((Heartbeat) line.reports(SOON).get(0)).state()).isEqualTo(PilotState.IDLE);
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
        pilot = new Pilot(line.settings("p1", jobs, jobs.work()), watchdog);
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
        line.reports(Duration.ZERO);
        int looks = silentLooks.get();
        await().atMost(SOON).until(() -> silentLooks.get() > looks + 2);
        assertThat(line.reports(Duration.ZERO)).isEmpty();
    }
}
