package dev.weir.placement.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CompatibleReplicationTest {

    private static final SortedMap<Integer, Long> SIZES = new TreeMap<>(Map.of(1, 4L, 2, 1L, 6, 1L, 12, 1L));

    private static List<Integer> factors(long budget, int minimum, int workers) throws NotEnoughCapacityException {
        return List.copyOf(CompatibleReplication.factors(SIZES, new Budget(budget, minimum, workers))
                .values());
    }

    @ParameterizedTest
    @CsvSource({
        "14, '2 2 2 2'",
        "19, '2 2 3 6'",
        "24, '2 2 4 9'",
        "38, '2 3 9 18'",
        "48, '2 4 12 24'",
        "240, '10 20 60 120'"
    })
    void theFactorsAreTheOriginals(long budget, String expected) throws Exception {
        List<Integer> wanted =
                Arrays.stream(expected.split(" ")).map(Integer::valueOf).toList();

        assertThat(factors(budget, 2, 1_000)).isEqualTo(wanted);
    }

    @Test
    void aBudgetBelowTheMinimumIsRefusedWithTheFigures() {
        assertThatThrownBy(() -> factors(13, 2, 1_000))
                .isInstanceOf(NotEnoughCapacityException.class)
                .hasMessageContaining("not enough capacity")
                .hasMessageContaining("need 14 bytes")
                .hasMessageContaining("is 13 bytes: 1 short");
    }

    @Test
    void noChunkHasMoreReplicasThanThereAreWorkers() throws Exception {
        assertThat(factors(240, 2, 15)).containsExactly(10, 15, 15, 15);
    }

    @Test
    void aMinimumAboveTheNumberOfWorkersIsRefused() {
        assertThatThrownBy(() -> factors(240, 5, 4))
                .isInstanceOf(NotEnoughCapacityException.class)
                .hasMessageContaining("min_replication 5 needs as many workers, there are 4");
    }

    @Test
    void everyOneOfTheMostWorkersMayHoldAChunk() throws Exception {
        assertThat(factors(1_000_000_000, 2, 65_535)).containsOnly(65_535);
    }

    @Test
    void noBudgetIsEverExceededWhileMoreOfItNeverGivesLess() throws Exception {
        List<Integer> before = List.of(0, 0, 0, 0);
        for (long budget = 14; budget < 3_000; budget++) {
            List<Integer> factors = factors(budget, 2, 10_000);
            long spent = 4L * factors.get(0) + factors.get(1) + factors.get(2) + factors.get(3);
            assertThat(spent).isLessThanOrEqualTo(budget);
            for (int i = 0; i < factors.size(); i++) {
                assertThat(factors.get(i)).isGreaterThanOrEqualTo(before.get(i));
            }
            before = factors;
        }
    }
}
