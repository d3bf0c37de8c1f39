package dev.weir.scheduler.rank;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.weir.protocol.Job;
import dev.weir.scheduler.Lab;
import dev.weir.scheduler.options.RankOptions;
import dev.weir.scheduler.options.SchedulerOptions;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RankTest {

    private final Ranker linear = Rankers.named(RankOptions.LINEAR_AGEING);

    private static RankOptions options(double alpha, double beta, double gamma) {
        return RankOptions.defaults().withFormula(alpha, beta, gamma, Duration.ofMinutes(10));
    }

    @Test
    void withGammaOneItIsTheFormulaOfTheSeed() {
        assertThat(linear.next(3, 7, 0.5, 0.25, options(2, 4, 1))).isEqualTo(2 * 0.5 + 4 * 0.25 + 7);
    }

    @Test
    void withGammaBelowOneItConvergesToItsFixedPointFromAnywhere() {
        Random random = new Random(1);
        for (int i = 0; i < 200; i++) {
            double gamma = random.nextDouble() * 0.95;
            RankOptions options = options(random.nextDouble() * 3, random.nextDouble() * 3, gamma);
            double base = random.nextDouble() * 100;
            double x = random.nextDouble();
            double y = random.nextDouble();
            double rank = random.nextDouble() * 1000;
            for (int k = 0; k < 1000; k++) {
                rank = linear.next(base, rank, x, y, options);
            }
            double fixedPoint = base + (options.alpha() * x + options.beta() * y) / (1 - gamma);
            assertThat(rank).isCloseTo(fixedPoint, within(1e-6));
        }
    }

    @Test
    void theDefaultsKeepTheOrderThatWfmsGaveAmongEquallyServedTasks() {
        RankOptions defaults = RankOptions.defaults();
        for (double age = 0; age <= 1; age += 0.1) {
            double low = 3;
            double high = 4;
            for (int i = 0; i < 100; i++) {
                low = linear.next(3, low, age, 0, defaults);
                high = linear.next(4, high, age, 0, defaults);
                assertThat(high).isGreaterThan(low);
            }
        }
    }

    @Test
    void fixedStaysWithTheGivenRank() {
        assertThat(Rankers.named(RankOptions.FIXED).next(3, 99, 1, 1, RankOptions.defaults()))
                .isEqualTo(3);
    }

    @Test
    void theWeightIsTheRankRoundedWithinOneToAHundred() {
        assertThat(List.of(0.0, 0.4, 1.5, 99.6, 1000.0).stream().map(Rankers::weight))
                .containsExactly(1, 1, 2, 100, 100);
    }

    @Test
    void aTaskThatIsServedRarelyAgesAtTheEndOfItsChunks() {
        Lab lab = new Lab(SchedulerOptions.defaults()
                .withRank(options(4, 0, 0.5))
                .withPool(
                        "cpu", dev.weir.scheduler.options.PoolOptions.defaults().withWindow(1)));
        lab.dataset("in", 40).task(Lab.task("t", "in").chunkFiles(4).build());
        for (int i = 0; i < 30; i++) {
            Job job = lab.take();
            lab.starting("p", job);
            for (int k = 0; k < 20; k++) {
                lab.pass(15_000).alive("p", job);
            }
            lab.finished("p", job).settle();
        }
        // x is 5 of 10 minutes: the fixed point is 1 + 4 × 0.5 / 0.5
        assertThat(lab.taskRows.get("t").rank()).isBetween(3.5, 5.1);
    }

    @Test
    void aRankerThatSomebodyBringsAlongIsFoundByItsName() {
        Lab lab = new Lab(SchedulerOptions.defaults()
                .withPool(
                        "cpu", dev.weir.scheduler.options.PoolOptions.defaults().withWindow(12)));
        lab.dataset("in", 40)
                .task(Lab.task("t", "in")
                        .chunkFiles(4)
                        .ranker("one-more-each-chunk")
                        .build());
        lab.pass(2_000);

        // Of 12 files, chunks of 4 and 8, as the weight is 1 and 2.
        assertThat(lab.taskRows.get("t").rank()).isEqualTo(3);
    }

    @Test
    void aTaskWithARankerThatThereIsNotIsRejectedAndTheErrorNamesThoseThatThereAre() {
        Lab lab = Lab.withDefaults();
        lab.task(Lab.task("t", "in").ranker("nobody").build());

        assertThat(lab.rejected)
                .singleElement()
                .asString()
                .contains("'nobody'")
                .contains("fixed, linear-ageing, one-more-each-chunk");
    }

    @Test
    void aNewRankSetsTheBaseAndRestarts() {
        Lab lab = Lab.withDefaults();
        lab.dataset("in", 1000).task(Lab.task("t", "in").build());
        lab.rank("t", 9);

        assertThat(lab.taskRows.get("t").rank()).isEqualTo(9);
        assertThat(lab.taskRows.get("t").weight()).isEqualTo(9);
    }
}
