package dev.weir.connectors.dsm;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PausesTest {

    private final Pauses pauses = new Pauses(Duration.ofMillis(100), Duration.ofSeconds(5));
    private final Random random = new Random(7);

    @Test
    void pausesGrowFromTheFirstToTheLongestAndLoseAtMostHalfToChance() {
        for (int failures = 1; failures <= 2000; failures++) {
            double full = Math.min(5000, 100 * Math.pow(2, failures - 1));
            assertThat((double) pauses.afterFailureMillis(failures, random)).isBetween(full / 2 - 1, full);
        }
    }

    @Test
    void readersThatFailedTogetherDoNotComeBackTogether() {
        long different = random.longs(100)
                .map(seed -> pauses.afterFailureMillis(6, new Random(seed)))
                .distinct()
                .count();

        assertThat(different).isGreaterThan(80);
    }
}
