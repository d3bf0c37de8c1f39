package dev.weir.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.weir.engine.store.CountedStore;
import dev.weir.protocol.Command;
import dev.weir.protocol.Job;
import dev.weir.protocol.Order;
import dev.weir.scheduler.api.Event;
import dev.weir.scheduler.options.PilotOptions;
import dev.weir.scheduler.options.PoolOptions;
import dev.weir.scheduler.options.SchedulerOptions;
import dev.weir.scheduler.state.Bits;
import dev.weir.scheduler.state.Tables;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** No event does more than a bounded number of things, whatever the size of a task, a window or a site. */
class BoundedEventsTest {

    private static final int FILES = 40_000;
    private static final int OUT = 12_000;
    /** A thousand jobs, each with a few effects or entries. */
    private static final int MOST = 6_000;

    private final Lab lab = new Lab(SchedulerOptions.defaults()
            .withPilots(PilotOptions.defaults().withLease(Duration.ofSeconds(20), Duration.ofSeconds(60)))
            .withPool("cpu", PoolOptions.defaults().withWindow(OUT)));

    private final CountedStore store = new CountedStore(lab.store);

    /** The same state, started again. Returns its store, with the reads of the start counted. */
    private CountedStore startAgain() {
        CountedStore restored = new CountedStore(lab.restoreBehindReports(lab.store.snapshot()).store);
        lab.scheduler = new Scheduler(lab.options, restored);
        lab.beforeEvent = restored::eventBegins;
        return restored;
    }

    private List<Job> taken() {
        List<Job> jobs = new ArrayList<>();
        for (Job job = lab.take(); job != null; job = lab.take()) {
            jobs.add(job);
        }
        return jobs;
    }

    private void assertBounded() {
        assertThat(lab.mostEffects).as("effects of an event").isLessThan(MOST);
        assertThat(store.most()).as("reads and writes of an event").isLessThan(MOST);
    }

    @BeforeEach
    void aLargeTaskWithAFullWindow() {
        lab.scheduler = new Scheduler(lab.options, store);
        lab.beforeEvent = store::eventBegins;
        lab.dataset("in", FILES)
                .task(Lab.task("t", "in")
                        .order(Order.RANDOM)
                        .retry(0)
                        .autoCancel(false)
                        .build())
                .settle();
        assertThat(lab.queues.get("cpu")).hasSize(OUT);
    }

    @ParameterizedTest
    @EnumSource(
            value = Command.Type.class,
            names = {"CANCEL", "CLOSE"})
    void stoppingATask(Command.Type how) {
        List<Job> started = taken().subList(0, OUT / 2);
        started.forEach(job -> lab.starting("p", job));
        lab.command(how, "t").settle();
        started.forEach(job -> lab.finished("p", job));
        lab.pass(2_000);

        assertThat(lab.states("t")).endsWith("closed");
        assertThat(lab.taskRows.get("t").counts().cancelled()).isEqualTo(FILES - OUT / 2);
        assertBounded();
    }

    @Test
    void stoppingATaskGoesOnAfterARestart() {
        List<Job> started = taken().subList(0, OUT / 2);
        started.forEach(job -> lab.starting("p", job));
        lab.command(Command.Type.CANCEL, "t");
        lab.restore(lab.store.snapshot()).settle();

        assertThat(lab.notices)
                .extracting(told -> told.notice().jobUid())
                .contains(started.get(OUT / 2 - 1).uid());
    }

    @Test
    void tryingAllFailedJobsAgainAlsoAfterARestart() {
        taken().forEach(job -> lab.failed("p", job));
        lab.settle().command(Command.Type.RETRY_FAILED, "t");
        lab.apply(new Event.Tick()).apply(new Event.Tick());
        assertBounded();
        assertThat(lab.store.get(Tables.RETRYING, "t"))
                .as("that the rest follows")
                .isNotNull();
        CountedStore restored = startAgain();
        lab.apply(new Event.Tick());
        restored.forget();
        lab.catchUp().settle().pass(5_000);

        assertThat(restored.most()).as("reads and writes after the restart").isBetween(1_000, MOST);
        assertBounded();
        assertThat(lab.taskRows.get("t").counts().failed()).isZero();
        assertThat(lab.taskRows.get("t").counts().retries()).isZero();
    }

    @Test
    void cleaningUpAfterManyFailedJobs() {
        // The audit of the few jobs that are left in memory would read the failed ones.
        lab.audited = false;
        lab.pool(Command.Type.POOL_PAUSE, "cpu");
        taken().forEach(job -> lab.failed("p", job));
        lab.settle().command(Command.Type.CANCEL, "t").pass(60_000);

        assertThat(lab.states("t")).endsWith("closed");
        assertThat(lab.taskRows.get("t").counts().failed()).isEqualTo(OUT);
        assertBounded();
    }

    /** A task that has not begun leaves nothing but its chunks. They are fewer than its files, so the bound is smaller. */
    @Test
    void cleaningUpAfterManyFilesThatNeverStarted() {
        lab.pool(Command.Type.POOL_PAUSE, "cpu");
        lab.dataset("in-late", 4 * FILES)
                .task(Lab.task("late", "in-late").order(Order.RANDOM).build())
                .settle();
        store.forget();
        lab.command(Command.Type.CANCEL, "late").pass(60_000);

        assertThat(lab.states("late")).endsWith("closed");
        assertThat(store.most()).as("reads and writes of an event").isBetween(1_000, 2_500);
    }

    @Test
    void aStartReadsNoneOfTheJobsThatFailedForGood() {
        lab.pool(Command.Type.POOL_PAUSE, "cpu");
        taken().forEach(job -> lab.failed("p", job));
        lab.settle().pass(5_000);
        CountedStore restored = startAgain();
        lab.catchUp();

        assertThat(lab.taskRows.get("t").counts().failed()).isEqualTo(OUT);
        assertThat(restored.most()).as("reads of a start").isLessThan(OUT / 2);
    }

    @Test
    void aStartReadsNothingOfFilesThatHaveLeft() {
        List<Job> jobs = taken();
        List<Job> out = List.copyOf(jobs.subList(0, 10));
        for (jobs.removeAll(out); !jobs.isEmpty(); jobs = taken()) {
            jobs.forEach(job -> lab.finished("p", job));
            lab.settle();
        }
        CountedStore restored = startAgain();
        lab.catchUp();
        assertThat(restored.most()).as("reads of a start").isLessThan(50);
        out.forEach(job -> lab.finished("p", job));
        lab.settle().pass(5_000);

        assertThat(lab.states("t")).endsWith("closed");
        assertThat(lab.taskRows.get("t").counts().finished()).isEqualTo(FILES);
    }

    @Test
    void whatAnOlderVersionKnowsOfFilesThatHaveLeftGoesWithTheirTask() {
        for (int piece = 0; piece < FILES / Bits.POSITIONS; piece++) {
            lab.store.put(Tables.RELEASED, Tables.key("t", 1_000_000 + piece), new Bits(new long[Bits.WORDS]));
        }
        lab.audited = false;
        lab.restore(lab.store).command(Command.Type.CANCEL, "t").pass(2_000);

        assertThat(lab.states("t")).endsWith("closed");
        lab.store.forEach(Tables.RELEASED, (key, bits) -> fail("the state still has " + key));
    }

    @Test
    void losingAllPilotsAtOnceAndTryingTheirJobsAgain() {
        int pilot = 0;
        for (Job job : taken()) {
            lab.starting("p" + pilot++, job);
        }
        lab.pass(3_600_000);

        assertThat(lab.queues.get("cpu")).as("second attempts").isNotEmpty();
        assertBounded();
    }

    @Test
    void steeringAPool() {
        lab.pool(Command.Type.POOL_PAUSE, "cpu").settle();
        lab.pool(Command.Type.POOL_DRAIN, "cpu").settle();
        lab.pool(Command.Type.POOL_RESUME, "cpu").settle();

        assertBounded();
    }
}
