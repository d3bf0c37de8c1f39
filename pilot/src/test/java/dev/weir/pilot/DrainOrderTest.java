package dev.weir.pilot;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class DrainOrderTest {

    private final DrainOrder drain = new DrainOrder();

    @Test
    void itHoldsFromTheFirstOrderUntilItIsLifted() {
        assertThat(drain.holds()).isFalse();
        assertThat(drain.order(Duration.ofHours(1))).isTrue();
        assertThat(drain.order(Duration.ofHours(1))).isFalse();
        assertThat(drain.holds()).isTrue();
        assertThat(drain.lift()).isTrue();
        assertThat(drain.lift()).isFalse();

        assertThat(drain.holds()).isFalse();
    }

    @Test
    void itEndsByItselfAndWakesWhoWaits() throws InterruptedException {
        drain.order(Duration.ofMillis(20));
        drain.awaitEnd(Duration.ofMinutes(5));

        assertThat(drain.holds()).isFalse();
        assertThat(drain.order(Duration.ofHours(1))).isTrue();
    }

    @Test
    void whoWaitsDoesSoNoLongerThanAsked() throws InterruptedException {
        drain.order(Duration.ofHours(1));
        drain.awaitEnd(Duration.ofMillis(20));

        assertThat(drain.holds()).isTrue();
    }
}
