package dev.weir.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.protocol.ErrorType;
import dev.weir.protocol.Job;
import dev.weir.protocol.Result;
import dev.weir.scheduler.api.Event;
import org.junit.jupiter.api.Test;

/** A task whose jobs fail says on its row what most of them failed of. */
class FailureReasonTest {

    private final Lab lab = Lab.withDefaults();

    private void fail(ErrorType type, String message) {
        Job job = lab.take();
        lab.starting("p", job)
                .apply(new Event.ReportArrived(new Result(
                        "p",
                        "cpu",
                        null,
                        job.uid(),
                        job.attempt(),
                        job.route(),
                        Result.Outcome.FAILED,
                        1,
                        type,
                        message,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null)));
    }

    private String reason() {
        return lab.pass(1_000).taskRows.get("t").reason();
    }

    @Test
    void theMostFrequentErrorIsShownWithItsCountAndItsLastMessage() {
        lab.dataset("in", 100).task(Lab.task("t", "in").autoCancel(false).build());
        assertThat(reason()).isNull();

        fail(ErrorType.EXIT, "exit code 1: no licence");
        fail(ErrorType.EXIT, "exit code 1: no licence of ROOT");
        fail(ErrorType.OOM, "out of memory");

        assertThat(reason())
                .isEqualTo(
                        "exit: exit code 1: no licence of ROOT (2 of the 3 attempts that failed since one finished)");
    }

    @Test
    void aMessageIsCut() {
        lab.dataset("in", 100).task(Lab.task("t", "in").autoCancel(false).build());

        fail(ErrorType.EXIT, "x".repeat(5_000));

        assertThat(reason()).hasSizeLessThan(300).startsWith("exit: xxx");
    }

    @Test
    void singleFailuresAreNoNewsOfATaskThatWorks() {
        lab.dataset("in", 100).task(Lab.task("t", "in").build());
        lab.run("p", lab.take());
        fail(ErrorType.EXIT, "a");
        fail(ErrorType.EXIT, "a");
        assertThat(reason()).isNull();
        fail(ErrorType.EXIT, "a");
        assertThat(reason()).startsWith("exit: a (3 of");

        lab.run("p", lab.take());

        assertThat(reason()).isNull();
    }

    @Test
    void aTaskThatIsCancelledForItsFailuresKeepsTheCause() {
        lab.dataset("in", 100).task(Lab.task("t", "in").build());
        for (int i = 0; i < 10; i++) {
            fail(ErrorType.OOM, "too large");
        }

        assertThat(reason())
                .isEqualTo("cancelled by auto_cancel, as 10 jobs failed and 0 finished;"
                        + " oom: too large (10 of the 10 attempts that failed since one finished)");
    }

    @Test
    void aTaskThatClosesWithoutASuccessKeepsTheCause() {
        lab.dataset("in", 2).task(Lab.task("t", "in").build());
        fail(ErrorType.EXIT, "no licence");
        fail(ErrorType.EXIT, "no licence");

        assertThat(lab.settle().states("t")).last().isEqualTo("closed");
        assertThat(reason()).startsWith("exit: no licence (2 of the 2");
    }

    @Test
    void theCauseIsKnownAfterARestore() {
        lab.dataset("in", 100).task(Lab.task("t", "in").build());
        fail(ErrorType.EXIT, "a");

        lab.restore(lab.store);
        fail(ErrorType.EXIT, "a");

        assertThat(reason()).startsWith("exit: a (2 of the 2");
    }
}
