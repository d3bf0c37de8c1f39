package dev.weir.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.engine.store.CountedStore;
import dev.weir.protocol.Command;
import dev.weir.protocol.Job;
import dev.weir.scheduler.options.PoolOptions;
import dev.weir.scheduler.options.SchedulerOptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Many large tasks that all end, or try their failed jobs again, share what one event may do. */
class BoundedStepsTest {

    private static final int TASKS = 12;
    private static final int JOBS = 2_500;
    /** Five thousand jobs, each with a few effects or entries. */
    private static final int MOST = 20_000;

    private final Lab lab = new Lab(
            SchedulerOptions.defaults().withPool("cpu", PoolOptions.defaults().withWindow(TASKS * JOBS)));

    private final CountedStore store = new CountedStore(lab.store);

    @BeforeEach
    void manyTasksOfWhichAllJobsAreOut() {
        lab.audited = false;
        lab.scheduler = new Scheduler(lab.options, store);
        lab.beforeEvent = store::eventBegins;
        for (int i = 0; i < TASKS; i++) {
            lab.dataset("in" + i, JOBS)
                    .task(Lab.task("t" + i, "in" + i)
                            .retry(0)
                            .autoCancel(false)
                            .keepOpenS(3_600)
                            .build())
                    .settle();
        }
        assertThat(lab.queues.get("cpu")).hasSize(TASKS * JOBS);
    }

    private void toAll(Command.Type command) {
        for (int i = 0; i < TASKS; i++) {
            lab.command(command, "t" + i);
        }
        lab.pass(60_000);
    }

    private void assertBounded() {
        assertThat(lab.mostEffects).as("effects of an event").isBetween(1_000, MOST);
        assertThat(store.most()).as("reads and writes of an event").isBetween(1_000, MOST);
    }

    @Test
    void cancellingThemAll() {
        toAll(Command.Type.CANCEL);

        for (int i = 0; i < TASKS; i++) {
            assertThat(lab.states("t" + i)).endsWith("closed");
        }
        assertBounded();
    }

    @Test
    void tryingTheFailedJobsOfThemAllAgainAndThenClosingThemAll() {
        for (Job job = lab.take(); job != null; job = lab.take()) {
            lab.failed("p", job);
        }
        toAll(Command.Type.RETRY_FAILED);
        assertThat(lab.queues.get("cpu")).hasSize(TASKS * JOBS);
        for (Job job = lab.take(); job != null; job = lab.take()) {
            lab.failed("p", job);
        }
        toAll(Command.Type.CLOSE);

        for (int i = 0; i < TASKS; i++) {
            assertThat(lab.states("t" + i)).endsWith("closed");
        }
        assertBounded();
    }
}
