package dev.weir.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.weir.engine.limit.GroupLimit;
import dev.weir.engine.limit.GroupRule;
import dev.weir.engine.limit.LimitOptions;
import dev.weir.engine.store.CountedStore;
import dev.weir.protocol.Command;
import dev.weir.protocol.ErrorType;
import dev.weir.protocol.Heartbeat;
import dev.weir.protocol.Job;
import dev.weir.protocol.NodeInfo;
import dev.weir.protocol.Order;
import dev.weir.protocol.Outcome;
import dev.weir.protocol.PilotState;
import dev.weir.scheduler.api.Event;
import dev.weir.scheduler.model.OpenTask;
import dev.weir.scheduler.options.AdmissionOptions;
import dev.weir.scheduler.options.AttemptOptions;
import dev.weir.scheduler.options.PilotOptions;
import dev.weir.scheduler.options.PoolOptions;
import dev.weir.scheduler.options.SchedulerOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** No event does more than a bounded number of things, however many tasks, groups, nodes and pilots a site has. */
class BoundedSitesTest {

    private static final int MANY = 8_000;
    /** A thousand steps, each with a few effects or entries. */
    private static final int MOST = 6_000;

    private static final long HOUR = 3_600_000;

    private Lab lab;
    private CountedStore store;

    private void begin(SchedulerOptions options) {
        begin(options, 2 * MANY);
    }

    private void begin(SchedulerOptions options, int window) {
        lab = new Lab(options.withPool("cpu", PoolOptions.defaults().withWindow(window)));
        lab.audited = false;
        count();
    }

    /** A restore reads all state and is in proportion to it, so it does not count. */
    private void count() {
        store = new CountedStore(lab.store);
        lab.scheduler = new Scheduler(lab.options, store);
        lab.apply(new Event.Tick());
        lab.mostEffects = 0;
        store.forget();
        lab.beforeEvent = store::eventBegins;
    }

    private void assertBounded() {
        assertThat(lab.mostEffects).as("effects of an event").isLessThan(MOST);
        assertThat(store.most()).as("reads and writes of an event").isLessThan(MOST);
    }

    private List<Job> taken() {
        List<Job> jobs = new ArrayList<>();
        for (Job job = lab.take(); job != null; job = lab.take()) {
            jobs.add(job);
        }
        return jobs;
    }

    private void manyTasks(int files, String... groups) {
        for (int i = 0; i < MANY; i++) {
            lab.dataset("in" + i, files)
                    .task(Lab.task("t" + i, "in" + i).groups(groups).build());
        }
    }

    private void idleAt(String host, String pilot) {
        lab.apply(new Event.ReportArrived(new Heartbeat(
                pilot, "cpu", null, null, null, new NodeInfo(host, 1, 1L), PilotState.IDLE, null, null, null)));
    }

    @Test
    void attemptsThatAreAllTooLong() {
        begin(SchedulerOptions.defaults()
                .withAttempts(AttemptOptions.defaults()
                        .withJobTimeout(Duration.ofSeconds(1))
                        .withAttemptSlack(Duration.ofSeconds(10))));
        lab.dataset("in", MANY).task(Lab.task("t", "in").build());
        List<Job> jobs = taken();
        for (int i = 0; i < MANY; i++) {
            lab.starting("p" + i, jobs.get(i));
        }
        lab.pass(20_000);

        assertThat(lab.notices).hasSize(MANY);
        assertBounded();
    }

    @Test
    void excludingAPilotThatHasStartedEverything() {
        begin(SchedulerOptions.defaults());
        lab.dataset("in", MANY).task(Lab.task("t", "in").build());
        taken().forEach(job -> lab.starting("p", job));
        lab.pilot(Command.Type.PILOT_EXCLUDE, "p");
        lab.restore(lab.store.snapshot());
        count();
        lab.settle();

        assertThat(lab.notices)
                .filteredOn(told -> told.notice().jobUid() != null)
                .hasSize(MANY);
        assertBounded();
    }

    @Test
    void settingANodeAsideThatHasManyPilots() {
        begin(SchedulerOptions.defaults().withPilots(PilotOptions.defaults().withSetAside(1, Duration.ofMinutes(5))));
        lab.dataset("in", 1).task(Lab.task("t", "in").build());
        for (int i = 0; i < MANY; i++) {
            idleAt("broken", "p" + i);
        }
        idleAt("sound", "q");
        Job job = lab.take();
        lab.starting("p0", job).failed("p0", job, ErrorType.STAGE_IN).settle();

        assertThat(lab.notices).hasSize(MANY);
        assertBounded();
    }

    @Test
    void forgettingManyFailingNodesAfterARestore() {
        begin(SchedulerOptions.defaults());
        lab.dataset("in", MANY).task(Lab.task("t", "in").build());
        List<Job> jobs = taken();
        for (int i = 0; i < MANY; i++) {
            lab.starting("p" + i, jobs.get(i)).failed("p" + i, jobs.get(i), ErrorType.STAGE_IN);
        }
        lab.command(Command.Type.CANCEL, "t").settle();
        count();
        lab.pass(26 * HOUR);

        assertThat(lab.store.size()).isLessThan(1_000);
        assertBounded();
    }

    @Test
    void manyTasksWithFailedJobsInAPoolThatIsSteeredAndLosesItsPilots() {
        begin(SchedulerOptions.defaults()
                .withLimits(
                        new LimitOptions(List.of(), Map.of("g", new GroupLimit(MANY, GroupLimit.UNLIMITED, null)))));
        manyTasks(1, "g");
        taken().forEach(job -> lab.starting("p", job).failed("p", job));
        lab.pool(Command.Type.POOL_PAUSE, "cpu").settle();
        lab.pool(Command.Type.POOL_RESUME, "cpu").settle();
        lab.pass(HOUR);
        lab.idle("again").settle();

        assertBounded();
    }

    @Test
    void manyTasksLearnInPartsThatTheirPoolGoesOnOrHasPilots() {
        begin(
                SchedulerOptions.defaults()
                        .withAdmission(AdmissionOptions.defaults().withMaxActiveTasks(MANY)),
                1);
        manyTasks(2);
        lab.pass(HOUR).pool(Command.Type.POOL_PAUSE, "cpu").settle();
        assertThat(tasks(OpenTask::isReady)).isZero();
        lab.pool(Command.Type.POOL_RESUME, "cpu");
        assertThat(tasks(OpenTask::isReady)).isBetween(500L, 1_000L);
        lab.settle();
        assertThat(tasks(OpenTask::isReady)).isEqualTo(MANY);
        lab.pass(HOUR);
        assertThat(tasks(task -> task.rowTimer.isSet())).isZero();
        lab.idle("first");
        assertThat(tasks(task -> task.rowTimer.isSet())).isBetween(500L, 1_000L);

        assertThat(lab.settle().scheduler.lane().tasks.values()).hasSize(MANY).allMatch(task -> task.rowTimer.isSet());
        assertBounded();
        assertThatCode(lab.scheduler::verify).doesNotThrowAnyException();
    }

    private long tasks(Predicate<OpenTask> which) {
        return lab.scheduler.lane().tasks.values().stream().filter(which).count();
    }

    @Test
    void manyTasksWhoseGroupIsClosedAndOpenedAgain() {
        begin(SchedulerOptions.defaults()
                .withAdmission(AdmissionOptions.defaults().withMaxActiveTasks(2 * MANY)));
        lab.served().limit("g", 0, null, null);
        manyTasks(2, "g");
        lab.pass(10_000);
        lab.lift("g").settle();

        assertThat(lab.queues.get("cpu")).hasSize(2 * MANY);
        assertBounded();
    }

    @Test
    void raisingTheNumberOfActiveTasks() {
        begin(SchedulerOptions.defaults()
                .withAdmission(AdmissionOptions.defaults().withMaxActiveTasks(1)));
        lab.pool(Command.Type.POOL_PAUSE, "cpu");
        manyTasks(1);
        lab.options = lab.options.withAdmission(AdmissionOptions.defaults().withMaxActiveTasks(MANY));
        count();
        lab.settle();

        assertThat(lab.states("t" + (MANY - 1))).endsWith("active");
        assertBounded();
    }

    @Test
    void cancellingATaskWithALimitedGroupForEachFileWhoseStartsAreOver() {
        begin(SchedulerOptions.defaults()
                .withLimits(new LimitOptions(
                        List.of(new GroupRule(
                                GroupRule.Kind.REGEX,
                                com.google.re2j.Pattern.compile("f\\d+"),
                                new GroupLimit(GroupLimit.UNLIMITED, 1, Duration.ofSeconds(1)))),
                        Map.of())));
        lab.served().dataset("in", MANY).task(Lab.task("t", "in").retry(5).build());
        taken().forEach(job -> lab.starting("p", job).failed("p", job));
        lab.pool(Command.Type.POOL_PAUSE, "cpu").pass(HOUR);
        lab.command(Command.Type.CANCEL, "t").pass(2_000);

        assertThat(lab.states("t")).endsWith("closed");
        assertBounded();
    }

    @Test
    void closingATaskWhoseFilesAllGotAPriority() {
        begin(SchedulerOptions.defaults());
        lab.pool(Command.Type.POOL_PAUSE, "cpu");
        lab.dataset("in", MANY).task(Lab.task("t", "in").order(Order.PRIORITY).build());
        lab.pool(Command.Type.POOL_PAUSE, "cpu");
        for (int i = 0; i < MANY; i++) {
            lab.priority("t", i, 1);
        }
        lab.command(Command.Type.CLOSE, "t").settle();

        assertThat(lab.states("t")).endsWith("closed");
        assertBounded();
    }

    @Test
    void commandsThatCameBeforeTheirTask() {
        begin(SchedulerOptions.defaults());
        for (int i = 0; i < MANY; i++) {
            lab.rank("t", i % 100);
        }
        lab.dataset("in", 1).task(Lab.task("t", "in").build());

        assertThat(lab.rejected).last().asString().contains("100 commands wait for it already");
        assertThat(lab.outcomes)
                .filteredOn(one -> one.about() == Outcome.About.COMMAND)
                .hasSize(MANY);
        assertBounded();
    }
}
