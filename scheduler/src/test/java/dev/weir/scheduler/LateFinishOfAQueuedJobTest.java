package dev.weir.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.protocol.Job;
import dev.weir.protocol.JobStatus;
import dev.weir.protocol.Notice;
import dev.weir.scheduler.options.PoolOptions;
import dev.weir.scheduler.options.SchedulerOptions;
import org.junit.jupiter.api.Test;

/** A lost attempt finishes after all while the message of the next one is still in the queue. */
class LateFinishOfAQueuedJobTest {

    private Lab lab;
    private Job first;
    private Job second;

    /** A window of one, and in the queue the second attempt of a file. */
    private void losesItsFirstAttempt() {
        lab = new Lab(SchedulerOptions.defaults()
                .withPool("cpu", PoolOptions.defaults().withWindow(1)));
        lab.dataset("in", 1).task(Lab.task("t", "in").build());
        first = lab.take();
        lab.starting("p", first);
        second = lab.takeAgain(first);
    }

    @Test
    void whenTheNextAttemptIsStillInTheQueueItsMessageKeepsItsPlaceInTheWindowUntilAPilotHasTakenIt() {
        losesItsFirstAttempt();
        lab.finished("p", first);
        assertThat(lab.jobRows.get(first.uid()).status()).isEqualTo(JobStatus.FINISHED);
        lab.task(Lab.task("u", "in").build());
        assertThat(lab.take()).isNull();

        lab.starting("q", second);

        assertThat(lab.notices)
                .last()
                .isEqualTo(new Outbox.Told("q", new Notice(Notice.Kind.CANCEL, second.uid(), 2, "task closed")));
        assertThat(lab.take().taskUid()).isEqualTo("u");
        assertThat(lab.close("t-out").checkList()).containsExactly("f0.0.1.out", "f0.0.1.log");
    }

    @Test
    void aTaskClosesThoughTheMessageOfALaterAttemptIsInTheQueue() {
        losesItsFirstAttempt();
        lab.finished("p", first).settle();
        assertThat(lab.close("t-out").checkList()).containsExactly("f0.0.1.out", "f0.0.1.log");
        lab.task(Lab.task("u", "in").build());
        assertThat(lab.take()).isNull();

        lab.starting("q", second);

        assertThat(lab.take().taskUid()).isEqualTo("u");
        assertThat(lab.scheduler.metrics().stale()).containsEntry("task closed", 1L);
    }

    @Test
    void aMessageInTheQueueIsRememberedThoughItsJobHadFailedBefore() {
        lab = new Lab(SchedulerOptions.defaults()
                .withPool("cpu", PoolOptions.defaults().withWindow(2)));
        lab.dataset("in", 2).task(Lab.task("t", "in").build());
        Job failed = lab.take();
        lab.starting("p", failed).failed("p", failed);
        Job sentInAForgottenTime = Copies.attempt(failed, 2);
        lab.starting("p", sentInAForgottenTime).run("q", lab.take());
        Job third = lab.takeAgain(failed);
        assertThat(third.attempt()).isEqualTo(3);
        lab.finished("p", sentInAForgottenTime).settle();
        assertThat(lab.closes("t-out")).hasSize(1);

        lab.dataset("more", 5).task(Lab.task("u", "more").build());
        assertThat(lab.take()).isNotNull();
        assertThat(lab.take()).isNull();
        lab.starting("q", third);
        assertThat(lab.take()).isNotNull();
    }
}
