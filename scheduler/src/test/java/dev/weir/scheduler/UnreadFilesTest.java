package dev.weir.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.engine.store.HeapStore;
import dev.weir.protocol.ErrorType;
import dev.weir.protocol.Job;
import dev.weir.protocol.JobStatus;
import dev.weir.protocol.Notice;
import dev.weir.protocol.Order;
import dev.weir.protocol.Result;
import dev.weir.protocol.Status;
import dev.weir.scheduler.api.Event;
import dev.weir.scheduler.options.PoolOptions;
import dev.weir.scheduler.options.SchedulerOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reports about files that a restored state has not read yet: their pilots are stopped, and the files run again. */
class UnreadFilesTest {

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

    /** The pages come, and with them the task if it was forgotten too. */
    private void read(boolean theTaskToo) {
        if (theTaskToo) {
            lab.apply(new Event.TaskArrived(Lab.task("t", "in").retry(3).build()));
        } else {
            // The request for the page was forgotten with everything else, and is sent again.
            lab.pass(60_000);
        }
        lab.settle();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aPilotThatWorksOnSuchAFileIsToldToStopAndTheFileRunsAgain(boolean theTaskToo) {
        forgetTheReading(theTaskToo);
        lab.starting("p", job);

        assertThat(lab.notices).singleElement().satisfies(told -> {
            assertThat(told.pilotId()).isEqualTo("p");
            assertThat(told.notice().type()).isEqualTo(Notice.Kind.CANCEL);
            assertThat(told.notice().jobUid()).isEqualTo(job.uid());
        });
        assertThat(lab.scheduler.metrics().stale())
                .containsEntry(theTaskToo ? "unknown task" : "file not read yet", 1L);
        read(theTaskToo);
        lab.runAll("q");
        assertThat(lab.jobRows.get(job.uid()).status()).isEqualTo(JobStatus.FINISHED);
        assertThat(lab.closes("t-out")).hasSize(1);
        assertThat(lab.rejected).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aResultOfSuchAFileIsCountedAndDropped(boolean theTaskToo) {
        forgetTheReading(theTaskToo);
        lab.finished("p", job);
        assertThat(lab.registrations).isEmpty();
        read(theTaskToo);
        lab.runAll("q");

        assertThat(lab.checkList("t-out")).hasSize(4);
        assertThat(lab.rejected).isEmpty();
    }

    @Test
    void aPilotThatStillReportsOnceTheFileIsReadKeepsIt() {
        forgetTheReading(false);
        lab.starting("p", job);
        read(false);
        lab.alive("p", job);

        assertThat(lab.jobRows.get(job.uid()).pilotId()).isEqualTo("p");
    }

    @Test
    void aPositionThatNoDatasetCanHaveIsRefused() {
        lab.apply(new Event.TaskArrived(Lab.task("t", "unread").build()));
        lab.apply(new Event.ReportArrived(
                new Status("p", "cpu", null, "t.137438953472.x", 1, "0/137438953472/t", Status.Phase.STARTING)));

        assertThat(lab.rejected).singleElement().asString().contains("137438953472");
    }

    @Test
    void aReportThatNamesAnotherFileThanItsPositionHasIsRefused() {
        lab.dataset("in", 30).task(Lab.task("t", "in").chunkFiles(30).build());
        lab.apply(new Event.ReportArrived(
                new Status("p", "cpu", null, "t.29.made-up", 1, "0/29/t", Status.Phase.STARTING)));

        assertThat(lab.rejected).singleElement().asString().contains("t.29.made-up", "position 29");
        assertThat(lab.scheduler.metrics().pools().get("cpu").pilots()).isZero();
    }

    @Test
    void aTaskWhoseLastFileIsAdoptedHoldsNoSlot() {
        lab.dataset("in", 1).task(Lab.task("t", "in").order(Order.RANDOM).build());
        job = lab.take();
        lab = new Lab(SchedulerOptions.defaults()
                .withPool("cpu", PoolOptions.defaults().withWindow(1)));
        lab.dataset("other", 1).task(Lab.task("o", "other").build());
        lab.dataset("in", 1).task(Lab.task("t", "in").order(Order.RANDOM).build());
        assertThat(lab.scheduler.metrics().activeTasks()).isEqualTo(1);
        lab.apply(new Event.ReportArrived(Lab.result("p", job, Result.Outcome.FAILED, ErrorType.STAGE_IN)));

        assertThat(lab.scheduler.metrics().activeTasks()).isZero();
        assertThat(lab.scheduler.metrics().adopted()).isEqualTo(1);
    }
}
