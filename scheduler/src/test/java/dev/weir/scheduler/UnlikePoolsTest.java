package dev.weir.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.protocol.Job;
import dev.weir.scheduler.options.PoolOptions;
import dev.weir.scheduler.options.SchedulerOptions;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Pools with different policies and windows, one of them a policy that Weir does not bring. */
class UnlikePoolsTest {

    @Test
    void eachPoolHasItsOwnPolicyAndWindow() {
        Lab lab = new Lab(SchedulerOptions.defaults()
                .withPools(Map.of(
                        "fair", PoolOptions.defaults().withWindow(4),
                        "last", PoolOptions.defaults().withPolicy("last-first").withWindow(2))));
        lab.dataset("in", 3).idle("p", "fair", "last");
        for (String pool : new String[] {"fair", "last"}) {
            lab.task(Lab.task(pool + "-a", "in").pool(pool).build());
            lab.task(Lab.task(pool + "-b", "in").pool(pool).build());
            lab.task(Lab.task(pool + "-c", "in").pool(pool).build());
        }
        assertThat(lab.jobs.stream().filter(job -> job.taskUid().startsWith("fair-")))
                .hasSize(4);
        assertThat(lab.jobs.stream().filter(job -> job.taskUid().startsWith("last-")))
                .hasSize(2);

        lab.jobs.clear();
        for (Job job = lab.take("last"); job != null && lab.jobs.size() < 2; job = lab.take("last")) {
            lab.run("p", job);
        }

        assertThat(lab.jobs).extracting(Job::taskUid).containsExactly("last-c", "last-c");
    }
}
