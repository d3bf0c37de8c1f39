package dev.weir.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.weir.engine.store.Table;
import dev.weir.protocol.Command;
import dev.weir.protocol.FileInfo;
import dev.weir.protocol.Job;
import dev.weir.protocol.Json;
import dev.weir.protocol.Order;
import dev.weir.protocol.Registration;
import dev.weir.scheduler.api.Event;
import dev.weir.scheduler.options.PoolOptions;
import dev.weir.scheduler.options.SchedulerOptions;
import dev.weir.scheduler.state.Tables;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is registered and what is left when a task ends. */
class ClosureTest {

    private final Lab lab = new Lab(
            SchedulerOptions.defaults().withPool("cpu", PoolOptions.defaults().withWindow(3_000)));

    private int left(Table<?>... tables) {
        int[] count = {0};
        for (Table<?> table : tables) {
            lab.store.forEach(table, (key, value) -> count[0]++);
        }
        return count[0];
    }

    @ParameterizedTest
    @CsvSource({
        "file:///store/t/j/a.out, t/j/a.out",
        "file:///store//t/j/a.out, t/j/a.out",
        "file:///store, file:///store",
        "https://elsewhere/t/a.out, https://elsewhere/t/a.out",
    })
    void aFileIsRegisteredByItsPathOnItsStorageAndOneElsewhereByItsWholeUrl(String url, String path) {
        lab.dataset("in", 1).task(Lab.task("t", "in").build());
        Job job = lab.take();
        lab.made("p", job, url, null);

        assertThat(lab.registrations.get(0)).isInstanceOf(Registration.File.class);
        assertThat(((Registration.File) lab.registrations.get(0)).path()).isEqualTo(path);
    }

    @Test
    void aTaskWithVeryManyFailuresIsForgottenInStepsUntilNothingOfItIsLeft() {
        lab.dataset("in", 2_500)
                .task(Lab.task("t", "in").order(Order.RANDOM).autoCancel(false).build());
        for (Job job = lab.take(); job != null; job = lab.take()) {
            lab.failed("p", job);
        }
        int steps = 0;
        while (lab.closes("t-out").isEmpty() || !lab.states("t").contains("closed")) {
            lab.now = Math.max(lab.now, lab.scheduler.nextDeadlineMillis());
            lab.apply(new Event.Tick());
            steps++;
        }

        assertThat(steps).isBetween(1, 10);
        assertThat(lab.checkList("t-out")).hasSize(2_500);
        assertThat(left(
                        Tables.TASK,
                        Tables.PROGRESS,
                        Tables.CHUNK,
                        Tables.RELEASED,
                        Tables.JOB,
                        Tables.FAILED_JOB,
                        Tables.CHECK_LIST,
                        Tables.FAILED,
                        Tables.OUTPUT))
                .isZero();
    }

    @Test
    void theCheckListsOfAllTasksTogetherLeaveNoFasterThanTwoMegabytesInASecond() {
        List<FileInfo> files = new ArrayList<>();
        for (int i = 0; i < 2_500; i++) {
            files.add(Lab.file("n".repeat(150) + i));
        }
        lab.dataset("in", files)
                .task(Lab.task("t", "in").build())
                .task(Lab.task("u", "in").build());
        for (Job job = lab.take(); job != null; job = lab.take()) {
            lab.finished("p", job).settle();
        }
        long first = closeBytes();
        assertThat(lab.closes("t-out").size() + lab.closes("u-out").size()).isEqualTo(2);
        for (int passed = 20; passed <= 2_000; passed += 20) {
            lab.pass(20);
            assertThat(closeBytes()).as("after %s ms", passed).isLessThan(first + 200_000 + 2_000L * passed);
        }

        assertThat(lab.states("t")).endsWith("closed");
        assertThat(lab.states("u")).endsWith("closed");
        assertThat(closeBytes()).isGreaterThan(1_500_000);
    }

    private long closeBytes() {
        long bytes = 0;
        for (String dataset : List.of("t-out", "u-out")) {
            for (Registration.Close part : lab.closes(dataset)) {
                bytes += Json.write(part).length;
            }
        }
        return bytes;
    }

    @Test
    void prioritiesThatWereGivenAreForgottenWithTheTask() {
        lab.pool(Command.Type.POOL_PAUSE, "cpu");
        lab.dataset("in", 9).task(Lab.task("t", "in").order(Order.PRIORITY).build());
        lab.priority("t", 4, 1);
        assertThat(left(Tables.PRIORITY)).isEqualTo(1);
        lab.command(Command.Type.CANCEL, "t").settle();

        assertThat(lab.states("t")).endsWith("cancelled", "closed");
        assertThat(left(Tables.PRIORITY)).isZero();
    }

    @Test
    void aTaskThatClosesInPartsIsNoDifferenceBetweenMemoryAndState() {
        lab.dataset("in", 600).task(Lab.task("t", "in").build());
        for (Job job = lab.take(); job != null; job = lab.take()) {
            lab.starting("p", job).running("p", job).finished("p", job);
        }
        assertThat(lab.states("t")).doesNotContain("closed");
        lab.now += 5;
        lab.idle("q");

        assertThatCode(lab.scheduler::verify).doesNotThrowAnyException();
    }

    @Test
    void commandsThatWaitedAreForgottenWhenTheirTaskComesAndWhenTheyAreGivenUp() {
        lab.command(Command.Type.PAUSE, "t").command(Command.Type.RESUME, "t").command(Command.Type.PAUSE, "u");
        assertThat(left(Tables.WAITING)).isEqualTo(3);
        lab.dataset("in", 1).task(Lab.task("t", "in").build());
        assertThat(left(Tables.WAITING)).isEqualTo(1);
        lab.pass(600_000);

        assertThat(left(Tables.WAITING)).isZero();
        assertThat(lab.rejected).hasSize(1);
    }

    @Test
    void retryFailedTakesTheWholeListOfFailedJobsOnceAndShowsTheTaskAtOnce() {
        lab.dataset("in", 30).task(Lab.task("t", "in").autoCancel(false).build());
        List<Job> jobs = List.copyOf(lab.queues.get("cpu"));
        lab.queues.clear();
        jobs.subList(0, 20).forEach(job -> lab.failed("p", job));
        lab.command(Command.Type.RETRY_FAILED, "t");
        assertThat(left(Tables.FAILED)).isZero();
        assertThat(lab.queues.get("cpu"))
                .hasSize(20)
                .allSatisfy(job -> assertThat(job.attempt()).isEqualTo(2));
        assertThat(lab.taskRows.get("t").counts().failed()).isZero();
        lab.command(Command.Type.RETRY_FAILED, "t");

        assertThat(lab.queues.get("cpu")).hasSize(20);
    }
}
