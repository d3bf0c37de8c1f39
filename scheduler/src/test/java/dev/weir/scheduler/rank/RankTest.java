package dev.weir.scheduler.rank;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.weir.protocol.Job;
import dev.weir.scheduler.Lab;
import dev.weir.scheduler.options.RankOptions;
import dev.weir.scheduler.options.SchedulerOptions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
    void ageAndTheShareOfRetriesInAChunkMakeTheRankAndItsWeightAtTheEndOfTheChunk() {
        Lab lab = new Lab(SchedulerOptions.defaults()
                .withRank(options(10, 20, 0.5))
                .withAttempts(dev.weir.scheduler.options.AttemptOptions.defaults()
                        .withCoolOff(Duration.ZERO, 1, Duration.ZERO, 0))
                .withPool(
                        "cpu", dev.weir.scheduler.options.PoolOptions.defaults().withWindow(1)));
        lab.dataset("in", 40)
                .task(Lab.task("t", "in").rank(2).retry(1).chunkFiles(8).build());
        Job failing = lab.take();
        lab.starting("p", failing).failed("p", failing).settle();
        lab.run("p", lab.take());
        for (int i = 0; i < 5; i++) {
            lab.run("p", lab.take());
        }
        lab.pass(1_000);
        assertThat(lab.taskRows.get("t").rank()).as("inside of the chunk").isEqualTo(2);
        lab.now += 149_000;
        lab.run("p", lab.take()).pass(1_000);

        // x is a quarter of 10 minutes, y one retry to eight files: 10 × 0.25 + 20 / 9 + 0.5 × 2 + 0.5 × 2
        assertThat(lab.taskRows.get("t").rank()).isCloseTo(2.5 + 20.0 / 9 + 2, within(0.02));
        assertThat(lab.taskRows.get("t").weight()).isEqualTo(7);
    }

    @Test
    void aTaskThatReleasedLastByAClockThatWasAheadDoesNotFallBelowItsRank() {
        Lab lab = new Lab(SchedulerOptions.defaults()
                .withRank(options(10, 0, 0.5))
                .withPool(
                        "cpu", dev.weir.scheduler.options.PoolOptions.defaults().withWindow(1)));
        lab.dataset("in", 40).task(Lab.task("t", "in").rank(3).chunkFiles(4).build());
        long right = lab.now;
        lab.now += Duration.ofDays(1).toMillis();
        // The chunk has 12 files, as the weight is 3; the last of them leaves by the right clock.
        for (int i = 0; i < 10; i++) {
            lab.run("p", lab.take());
        }
        Job eleventh = lab.take();
        lab.now = right;
        lab.restore(lab.store).run("p", eleventh).pass(1_000);

        assertThat(lab.jobs).hasSize(12);
        assertThat(lab.taskRows.get("t").rank()).isEqualTo(3);
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

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 5})
    void aTaskWhoseRankerThrowsOrGivesNoFiniteNumberKeepsItsRankAndAllGoesOn(int rank) {
        Lab lab = new Lab(SchedulerOptions.defaults()
                .withPool(
                        "cpu", dev.weir.scheduler.options.PoolOptions.defaults().withWindow(2)));
        lab.dataset("in", 40)
                .task(Lab.task("other", "in").build())
                .task(Lab.task("t", "in")
                        .rank(rank)
                        .chunkFiles(4)
                        .ranker("faulty")
                        .build());
        lab.runAll("p");

        // 4 files to a chunk for each of the weight.
        long chunks = (40 + 4 * rank - 1) / (4 * rank);
        assertThat(lab.scheduler.metrics().ignored()).isEqualTo(Map.of("rank", chunks));
        assertThat(lab.jobs)
                .hasSize(80)
                .filteredOn(job -> job.taskUid().equals("t"))
                .allMatch(job -> job.rank() == rank);
        assertThat(lab.scheduler.metrics().openTasks()).isZero();
    }

    @Test
    void aTaskWithAnUnknownRankerIsRejectedAndTheErrorNamesTheKnownOnes() {
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
