package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import sun.misc.Signal;
import sun.misc.SignalHandler;

@Timeout(60)
class InterruptionTest {

    private static final Duration BOUND = Duration.ofSeconds(10);

    /** Not INT, which a shell has its background processes ignore, and the JVM then leaves ignored. */
    private static final String SIGNAL = "TERM";

    @AfterEach
    void leaveSignalsAsTheyWere() {
        for (String signal : new String[] {"INT", "TERM", "HUP"}) {
            Signal.handle(new Signal(signal), SignalHandler.SIG_DFL);
        }
    }

    @Test
    void aSignalInterruptsTheStart() {
        Interruption interruption = Interruption.watch();

        stop(interruption);

        assertThat(interruption.isBeforeReady()).isTrue();
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void aSignalEndsTheWaitAndDoesNotDisturbTheStopAfterIt() {
        Interruption interruption = Interruption.watch();
        interruption.ready();

        stop(interruption);

        interruption.await();
        assertThat(interruption.isBeforeReady()).isFalse();
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void theFirstSignalDuringAStopDoesNotDisturbIt() {
        Interruption interruption = Interruption.watch();
        interruption.stopping();

        stop(interruption);

        assertThat(Thread.interrupted()).isFalse();
    }

    /**
     * Another thread hears it; who asks whether it came sees all that it did.
     * This thread's interrupt is what the tests look at, so it cannot sleep.
     */
    private static void stop(Interruption interruption) {
        long until = System.nanoTime() + BOUND.toNanos();
        Signal.raise(new Signal(SIGNAL));
        while (!interruption.isSignalled()) {
            assertThat(System.nanoTime() - until)
                    .as("the time after which no signal comes any more")
                    .isNegative();
            Thread.onSpinWait();
        }
    }
}
