package dev.weir.pilot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.pilot.run.RunSettings;
import dev.weir.pilot.uplink.Delivery;
import dev.weir.pilot.uplink.Outbox;
import dev.weir.pilot.uplink.Uplink;
import dev.weir.pilot.uplink.UplinkSettings;
import dev.weir.protocol.Device;
import dev.weir.protocol.Notice;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Pilots of one process, with a way to Weir on which there are no jobs and the first one is refused. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SlotsTest {

    @TempDir
    Path temp;

    private final Set<String> asking = ConcurrentHashMap.newKeySet();
    private final CountDownLatch allAsk = new CountDownLatch(3);
    private final CountDownLatch never = new CountDownLatch(1);
    private String refused = "none";

    private final class Way implements Uplink {

        private final String pilot;

        Way(String pilot) {
            this.pilot = pilot;
        }

        @Override
        public void start(Outbox outbox) {}

        @Override
        public Delivery take(BooleanSupplier givesUp) throws InterruptedException {
            if (asking.add(pilot)) {
                allAsk.countDown();
            }
            while (!givesUp.getAsBoolean()) {
                never.await(5, TimeUnit.MILLISECONDS);
            }
            return null;
        }

        @Override
        public boolean isConnected() {
            return false;
        }

        @Override
        public String gaveUp() {
            return pilot.equals(refused) && allAsk.getCount() == 0 ? "the broker refuses the password" : null;
        }

        @Override
        public void close() {}
    }

    private final class Ways implements UplinkSettings {

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
            return new Way(pilotId);
        }
    }

    private PilotSettings settings() {
        return new PilotSettings(
                "node",
                Device.CPU,
                temp.resolve("work"),
                List.of(),
                List.of(),
                Duration.ofSeconds(1),
                Duration.ZERO,
                0,
                Duration.ofSeconds(1),
                new Ways(),
                RunSettings.of(List.of(temp)));
    }

    @Test
    void eachSlotAsksForJobsUnderItsOwnIdUntilAllAreStopped() throws Exception {
        try (Slots slots = new Slots(settings(), 3)) {
            Thread stopper = new Thread(() -> {
                try {
                    allAsk.await();
                    slots.stop("enough");
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            stopper.start();
            PilotSummary summary = slots.run();
            assertThat(asking).containsExactlyInAnyOrder("node-1", "node-2", "node-3");
            assertThat(summary.pilotId()).isEqualTo("node");
            assertThat(summary.reason()).isEqualTo("enough");
        }
    }

    @Test
    void whenOneFailsTheOthersEndToo() throws Exception {
        refused = "node-2";
        try (Slots slots = new Slots(settings(), 3)) {
            assertThatThrownBy(slots::run)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("the broker refuses the password");
        }
    }

    @Test
    void aPilotThatRunsAlreadyIsNamedAndNoOtherIsLeft() throws Exception {
        try (Pilot other = new Pilot(settings().withSlot(2))) {
            assertThatThrownBy(() -> new Slots(settings(), 2)).hasMessageContaining("another pilot with the id node-2");
        }
        new Slots(settings(), 2).close();
    }

    @Test
    void jobsSeeTheNumbersOfSlotsFromZero() {
        assertThat(settings().run().slot()).isZero();
        assertThat(settings().withSlot(1).run().slot()).isZero();
        assertThat(settings().withSlot(8).run().slot()).isEqualTo(7);
    }
}
