package dev.weir.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.protocol.Command;
import dev.weir.protocol.Job;
import dev.weir.scheduler.api.Event;
import dev.weir.scheduler.options.AdmissionOptions;
import dev.weir.scheduler.options.PoolOptions;
import dev.weir.scheduler.options.SchedulerOptions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Of several pools with the policy strict the highest rank goes first, whichever pool it is in. */
class StrictPoolsTest {

    private Lab lab;

    @BeforeEach
    void make() {
        PoolOptions queue =
                PoolOptions.defaults().withPolicy(PoolOptions.STRICT).withWindow(8);
        lab = new Lab(SchedulerOptions.defaults().withPools(Map.of("a", queue, "b", queue)));
        lab.dataset("in", 1);
    }

    private void task(String uid, String pool, double rank, String... groups) {
        lab.task(Lab.task(uid, "in")
                .pool(pool)
                .rank(rank)
                .ranker("fixed")
                .groups(groups)
                .build());
    }

    private List<String> started() {
        return lab.jobs.stream().map(Job::taskUid).toList();
    }

    @Test
    void whoRanksHighElsewhereTakesNoPlaceForWhoRanksLowInItsPool() {
        lab.limit("net", 1, null, null);
        task("high", "a", 100);
        task("low", "a", 1, "net");
        task("middle", "b", 50, "net");
        lab.idle("p", "a", "b").settle();

        assertThat(started()).containsExactly("high", "middle");
    }

    @Test
    void thePlacesThatOneJobGivesBackGoByRankThroughAllPools() {
        lab.limit("net", 1, null, null).limit("disk", 1, null, null).idle("p", "a", "b");
        task("first", "b", 200, "net", "disk");
        task("low", "a", 1, "net");
        task("middle", "b", 50, "net");
        task("high", "a", 100, "disk");
        assertThat(started()).containsExactly("first");
        lab.run("p", lab.take("b"));

        assertThat(started()).containsExactly("first", "high", "middle");
    }

    @Test
    void whoGetsASlotInTheSameEventGoesBeforeALowerRankOfAnotherPool() {
        PoolOptions queue =
                PoolOptions.defaults().withPolicy(PoolOptions.STRICT).withWindow(8);
        lab = new Lab(SchedulerOptions.defaults()
                .withAdmission(AdmissionOptions.defaults().withMaxActiveTasks(1))
                .withPools(Map.of("a", queue, "b", queue)));
        lab.dataset("in", 1).dataset("more", 100).limit("net", 4, null, null).idle("p", "a", "b");
        lab.apply(new Event.TaskArrived(Lab.task("first", "more")
                .pool("a")
                .ranker("fixed")
                .groups("net")
                .chunkFiles(1)
                .build()));
        // It keeps its slot: DSM is asked for more.
        lab.apply(lab.answer(lab.pages.remove())).pages.clear();
        task("middle", "b", 50, "net");
        task("high", "a", 100, "net");
        assertThat(started()).containsOnly("first");
        lab.limit("net", 1, null, null).jobs.clear();
        lab.command(Command.Type.CANCEL, "first");

        assertThat(started()).containsExactly("high");
    }
}
