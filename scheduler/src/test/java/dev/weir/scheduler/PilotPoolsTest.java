package dev.weir.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.protocol.Heartbeat;
import dev.weir.protocol.Job;
import dev.weir.protocol.PilotState;
import dev.weir.scheduler.api.Event;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Pilots that serve several pools: a GPU node that takes CPU jobs when there are no others. */
class PilotPoolsTest {

    private final Lab lab = Lab.withDefaults();

    private Lab idle(String pool, String... pools) {
        return lab.apply(new Event.ReportArrived(
                new Heartbeat("p", pool, Arrays.asList(pools), null, null, null, PilotState.IDLE, null, null, null)));
    }

    private List<Long> pilots() {
        var pools = lab.scheduler.metrics().pools();
        return List.of(pools.get("cpu").pilots(), pools.get("gpu").pilots());
    }

    @Test
    void itCountsInEachOfThem() {
        idle("gpu", "gpu", "cpu");

        assertThat(pilots()).containsExactly(1L, 1L);
    }

    @Test
    void whileItWorksForOneTheOtherStillHasIt() {
        lab.dataset("a", 3);
        lab.task(Lab.task("t", "a").gpu().build());
        idle("gpu", "gpu", "cpu");
        lab.dataset("b", 1).task(Lab.task("u", "b").build());
        Job job = lab.take("cpu");
        lab.starting("p", job).pass(5_000);

        assertThat(pilots()).containsExactly(1L, 1L);
        assertThat(lab.taskRows.get("t").why()).isNotEqualTo("pilots");

        lab.finished("p", job).pass(5_000);
        assertThat(pilots()).containsExactly(1L, 1L);
    }

    @Test
    void poolsThatThereAreNotAndPoolsNamedTwiceChangeNothing() {
        idle("cpu", "cpu", "tape", "cpu");

        assertThat(pilots()).containsExactly(1L, 0L);
    }

    @Test
    void aPilotThatServesFewerPoolsThanBeforeCountsInTheseOnly() {
        idle("gpu", "gpu", "cpu");
        idle("gpu");

        assertThat(pilots()).containsExactly(0L, 1L);
    }

    @Test
    void silentForALeaseItCountsNowhere() {
        idle("gpu", "gpu", "cpu");
        lab.pass(120_000);

        assertThat(pilots()).containsExactly(0L, 0L);
    }

    @Test
    void aRestoreKnowsAllOfThem() {
        idle("gpu", "gpu", "cpu");
        lab.restore(lab.store.snapshot()).pass(1_000);

        assertThat(pilots()).containsExactly(1L, 1L);
    }
}
