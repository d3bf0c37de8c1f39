package dev.weir.connectors.rabbitmq.source.consume;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class WindowTest {

    private static final long SECOND = 1_000_000_000L;

    private final Window window = new Window(10);

    private void deliver(long from, long to) {
        for (long tag = from; tag <= to; tag++) {
            window.delivered(tag);
        }
    }

    @Test
    void itIsFullUntilSomethingIsAcknowledgedOrAnotherConsumerBegins() {
        deliver(1, 9);
        assertThat(window.isFull()).isFalse();
        deliver(10, 10);
        assertThat(window.isFull()).isTrue();
        window.acknowledged(1);
        assertThat(window.isFull()).isFalse();
        deliver(11, 11);
        assertThat(window.isFull()).isTrue();
        window.startAnew();
        assertThat(window.isFull()).isFalse();
        deliver(12, 21);
        assertThat(window.isFull()).isTrue();
        window.acknowledged(11);
        assertThat(window.isFull()).as("the present consumer has still ten").isTrue();
    }

    @Test
    void itIsWidenedByItsSizeUpToWhatAmqpCanCount() {
        Window large = new Window(40_000);
        assertThat(large.widen()).isEqualTo(Window.MAX_LIMIT);
        assertThat(large.widen()).isEqualTo(Window.MAX_LIMIT);
        assertThat(window.widen()).isEqualTo(20);
        deliver(1, 19);
        assertThat(window.isFull()).isFalse();
    }

    @Test
    void itIsStuckWhenItStaysFullAndAfterThatAtOnce() {
        Duration patience = Duration.ofSeconds(2);
        deliver(1, 10);
        assertThat(window.isStuck(0, patience)).isFalse();
        assertThat(window.isStuck(SECOND, patience)).isFalse();
        window.acknowledged(5);
        assertThat(window.isStuck(2 * SECOND, patience)).isFalse();
        deliver(11, 15);
        assertThat(window.isStuck(3 * SECOND, patience)).isFalse();
        assertThat(window.isStuck(5 * SECOND, patience)).isTrue();
        window.startAnew();
        assertThat(window.isStuck(6 * SECOND, patience)).isFalse();
        deliver(16, 25);
        assertThat(window.isStuck(7 * SECOND, patience)).isTrue();
    }

    @Test
    void theAgeOfTheOldestUnacknowledgedMessageIsKnownAsFarAsItWasLookedAt() {
        assertThat(window.oldestUnacknowledged(0)).isZero();
        deliver(1, 3);
        assertThat(window.oldestUnacknowledged(SECOND)).isZero();
        deliver(4, 5);
        assertThat(window.oldestUnacknowledged(5 * SECOND)).hasSeconds(4);
        window.acknowledged(2);
        assertThat(window.oldestUnacknowledged(6 * SECOND)).hasSeconds(5);
        window.acknowledged(4);
        assertThat(window.oldestUnacknowledged(7 * SECOND)).hasSeconds(2);
        window.acknowledged(5);
        assertThat(window.oldestUnacknowledged(8 * SECOND)).isZero();
    }
}
