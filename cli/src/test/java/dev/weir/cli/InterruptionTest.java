package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import sun.misc.Signal;
import sun.misc.SignalHandler;

@Timeout(60)
class InterruptionTest {

    private final Interruption interruption = Interruption.watch();

    @AfterEach
    void leaveSignalsAsTheyWere() {
        for (String signal : new String[] {"INT", "TERM", "HUP"}) {
            Signal.handle(new Signal(signal), SignalHandler.SIG_DFL);
        }
    }

    @Test
    void aSignalInterruptsTheStart() {
        ctrlC();
        assertThat(interruption.isBeforeReady()).isTrue();
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void aSignalEndsTheWaitAndDoesNotDisturbTheStopAfterIt() {
        interruption.ready();
        ctrlC();
        interruption.await();
        assertThat(interruption.isBeforeReady()).isFalse();
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void theFirstSignalDuringAStopDoesNotDisturbIt() {
        interruption.stopping();
        ctrlC();
        assertThat(Thread.interrupted()).isFalse();
    }

    /** Another thread hears it; who asks whether it came sees all that it did. */
    private void ctrlC() {
        Signal.raise(new Signal("INT"));
        while (!interruption.isSignalled()) {
            Thread.onSpinWait();
        }
    }
}
