package dev.weir.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.engine.BrokenState;
import dev.weir.engine.store.HeapStore;
import dev.weir.engine.store.Store;
import dev.weir.engine.store.StoreAround;
import dev.weir.engine.store.StoreFailure;
import dev.weir.engine.store.Table;
import dev.weir.protocol.Beat;
import dev.weir.protocol.Command;
import dev.weir.protocol.Job;
import dev.weir.protocol.JobRow;
import dev.weir.protocol.JobStatus;
import dev.weir.protocol.Notice;
import dev.weir.protocol.Order;
import dev.weir.scheduler.api.Event;
import dev.weir.scheduler.options.PoolOptions;
import dev.weir.scheduler.options.ReadingOptions;
import dev.weir.scheduler.options.SchedulerOptions;
import dev.weir.scheduler.state.Tables;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RestoreTest {

    private final Lab lab = Lab.withDefaults();

    @ParameterizedTest
    @EnumSource(names = {"CLOSE", "CANCEL"})
    void aFailedJobThatWasTriedAgainInAForgottenTimeIsShownAsItEndedWhenItsTaskCloses(Command.Type end) {
        lab.dataset("in", 2).task(Lab.task("t", "in").build());
        Job failing = lab.take();
        Job other = lab.take();
        lab.failed("p", failing);
        JobRow failed = lab.jobRows.get(failing.uid());
        HeapStore snapshot = lab.store.snapshot();
        lab.now += 5_000;
        lab.command(Command.Type.RETRY_FAILED, "t");
        lab.starting("p", lab.take());
        assertThat(lab.jobRows.get(failing.uid()).status()).isEqualTo(JobStatus.STARTING);
        lab.now += 5_000;
        lab.restore(snapshot);
        lab.command(end, "t").finished("q", other).settle();

        JobRow shown = lab.jobRows.get(failing.uid());
        assertThat(lab.closes("t-out")).hasSize(1);
        assertThat(shown.version()).isGreaterThan(failed.version());
        assertThat(shown)
                .usingRecursiveComparison()
                .ignoringFields("version", "pilotId")
                .isEqualTo(failed);
    }

    @Test
    void whatHappenedSinceTheRestoreIsNotShownTwice() {
        lab.dataset("in", 2).task(Lab.task("t", "in").build());
        lab.now += 5_000;
        lab.restore(lab.store);
        lab.failed("p", lab.take());
        long rows = lab.rowsOfJobs;
        lab.now += 5_000;
        lab.finished("p", lab.take()).pass(60_000);

        assertThat(lab.closes("t-out")).hasSize(1);
        assertThat(lab.rowsOfJobs).isEqualTo(rows + 1);
    }

    @ParameterizedTest
    @EnumSource(Order.class)
    void jobsThatWereSentAfterTheSnapshotAreAdoptedFromTheirReportsAndNotReleasedAgain(Order order) {
        lab.dataset("in", 600)
                .task(Lab.task("t", "in").order(order).chunkFiles(100).build());
        HeapStore snapshot = lab.store.snapshot();
        List<Job> sent = new ArrayList<>();
        for (int i = 0; i < 150; i++) {
            Job job = lab.take();
            sent.add(job);
            lab.starting("p", job).finished("p", job).settle();
        }
        List<Job> running = new ArrayList<>(lab.queues.get("cpu"));
        lab.queues.clear();
        lab.jobs.clear();
        lab.registrations.clear();
        lab.restore(snapshot);
        // Reports come again, the newest first, some before their page has been read again.
        for (int i = sent.size() - 1; i >= 0; i--) {
            lab.finished("p", sent.get(i)).starting("p", sent.get(i));
        }
        running.forEach(job -> lab.starting("q" + job.uid(), job));
        lab.settle();
        Set<String> known = new HashSet<>();
        sent.forEach(job -> known.add(job.uid()));
        running.forEach(job -> known.add(job.uid()));
        running.forEach(job -> lab.finished("q" + job.uid(), job));
        lab.settle();
        for (Job job = lab.take(); job != null; job = lab.take()) {
            int notices = lab.notices.size();
            lab.starting("r", job);
            // Sent again before its report came: a pilot that starts it now is stopped.
            assertThat(lab.notices.size() > notices).isEqualTo(!known.add(job.uid()));
            lab.finished("r", job).settle();
        }

        assertThat(known).hasSize(600);
        assertThat(lab.pass(1_000).checkList("t-out")).hasSize(1200).doesNotHaveDuplicates();
        assertThat(lab.rejected).isEmpty();
    }

    @Test
    void nothingGoesOutAfterARestoreBeforeTheReportsThatWaitedAreRead() {
        Lab lab = new Lab(SchedulerOptions.defaults()
                .withPool("cpu", PoolOptions.defaults().withWindow(5)));
        lab.dataset("in", 100).task(Lab.task("t", "in").build());
        HeapStore snapshot = lab.store.snapshot();
        List<Job> sent = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            Job job = lab.take();
            sent.add(job);
            lab.run("p", job);
        }
        lab.queues.clear();
        lab.restoreBehindReports(snapshot);
        sent.forEach(job -> lab.starting("p", job).finished("p", job).settle());

        assertThat(lab.take()).isNull();
        lab.pass(1_000);
        assertThat(lab.queues.get("cpu")).hasSize(5).doesNotContainAnyElementsOf(sent);
    }

    /** Restores the lab to when this job was out, and nothing has come back yet. */
    private Job restoredWithAJobOut() {
        lab.dataset("in", 1000).task(Lab.task("t", "in").build());
        Job job = lab.take();
        lab.queues.clear();
        lab.now += 1_000;
        lab.restoreBehindReports(lab.store);
        return job;
    }

    @Test
    void aBeatFromBeforeTheRestoreDoesNotEndTheWait() {
        Job job = restoredWithAJobOut();
        Beat before = new Beat(Instant.ofEpochMilli(lab.now - 1), "0/0/weir");
        lab.apply(new Event.ReportArrived(before)).finished("p", job);

        assertThat(lab.take()).isNull();
        assertThat(lab.pass(1).take()).isNotNull();
    }

    @Test
    void aMemoryThatIsBuiltAgainDuringTheWaitGoesOnWithIt() {
        Job job = restoredWithAJobOut();
        lab.idle("p");
        lab.now -= 120_000;
        lab.finished("p", job);

        assertThat(lab.take()).isNull();
        assertThat(lab.pass(1).take()).isNotNull();
    }

    @Test
    void jobsGoOutAMinuteAfterARestoreIfNoBeatComesBack() {
        lab.finished("p", restoredWithAJobOut());
        lab.now += 59_999;
        lab.settle();
        assertThat(lab.take()).isNull();
        lab.now++;
        lab.settle();
        assertThat(lab.take()).isNotNull();
    }

    @Test
    void aMergeTaskReadsOnWhoseLaterJobsWereAdoptedAndOverBeforeAnotherRestore() {
        Lab lab = new Lab(SchedulerOptions.defaults()
                .withReading(ReadingOptions.defaults().withPageFiles(10))
                .withPool("cpu", PoolOptions.defaults().withWindow(3)));
        lab.dataset("in", 30).task(Lab.task("t", "in").merge(1).build());
        HeapStore before = lab.store.snapshot();
        List<Job> sent = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            Job job = lab.take();
            sent.add(job);
            lab.run("p", job);
        }
        lab.restore(before).settle();
        lab.finished("p", sent.get(4)).finished("p", sent.get(5));
        lab.restore(lab.store).settle();
        lab.queues.clear();
        for (int position : new int[] {9, 6, 8, 7, 3, 0, 1, 2}) {
            lab.finished("p", sent.get(position));
        }
        lab.settle().runAll("q");

        assertThat(lab.closes("t-out")).hasSize(1);
        assertThat(lab.checkList("t-out")).hasSize(60).doesNotHaveDuplicates();
    }

    @Test
    void aMergeJobOfAForgottenPageIsCancelledWhenItsTaskWasCancelledBeforeThatPageCameAgain() {
        Lab lab = new Lab(SchedulerOptions.defaults()
                .withReading(ReadingOptions.defaults().withPageFiles(10))
                .withPool("cpu", PoolOptions.defaults().withWindow(3)));
        lab.dataset("in", 30).task(Lab.task("t", "in").merge(1).build());
        HeapStore before = lab.store.snapshot();
        Job running = lab.take();
        Job forgotten = running;
        for (int i = 0; i < 14; i++) {
            forgotten = lab.take();
            lab.run("p", forgotten);
        }
        lab.restore(before).starting("r", running).command(Command.Type.CANCEL, "t");
        lab.notices.clear();
        lab.starting("q", forgotten);

        assertThat(lab.rejected).isEmpty();
        assertThat(lab.notices).hasSize(1);
        assertThat(lab.notices.get(0).notice().type()).isEqualTo(Notice.Kind.CANCEL);
    }

    @Test
    void aCancelledJobStillInTheQueueOfAPoolThatIsGoneStopsNothing() {
        SchedulerOptions both = SchedulerOptions.defaults();
        Lab lab = new Lab(both);
        lab.dataset("in", 2).task(Lab.task("t", "in").gpu().build()).command(Command.Type.CANCEL, "t");
        assertThat(lab.closes("t-out")).hasSize(1);
        Lab next = new Lab(both.withPools(Map.of("cpu", PoolOptions.defaults())));
        next.store = lab.store.snapshot();
        next.scheduler = new Scheduler(next.options, next.store);
        next.dataset("in", 1).task(Lab.task("u", "in").build()).runAll("p");

        assertThat(next.closes("u-out")).hasSize(1);
    }

    @Test
    void aJobInTheStateWhoseTaskIsNotThereStopsNothing() {
        lab.dataset("in", 1).task(Lab.task("t", "in").build());
        Job job = lab.take();
        lab.starting("p", job);
        HeapStore snapshot = lab.store.snapshot();
        snapshot.remove(Tables.PROGRESS, "t");
        snapshot.remove(Tables.TASK, "t");
        snapshot.remove(Tables.OUTPUT, "t-out");
        lab.restore(snapshot).alive("p", job).pass(600_000);

        assertThat(lab.store.get(Tables.JOB, job.uid())).isNull();
        assertThat(lab.scheduler.metrics().ignored()).containsEntry("job without a task", 1L);
    }

    @Test
    void aLaterAttemptThatWeDoNotRememberIsAdopted() {
        lab.dataset("in", 1).task(Lab.task("t", "in").retry(1).build());
        Job first = lab.take();
        lab.starting("p", first);
        HeapStore snapshot = lab.store.snapshot();
        lab.failed("p", first).pass(5000);
        Job second = lab.take();
        lab.restore(snapshot).starting("q", second).failed("p", first);
        lab.finished("q", second).settle();

        assertThat(lab.close("t-out").checkList()).containsExactly("f0.0.2.out", "f0.0.2.log");
    }

    @Test
    void aReportAboutAJobThatWeNeverMadeIsRejected() {
        lab.dataset("in", 30).task(Lab.task("t", "in").build());
        Job real = lab.jobs.get(0);
        lab.apply(new Event.ReportArrived(new dev.weir.protocol.Status(
                "p", "cpu", null, "t.20.0000000000000000", 1, "0/20/t", dev.weir.protocol.Status.Phase.STARTING)));
        lab.apply(new Event.ReportArrived(new dev.weir.protocol.Status(
                "p", "cpu", null, real.uid(), 1, "0/99/t", dev.weir.protocol.Status.Phase.STARTING)));
        lab.apply(new Event.ReportArrived(new dev.weir.protocol.Status(
                "p", "tpu", null, real.uid(), 1, real.route(), dev.weir.protocol.Status.Phase.STARTING)));
        lab.apply(new Event.ReportArrived(new dev.weir.protocol.Status(
                "p", "cpu", null, "other", 1, "nonsense", dev.weir.protocol.Status.Phase.STARTING)));
        lab.apply(new Event.ReportArrived(new dev.weir.protocol.Status(
                "p", "cpu", null, "other", 1, "0/30/t", dev.weir.protocol.Status.Phase.STARTING)));

        assertThat(lab.rejected).hasSize(4);
        lab.runAll("p").settle();
        assertThat(lab.close("t-out").checkList()).hasSize(60);
    }

    @ParameterizedTest
    @EnumSource(Order.class)
    void aSchedulerThatIsRestartedAfterEveryEventBehavesAsIfItWereNot(Order order) {
        lab.dataset("in", 100).task(Lab.task("t", "in").order(order).retry(1).build());
        Set<String> finished = new HashSet<>();
        int n = 0;
        lab.restore(lab.store);
        for (Job job = lab.take(); job != null || n < 2; job = lab.take()) {
            if (job == null) {
                lab.pass(10_000);
                n++;
                continue;
            }
            lab.starting("p", job).restore(lab.store);
            if (job.attempt() == 1 && job.uid().hashCode() % 5 == 0) {
                lab.failed("p", job);
            } else {
                lab.finished("p", job);
                assertThat(finished.add(job.uid())).isTrue();
            }
            lab.restore(lab.store).settle();
        }

        assertThat(finished).hasSize(100);
        assertThat(lab.close("t-out").checkList()).hasSize(200);
    }

    @Test
    void anEventThatFailsChangesNothingAndTheNextOneGoesOn() {
        FailingStore failing = new FailingStore(lab.store);
        lab.dataset("in", 200);
        lab.scheduler = new Scheduler(lab.options, failing);
        int failures = 0;
        List<Event> toDo = new ArrayList<>(
                List.of(new Event.TaskArrived(Lab.task("t", "in").chunkFiles(20).build())));
        while (!toDo.isEmpty()) {
            Event event = toDo.remove(0);
            failing.failAfter = 0;
            HeapStore before = lab.store.snapshot();
            int effects = lab.jobs.size() + lab.registrations.size() + lab.jobRows.size();
            try {
                lab.keep(lab.scheduler.apply(event, lab.now));
            } catch (StoreFailure | BrokenState e) {
                failures++;
                assertThat(lab.store.isSameAs(before)).isTrue();
                assertThat(lab.jobs.size() + lab.registrations.size() + lab.jobRows.size())
                        .isEqualTo(effects);
                failing.failAfter = Integer.MAX_VALUE;
                lab.apply(event);
            }
            failing.failAfter = Integer.MAX_VALUE;
            while (!lab.pages.isEmpty()) {
                toDo.add(lab.answer(lab.pages.remove()));
            }
            Job job = lab.take();
            if (job != null) {
                lab.starting("p", job);
                toDo.add(
                        new Event.ReportArrived(Lab.result("p", job, dev.weir.protocol.Result.Outcome.FINISHED, null)));
            }
        }

        assertThat(failures).isGreaterThan(3);
        assertThat(lab.close("t-out").checkList()).hasSize(400).doesNotHaveDuplicates();
    }

    /** Fails when it is read for the n-th time. */
    private static final class FailingStore extends StoreAround {
        private int failAfter = Integer.MAX_VALUE;

        FailingStore(Store store) {
            super(store);
        }

        @Override
        public <V> V get(Table<V> table, String key) {
            if (failAfter-- == 0) {
                throw new StoreFailure("the store fails", null);
            }
            return super.get(table, key);
        }
    }
}
