package dev.weir.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.protocol.Command;
import dev.weir.protocol.ErrorType;
import dev.weir.protocol.Job;
import dev.weir.protocol.JobRow;
import dev.weir.protocol.JobStatus;
import dev.weir.protocol.Notice;
import dev.weir.protocol.Order;
import dev.weir.protocol.Result;
import dev.weir.protocol.Status;
import dev.weir.scheduler.options.CommandOptions;
import dev.weir.scheduler.options.SchedulerOptions;
import dev.weir.scheduler.state.Tables;
import dev.weir.scheduler.store.HeapStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reports about files that our state has not read yet: which of them counts once it has. */
class ClaimsTest {

    private Lab lab = Lab.withDefaults();
    private Job job;

    /** The task was accepted, its file sent, and then everything since the acceptance forgotten. */
    private void forgetTheReading(boolean theTaskToo) {
        lab.dataset("in", 2);
        HeapStore empty = lab.store.snapshot();
        lab.apply(new Event.TaskArrived(Lab.task("t", "in").retry(3).build()));
        HeapStore accepted = lab.store.snapshot();
        lab.settle();
        job = lab.take();
        lab.queues.clear();
        lab.pages.clear();
        lab.restore(theTaskToo ? empty : accepted);
    }

    private Job attempt(int number) {
        return Lab.attempt(job, number);
    }

    /** The pages come, and with them the task if it was forgotten too. */
    private JobRow read(boolean theTaskToo) {
        if (theTaskToo) {
            lab.apply(new Event.TaskArrived(Lab.task("t", "in").retry(3).build()));
        } else {
            // The request for the page was forgotten with everything else, and is sent again.
            lab.pass(60_000);
        }
        lab.settle();
        return lab.jobRows.get(job.uid());
    }

    private static long claims(Lab lab) {
        List<String> keys = new ArrayList<>();
        lab.store.forEach(Tables.CLAIM, (key, claim) -> keys.add(key));
        return keys.size();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theFirstToReportTheAttemptOwnsItOnceItsFileIsRead(boolean theTaskToo) {
        forgetTheReading(theTaskToo);
        lab.starting("p", job).starting("q", job);
        assertThat(claims(lab)).isEqualTo(1);
        JobRow row = read(theTaskToo);

        assertThat(row.status()).isEqualTo(JobStatus.STARTING);
        assertThat(row.pilotId()).isEqualTo("p");
        assertThat(lab.scheduler.metrics().adopted()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatItsPilotReportsLastCounts(boolean theTaskToo) {
        forgetTheReading(theTaskToo);
        lab.starting("p", job).running("p", job);
        lab.restore(lab.store);
        JobRow row = read(theTaskToo);

        assertThat(row.status()).isEqualTo(JobStatus.RUNNING);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aResultCountsMoreThanThatItsPilotLives(boolean theTaskToo) {
        forgetTheReading(theTaskToo);
        lab.starting("p", job).failed("p", job).alive("p", job).starting("q", job);
        JobRow row = read(theTaskToo);

        assertThat(row.status()).isEqualTo(JobStatus.COOLING);
        assertThat(row.retries()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aLaterAttemptCountsMoreThanAnEarlierOne(boolean theTaskToo) {
        forgetTheReading(theTaskToo);
        lab.failed("p", attempt(1)).starting("q", attempt(3)).failed("r", attempt(2));
        JobRow row = read(theTaskToo);

        assertThat(row.status()).isEqualTo(JobStatus.STARTING);
        assertThat(row.attempt()).isEqualTo(3);
        assertThat(row.pilotId()).isEqualTo("q");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aFinishCountsMoreThanAnythingElse(boolean theTaskToo) {
        forgetTheReading(theTaskToo);
        lab.starting("q", attempt(2))
                .finished("p", attempt(1))
                .starting("r", attempt(3))
                .failed("q", attempt(2));
        JobRow row = read(theTaskToo);

        assertThat(row.status()).isEqualTo(JobStatus.FINISHED);
        assertThat(row.attempt()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aReportAboutATaskThatNeverComesIsGivenUpAfterAWhile(boolean restart) {
        forgetTheReading(true);
        lab.starting("p", job).pass(599_999);
        assertThat(lab.rejected).isEmpty();
        if (restart) {
            lab.restore(lab.store);
        }
        lab.pass(1);

        assertThat(lab.rejected).hasSize(1).first().asString().contains("route", "'p'", job.uid());
        assertThat(lab.scheduler.metrics().rejected()).isEqualTo(1);
        assertThat(claims(lab)).isZero();
    }

    @Test
    void aPositionThatNoDatasetCanHaveIsRefused() {
        Lab lab = Lab.withDefaults();
        lab.apply(new Event.TaskArrived(Lab.task("t", "unread").build()));
        lab.apply(new Event.ReportArrived(
                new Status("p", "cpu", null, "t.137438953472.x", 1, "0/137438953472/t", Status.Phase.STARTING)));

        assertThat(lab.rejected).hasSize(1);
        assertThat(lab.rejected.get(0)).contains("137438953472");
    }

    @Test
    void noMoreReportsWaitForTheirTasksThanThereIsRoomFor() {
        lab = new Lab(SchedulerOptions.defaults()
                .withCommands(new CommandOptions(Duration.ofDays(1), Duration.ofMinutes(10), 1)));
        forgetTheReading(true);
        lab.starting("p", job).running("p", job);
        assertThat(noRoom()).isZero();
        lab.apply(starting("u.1.x", "0/1/u"));
        assertThat(noRoom()).isOne();
        read(true);
        lab.apply(starting("u.1.x", "0/1/u"));
        assertThat(lab.rejected).isEmpty();
        lab.pass(600_000);
        lab.apply(starting("v.1.x", "0/1/v"));

        assertThat(noRoom()).isOne();
        assertThat(lab.rejected).singleElement().asString().contains("u.1.x", "which is not known");
    }

    private static Event starting(String job, String route) {
        return new Event.ReportArrived(new Status("q", "cpu", null, job, 1, route, Status.Phase.STARTING));
    }

    @Test
    void aReportThatFindsNoRoomToWaitForItsFileIsCountedAndNotRejected() {
        lab = Lab.withDefaults();
        lab.apply(new Event.TaskArrived(Lab.task("t", "in").build()));
        lab.apply(new Event.TaskArrived(Lab.task("u", "in").build()));
        for (int position = 0; position <= 100_000; position++) {
            // Past the audit of each event, which looks at all of them.
            lab.scheduler.apply(
                    startingAt(position, position % 2 == 0 ? "t" : "u", Status.Phase.STARTING), lab.now, lab);
        }
        assertThat(claims(lab)).isEqualTo(100_000);
        assertThat(noRoom()).isOne();
        // What waits already is renewed, and the room of those that are given up is free again.
        lab.scheduler.apply(startingAt(0, "t", Status.Phase.RUNNING), lab.now, lab);
        lab.restore(lab.store);
        lab.scheduler.apply(startingAt(100_000, "t", Status.Phase.STARTING), lab.now, lab);
        assertThat(noRoom()).isOne();
        lab.command(Command.Type.CANCEL, "u");
        lab.scheduler.apply(startingAt(100_000, "t", Status.Phase.STARTING), lab.now, lab);

        assertThat(noRoom()).isOne();
        assertThat(lab.rejected).isEmpty();
        assertThat(claims(lab)).isEqualTo(50_001);
    }

    private long noRoom() {
        return lab.scheduler.metrics().stale().getOrDefault("no room to wait", 0L);
    }

    private static Event startingAt(int position, String task, Status.Phase phase) {
        String uid = task + "." + position + ".made-up";
        return new Event.ReportArrived(new Status("p", "cpu", null, uid, 1, "0/" + position + "/" + task, phase));
    }

    @Test
    void aReportThatNamesAnotherFileThanItsPositionHasIsRefusedWhenThatIsRead() {
        forgetTheReading(false);
        lab.apply(new Event.ReportArrived(new dev.weir.protocol.Status(
                "p", "cpu", null, "t.0.made-up", 1, "0/0/t", dev.weir.protocol.Status.Phase.STARTING)));
        lab.apply(new Event.ReportArrived(new dev.weir.protocol.Status(
                "p", "cpu", null, "t.9.made-up", 1, "0/9/t", dev.weir.protocol.Status.Phase.STARTING)));
        lab.pass(60_000).settle();

        assertThat(lab.rejected).hasSize(1).first().asString().contains("t.0.made-up", "position 0");
        assertThat(lab.scheduler.metrics().stale()).containsEntry("no such job", 2L);
        assertThat(claims(lab)).isZero();
        assertThat(lab.queues.get("cpu")).hasSize(2);
    }

    @Test
    void aResultOfAnotherJobDoesNotStandInTheWayOfTheOneAtItsPlace() {
        forgetTheReading(false);
        lab.starting("p", job);
        lab.apply(new Event.ReportArrived(
                Lab.result("q", Lab.routed(Lab.attempt(job, 2), "0/1/t"), Result.Outcome.FINISHED, null)));
        assertThat(lab.rejected).singleElement().asString().contains(job.uid(), "position 1");

        assertThat(claims(lab)).isOne();
    }

    @Test
    void whoWorksOnAFileThatWillNotBeReadIsToldToStop() {
        forgetTheReading(false);
        lab.starting("p", job).command(Command.Type.CANCEL, "t");

        assertThat(lab.notices).hasSize(1).first().satisfies(told -> {
            assertThat(told.pilotId()).isEqualTo("p");
            assertThat(told.notice().type()).isEqualTo(Notice.Kind.CANCEL);
        });
        assertThat(lab.scheduler.metrics().stale()).containsEntry("job cancelled", 1L);
        assertThat(lab.states("t")).last().isEqualTo("closed");
    }

    @Test
    void aTaskWhoseLastFileIsAdoptedHoldsNoSlot() {
        lab.dataset("in", 1).task(Lab.task("t", "in").order(Order.RANDOM).build());
        job = lab.take();
        lab = new Lab(SchedulerOptions.defaults()
                .withPool(
                        "cpu", dev.weir.scheduler.options.PoolOptions.defaults().withWindow(1)));
        lab.dataset("other", 1).task(Lab.task("o", "other").build());
        lab.dataset("in", 1).task(Lab.task("t", "in").order(Order.RANDOM).build());
        assertThat(lab.scheduler.metrics().activeTasks()).isEqualTo(1);
        lab.apply(new Event.ReportArrived(Lab.result("p", job, Result.Outcome.FAILED, ErrorType.STAGE_IN)));

        assertThat(lab.scheduler.metrics().activeTasks()).isZero();
        assertThat(lab.scheduler.metrics().adopted()).isEqualTo(1);
    }
}
