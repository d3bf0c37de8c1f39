package dev.weir.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.protocol.Command;
import dev.weir.protocol.ErrorType;
import dev.weir.protocol.Heartbeat;
import dev.weir.protocol.Job;
import dev.weir.protocol.NodeInfo;
import dev.weir.protocol.PilotState;
import dev.weir.scheduler.api.Event;
import dev.weir.scheduler.options.PilotOptions;
import dev.weir.scheduler.options.PoolOptions;
import dev.weir.scheduler.options.SchedulerOptions;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The automatic window, while some pilots end what they have and take no more. */
class WindowTest {

    private static final int PILOTS = 40;

    private Lab lab = new Lab(SchedulerOptions.defaults()
            .withPilots(PilotOptions.defaults().withSetAside(5, Duration.ofMinutes(5)))
            .withPool("cpu", PoolOptions.defaults().withWindowBounds(2, 1_000)));

    /** The job of each pilot. */
    private final Map<String, Job> jobs = new LinkedHashMap<>();

    private void idle(String pilot, String host) {
        lab.apply(new Event.ReportArrived(new Heartbeat(
                pilot, "cpu", null, null, null, new NodeInfo(host, 1, 1L), PilotState.IDLE, null, null, null)));
    }

    private void come(String name, String host) {
        for (int i = 0; i < PILOTS; i++) {
            idle(name + i, host);
        }
    }

    /** How many of these pilots find a job. */
    private int take(String name) {
        int took = 0;
        for (int i = 0; i < PILOTS; i++) {
            Job job = lab.take();
            if (job != null) {
                took++;
                jobs.put(name + i, job);
                lab.starting(name + i, job);
            }
        }
        return took;
    }

    private void drain(String name, boolean byThemselves) {
        for (int i = 0; i < PILOTS; i++) {
            Job job = jobs.get(name + i);
            if (byThemselves) {
                lab.apply(new Event.ReportArrived(new Heartbeat(
                        name + i,
                        "cpu",
                        null,
                        null,
                        null,
                        null,
                        PilotState.DRAINING,
                        job.uid(),
                        job.attempt(),
                        job.route())));
            } else {
                lab.pilot(Command.Type.PILOT_DRAIN, name + i);
            }
        }
    }

    private long window() {
        return lab.scheduler.metrics().pools().get("cpu").window();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void newPilotsGetWorkWhileDrainedPilotsEndTheirJobs(boolean byThemselves) {
        lab.dataset("in", 1_000).task(Lab.task("t", "in").build());
        come("old", "A");
        assertThat(take("old")).isEqualTo(PILOTS);
        long before = window();
        drain("old", byThemselves);
        come("new", "B");

        assertThat(take("new")).isEqualTo(PILOTS);
        assertThat(window()).isEqualTo(before + PILOTS);

        lab.now += 3_600_000;
        for (int i = 0; i < PILOTS; i++) {
            lab.finished("old" + i, jobs.get("old" + i));
        }
        assertThat(window()).isEqualTo(before);
    }

    @Test
    void pilotsOfGoodNodesGetWorkWhilePilotsOfANodeSetAsideEndTheirJobs() {
        lab.dataset("in", 1_000).task(Lab.task("t", "in").retry(3).build());
        come("a", "A");
        come("b", "B");
        take("a");
        take("b");
        lab.now += 3_600_000;
        for (int i = 0; i < 5; i++) {
            lab.failed("a" + i, jobs.get("a" + i), ErrorType.STAGE_IN);
        }
        int idle = 0;
        for (int i = 0; i < PILOTS; i++) {
            lab.finished("b" + i, jobs.get("b" + i));
            Job next = lab.take();
            if (next == null) {
                idle++;
            } else {
                lab.starting("b" + i, next);
            }
        }

        assertThat(idle).isZero();
    }

    @Test
    void aPilotThatMayTakeNothingAndStartsEverMoreWidensTheWindowByOne() {
        lab.dataset("in", 1_000).task(Lab.task("t", "in").build());
        lab.idle("good").idle("bad").pilot(Command.Type.PILOT_DRAIN, "bad");
        long before = window();
        for (Job job = lab.take(); job != null; job = lab.take()) {
            lab.starting("bad", job);
        }

        assertThat(window()).isEqualTo(before + 1);
    }

    @Test
    void jobsOfPilotsThatAreOneTooManyToBeKnownTakeNoPlaceOfTheOthers() {
        PilotOptions pilots = PilotOptions.defaults();
        lab = new Lab(lab.options.withPilots(new PilotOptions(
                pilots.heartbeat(), pilots.lease(), pilots.setAsideAfter(), pilots.setAside(), PILOTS)));
        lab.dataset("in", 1_000).task(Lab.task("t", "in").build());
        come("known", "A");
        take("known");
        take("other");
        for (int i = 0; i < PILOTS; i++) {
            lab.finished("known" + i, jobs.get("known" + i));
        }

        assertThat(take("known")).isEqualTo(PILOTS);
    }

    @Test
    void aFixedWindowStaysAsItIs() {
        lab = new Lab(lab.options.withPool("cpu", PoolOptions.defaults().withWindow(PILOTS)));
        lab.dataset("in", 1_000).task(Lab.task("t", "in").build());
        come("old", "A");
        take("old");
        drain("old", false);
        come("new", "B");

        assertThat(take("new")).isZero();
    }

    @Test
    void aRestoreKnowsWhoEndsHisJobAndTakesNoMore() {
        lab.dataset("in", 1_000).task(Lab.task("t", "in").build());
        come("old", "A");
        take("old");
        drain("old", false);
        come("new", "B");
        take("new");
        long before = window();
        lab.restore(lab.store);

        assertThat(window()).isEqualTo(before);
    }
}
