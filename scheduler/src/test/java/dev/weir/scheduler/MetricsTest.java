package dev.weir.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.weir.protocol.Job;
import dev.weir.scheduler.api.SchedulerMetrics;
import dev.weir.scheduler.options.AdmissionOptions;
import dev.weir.scheduler.options.PoolOptions;
import dev.weir.scheduler.options.RankOptions;
import dev.weir.scheduler.options.SchedulerOptions;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The figures that are shown are what there is. */
class MetricsTest {

    private static Lab lab(String policy) {
        return new Lab(SchedulerOptions.defaults()
                .withRank(RankOptions.defaults().withRanker(RankOptions.FIXED))
                .withPool("cpu", PoolOptions.defaults().withPolicy(policy).withWindow(4)));
    }

    private static double jainAfter(Lab lab, int jobs) {
        lab.dataset("in", 500)
                .task(Lab.task("light", "in").rank(1).build())
                .task(Lab.task("heavy", "in").rank(3).build());
        assertThat(lab.scheduler.metrics().jain()).isEqualTo(1);
        for (int i = 0; i < jobs; i++) {
            lab.run("p", lab.take());
        }
        return lab.scheduler.metrics().jain();
    }

    @Test
    void jainsIndexIsOneWhileEachTaskGetsByItsWeight() {
        assertThat(jainAfter(lab(PoolOptions.IWRR), 80)).isCloseTo(1, within(1e-3));
    }

    @Test
    void jainsIndexIsAHalfWhenOneOfTwoTasksGetsAll() {
        Lab lab = lab(PoolOptions.STRICT);
        assertThat(jainAfter(lab, 80)).isEqualTo(0.5);
        // Nothing has been given since.
        assertThat(lab.scheduler.metrics().jain()).isEqualTo(1);
    }

    @Test
    void tasksThatCouldNotGiveAllTheTimeDoNotCount() {
        Lab lab = lab(PoolOptions.STRICT);
        lab.dataset("in", 500).task(Lab.task("light", "in").rank(1).build());
        lab.scheduler.metrics();
        lab.task(Lab.task("heavy", "in").rank(3).build());
        for (int i = 0; i < 40; i++) {
            lab.run("p", lab.take());
        }

        assertThat(lab.scheduler.metrics().jain()).isEqualTo(1);
    }

    @Test
    void tasksPilotsAndJobsAreCountedWhereTheyAre() {
        Lab lab = new Lab(SchedulerOptions.defaults()
                .withAdmission(AdmissionOptions.defaults().withMaxActiveTasks(2))
                .withPool("cpu", PoolOptions.defaults().withWindow(5)));
        lab.dataset("in", 50);
        for (int i = 0; i < 5; i++) {
            lab.task(Lab.task("t" + i, "in").retry(1).build());
        }
        lab.idle("idle").starting("a", lab.take()).starting("b", lab.take());
        Job done = lab.take();
        Job failed = lab.take();
        lab.starting("c", done).finished("c", done).starting("c", failed).failed("c", failed);
        lab.task(Lab.task("t0", "in").retry(1).build());
        lab.task(Lab.task("t0", "in").rank(7).build());
        SchedulerMetrics metrics = lab.scheduler.metrics();

        assertThat(metrics.activeTasks()).isEqualTo(2);
        assertThat(metrics.waitingTasks()).isEqualTo(3);
        assertThat(metrics.openTasks()).isEqualTo(5);
        assertThat(metrics.pilots()).isEqualTo(4);
        assertThat(metrics.reportsIn()).isEqualTo(7);
        assertThat(metrics.retries()).containsOnly(Map.entry("payload", 1L));
        assertThat(metrics.ignored()).containsEntry("task", 1L);
        assertThat(metrics.rejected()).isEqualTo(1);
        assertThat(metrics.pools().get("cpu")).isEqualTo(new SchedulerMetrics.Pool(5, 3, 2, 5, 4, 2, 1, 1));
        assertThat(metrics.pools().get("gpu").jobsOut()).isZero();
        assertThat(metrics.why().keySet()).containsExactlyInAnyOrderElementsOf(SchedulerMetrics.WHY);
        assertThat(metrics.whyTasks().keySet()).isEqualTo(metrics.why().keySet());
        assertThat(metrics.whyTasks()).containsEntry("window", 2L).containsEntry("slot", 3L);
    }

    @Test
    void aPilotOfTwoPoolsIsIdleInNoneWhileItHasAJobOfOne() {
        Lab lab = Lab.withDefaults();
        lab.idle("p", "gpu", "cpu")
                .dataset("in", 9)
                .task(Lab.task("t", "in").gpu().build());
        assertThat(lab.scheduler.metrics().pools().get("cpu").idle()).isEqualTo(1);

        lab.starting("p", lab.take("gpu"));

        assertThat(lab.scheduler.metrics().pools().get("cpu").pilots()).isEqualTo(1);
        assertThat(lab.scheduler.metrics().pools().get("cpu").idle()).isZero();
        assertThat(lab.scheduler.metrics().pools().get("gpu").idle()).isZero();
    }

    @Test
    void aSiteWithoutWorkHasNoJobsOutHoweverManyItHasRun() {
        Lab lab = new Lab(SchedulerOptions.defaults()
                .withPool("cpu", PoolOptions.defaults().withWindow(5)));
        lab.idle("p").dataset("in", 50).task(Lab.task("t", "in").build());
        assertThat(lab.scheduler.metrics().pools().get("cpu").jobsOut()).isEqualTo(5);

        lab.runAll("p");

        assertThat(lab.scheduler.metrics().pools().get("cpu").jobsOut()).isZero();
    }
}
