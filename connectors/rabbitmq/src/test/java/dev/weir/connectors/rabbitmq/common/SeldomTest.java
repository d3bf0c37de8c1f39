package dev.weir.connectors.rabbitmq.common;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SeldomTest {

    private static final long START = -1_000;

    @Test
    void theFirstTimeIsWorthALineThenWhatCameInFiveMinutes() {
        Seldom seldom = new Seldom();
        assertThat(seldom.happened(START)).isEqualTo(1);
        for (int i = 0; i < 10; i++) {
            assertThat(seldom.happened(START + i)).isZero();
        }
        assertThat(seldom.happened(START + TimeUnit.MINUTES.toNanos(6))).isEqualTo(11);
        assertThat(seldom.happened(START + TimeUnit.MINUTES.toNanos(7))).isZero();
    }
}
