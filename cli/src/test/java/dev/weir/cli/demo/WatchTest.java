package dev.weir.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.protocol.ErrorType;
import dev.weir.protocol.Result;
import dev.weir.protocol.Result.Outcome;
import dev.weir.protocol.Status;
import dev.weir.protocol.TaskState;
import org.junit.jupiter.api.Test;

class WatchTest {

    private final DemoTask count = TestTasks.task("count", 10, 1);
    private final DemoTask sum = TestTasks.task("sum", 10, 0);
    private final Watch watch = new Watch();

    WatchTest() {
        watch.expect(count);
        watch.expect(sum);
    }

    @Test
    void aJobHasEndedWhenItFinishedOrFailedForTheLastTime() {
        watch.ended(result("j1", 1, Outcome.FINISHED, "count"));
        watch.ended(result("j2", 1, Outcome.FAILED, "count"));
        assertThat(watch.progress(count).ended()).isEqualTo(1);

        watch.ended(result("j2", 2, Outcome.FAILED, "count"));
        assertThat(watch.progress(count).ended()).isEqualTo(2);
        assertThat(watch.progress(sum).ended()).isZero();
    }

    @Test
    void aReportThatComesTwiceCountsOnce() {
        watch.started(starting("j1", 1));
        watch.started(starting("j1", 1));
        watch.ended(result("j1", 1, Outcome.FINISHED, "count"));
        watch.ended(result("j1", 1, Outcome.FINISHED, "count"));

        assertThat(watch.progress(count).ended()).isEqualTo(1);
        assertThat(watch.starts()).containsExactly(new Start("t.count", true));
    }

    @Test
    void startsAreInOrderAndDistinguishFirstAttemptsFromFurtherOnes() {
        watch.started(starting("j1", 1));
        watch.started(starting("j2", 1));
        watch.started(starting("j1", 2));
        watch.ended(result("j2", 1, Outcome.FINISHED, "sum"));
        watch.ended(result("j1", 2, Outcome.FINISHED, "count"));

        assertThat(watch.starts())
                .containsExactly(new Start("t.count", true), new Start("t.sum", true), new Start("t.count", false));
    }

    @Test
    void jobsOfOtherTasksAreIgnored() {
        watch.started(starting("j9", 1));
        watch.ended(result("j9", 1, Outcome.FINISHED, "stranger"));
        assertThat(watch.starts()).isEmpty();
    }

    @Test
    void reportsAfterTheLastEventOfATaskAreIgnored() {
        watch.changed(TestTasks.event(count, "e2", TaskState.CLOSED, 9, 1));
        watch.changed(TestTasks.event(count, "e1", TaskState.ACTIVE, 3, 0));

        assertThat(watch.progress(count).isClosed()).isTrue();
        assertThat(watch.progress(count).counts().finished()).isEqualTo(9);
        assertThat(watch.progress(sum).word()).isEqualTo("sent");
    }

    private static Status starting(String job, int attempt) {
        return new Status("p1", "cpu", null, job, attempt, null, Status.Phase.STARTING);
    }

    private static Result result(String job, int attempt, Outcome outcome, String task) {
        String log = "file:///data/out/" + task + "/" + job + "/a.0." + attempt + ".log";
        ErrorType error = outcome == Outcome.FAILED ? ErrorType.EXIT : null;
        return new Result(
                "p1", "cpu", null, job, attempt, null, outcome, 0, error, null, null, null, null, log, 3L, null, null,
                null);
    }
}
