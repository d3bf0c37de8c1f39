package dev.weir.job.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.job.options.JobOptions;
import dev.weir.job.options.SchedulingOptions;
import dev.weir.job.wire.Inbound.Kind;
import dev.weir.protocol.Beat;
import dev.weir.protocol.Job;
import dev.weir.protocol.PageRequest;
import dev.weir.protocol.Rejected;
import dev.weir.protocol.Report;
import dev.weir.protocol.Result;
import dev.weir.protocol.Status;
import dev.weir.protocol.TaskEvent;
import dev.weir.protocol.TaskRow;
import dev.weir.protocol.TaskState;
import dev.weir.scheduler.Lab;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The operator "Schedule" on Flink's test harness, with RocksDB state. */
class ScheduleFunctionTest {

    private static final int FILES = 40;
    private static final long DAY = Duration.ofDays(1).toMillis();

    private final Configuration configuration = new Configuration();
    private OperatorOnTheBench operator;

    @BeforeEach
    void open() throws Exception {
        configuration.set(SchedulingOptions.WINDOW, 16);
        operator = new OperatorOnTheBench(configuration);
    }

    @AfterEach
    void close() throws Exception {
        operator.close();
    }

    @Test
    void aTaskAsksForItsFilesAndGivesAsManyJobsAsTheWindowAllows() throws Exception {
        operator.task("t", "a");
        operator.servePages(FILES);

        assertThat(operator.jobs())
                .hasSize(16)
                .extracting(Job::fileInUrl)
                .startsWith("file:///in/d/f0", "file:///in/d/f1")
                .doesNotHaveDuplicates();
        assertThat(operator.sent(Outlets.EVENTS, TaskEvent.class))
                .extracting(TaskEvent::state)
                .containsExactly(TaskState.ACCEPTED, TaskState.ACTIVE);
        assertThat(operator.rows())
                .anySatisfy(row -> assertThat(row)
                        .isInstanceOfSatisfying(
                                TaskRow.class, task -> assertThat(task.uid()).isEqualTo("t")));
    }

    @Test
    void everyFileGivesOneJobAndTheCloseComesLast() throws Exception {
        startTask();
        List<Job> all = runAll(operator);

        assertThat(all).hasSize(FILES).extracting(Job::fileInUrl).doesNotHaveDuplicates();
        List<String> decisions = operator.decisions().stream()
                .map(message -> new String(message.body(), StandardCharsets.UTF_8))
                .toList();
        // An output and a log of each, then the close, then the word to WFMS.
        assertThat(decisions).hasSize(2 * FILES + 2);
        assertThat(decisions.get(2 * FILES)).contains("\"type\":\"close\"");
        assertThat(decisions.get(2 * FILES + 1)).contains("\"state\":\"closed\"");
    }

    @Test
    void afterARestoreItContinuesFromTheCheckpointAndNoFileIsMissing() throws Exception {
        startTask();
        List<Job> out = operator.jobs();
        finish(operator, out.get(0));
        OperatorSubtaskState checkpoint = operator.checkpoint();
        // All this is forgotten by the restore, though the job that left really ran.
        Job forgotten = operator.jobs().get(0);
        finish(operator, out.get(1));

        try (OperatorOnTheBench restored = operator.restoredFrom(checkpoint)) {
            finish(restored, out.get(1));
            finish(restored, forgotten);
            Set<String> inputs = new HashSet<>();
            out.forEach(job -> inputs.add(job.fileInUrl()));
            inputs.add(forgotten.fileInUrl());
            for (Job job : out.subList(2, out.size())) {
                finish(restored, job);
            }
            assertThat(restored.jobs()).isEmpty();
            restored.catchUp();
            runAll(restored).forEach(job -> inputs.add(job.fileInUrl()));

            assertThat(inputs).hasSize(FILES);
            assertThat(restored.rejected()).isEmpty();
        }
    }

    @Test
    void stateForAnotherNumberOfLanesIsRefusedForGoodWithTheWayOut() throws Exception {
        startTask();
        OperatorSubtaskState checkpoint = operator.checkpoint();
        Configuration changed = new Configuration(configuration);
        changed.set(JobOptions.LANES, 3);

        assertThatThrownBy(() -> operator.restoredFrom(checkpoint, changed))
                .isInstanceOf(SuppressRestartsException.class)
                .rootCause()
                .hasMessageContaining("weir.lanes is 3, but the state is for 1 lanes: set weir.lanes to 1");
        operator.restoredFrom(checkpoint).close();
    }

    @Test
    void aDeadlineSetBeforeTheCheckpointIsKeptAfterARestoreEvenIfNothingArrives() throws Exception {
        Duration timeout = configuration.get(SchedulingOptions.PAGE_TIMEOUT);
        operator.task("t", "a");
        List<PageRequest> asked = operator.sent(Outlets.PAGES, PageRequest.class);
        assertThat(asked).hasSize(1);

        try (OperatorOnTheBench restored = operator.restoredFrom(operator.checkpoint())) {
            restored.pass(timeout.toMillis() - 1_000);
            assertThat(restored.sent(Outlets.PAGES, PageRequest.class)).isEmpty();
            restored.pass(2_000);

            // What DSM has not answered within the time-out is asked for again.
            assertThat(restored.sent(Outlets.PAGES, PageRequest.class)).isEqualTo(asked);
        }
    }

    @Test
    void afterAStepBackOfTheClockADeadlineComesInTimeEvenIfNothingArrives() throws Exception {
        operator.pass(DAY);
        operator.task("t", "a");
        List<PageRequest> asked = operator.sent(Outlets.PAGES, PageRequest.class);

        operator.stepBack(DAY);
        operator.pass(configuration.get(SchedulingOptions.PAGE_TIMEOUT).toMillis());

        assertThat(operator.sent(Outlets.PAGES, PageRequest.class)).isEqualTo(asked);
    }

    @Test
    void afterARestoreWithTheClockSetBackADeadlineComesInTimeEvenIfNothingArrives() throws Exception {
        operator.pass(DAY);
        operator.task("t", "a");
        List<PageRequest> asked = operator.sent(Outlets.PAGES, PageRequest.class);

        try (OperatorOnTheBench restored = operator.restoredFrom(operator.checkpoint(), 1)) {
            restored.pass(60_000);
            restored.pass(configuration.get(SchedulingOptions.PAGE_TIMEOUT).toMillis());

            assertThat(restored.sent(Outlets.PAGES, PageRequest.class)).isEqualTo(asked);
        }
    }

    @Test
    void theLaneHasOneTimerForAnyNumberOfDeadlines() throws Exception {
        startTask();
        for (Job job : operator.jobs()) {
            operator.report(status("p-" + job.uid(), job, Status.Phase.STARTING));
            assertThat(operator.timers()).isEqualTo(1);
            operator.pass(10);
            assertThat(operator.timers()).isEqualTo(1);
        }
    }

    @Test
    void itSendsBeatsToItselfAsLongAsThereIsAPilot() throws Exception {
        startTask();
        operator.report(status("p", operator.jobs().get(0), Status.Phase.STARTING));
        operator.sent(Outlets.BEATS, Beat.class);

        operator.pass(configuration.get(SchedulingOptions.HEARTBEAT).toMillis() + 1);

        assertThat(operator.sent(Outlets.BEATS, Beat.class)).isNotEmpty();
    }

    @Test
    void anUnreadableMessageIsRejectedWithItsReasonAndBytesAndWorkContinues() throws Exception {
        startTask();
        operator.arrive(Kind.REPORT, OperatorOnTheBench.REPORTS, "not JSON".getBytes(StandardCharsets.UTF_8));

        List<Rejected> rejected = operator.rejected();
        assertThat(rejected).hasSize(1);
        assertThat(rejected.get(0).queue()).isEqualTo(OperatorOnTheBench.REPORTS);
        assertThat(rejected.get(0).reason()).isNotBlank();
        assertThat(runAll(operator)).hasSize(FILES);
    }

    @Test
    void anInvalidReportIsRejectedAndChangesNothing() throws Exception {
        startTask();
        Job job = operator.jobs().get(0);
        operator.report(new Status("p", "moon", null, job.uid(), 1, job.route(), Status.Phase.STARTING));

        assertThat(operator.rejected())
                .extracting(Rejected::reason)
                .singleElement()
                .asString()
                .contains("moon");
        operator.report(status("p", job, Status.Phase.STARTING));
        assertThat(operator.rejected()).isEmpty();
    }

    @Test
    void aCommandWhoseTaskNeverArrivesIsRejectedInTheEndWithItsContent() throws Exception {
        operator.arrive(
                Kind.COMMAND,
                "weir.commands",
                "{\"id\":\"c1\",\"at\":1795237200,\"type\":\"pause\",\"task_uid\":\"nobody\"}"
                        .getBytes(StandardCharsets.UTF_8));
        assertThat(operator.rejected()).isEmpty();

        operator.pass(configuration.get(SchedulingOptions.COMMAND_WAIT).toMillis() + 1);

        Rejected rejected = operator.rejected().get(0);
        assertThat(rejected.queue()).isEqualTo("weir.commands");
        assertThat(rejected.field()).isEqualTo("task_uid");
        assertThat(body(rejected)).contains("\"id\":\"c1\"").contains("nobody");
    }

    @Test
    void anOutputThatFailsInTheMiddleOfAnEventFailsTheJobInsteadOfRejectingTheMessage() throws Exception {
        startTask();
        Job job = operator.jobs().get(0);
        operator.tearOutputs();

        assertThatThrownBy(() -> finish(operator, job)).hasMessageContaining("torn");
    }

    @Test
    void aMessageThatOverflowsTheStackIsRejectedAndTheNextIsTaken() throws Exception {
        try (OperatorOnTheBench failing = overflowing()) {
            failing.task("t", "a");
            failing.servePages(FILES);

            assertThat(failing.rejected())
                    .extracting(Rejected::reason)
                    .singleElement()
                    .asString()
                    .contains("StackOverflowError");
            failing.task("u", "b");
            assertThat(failing.sent(Outlets.EVENTS, TaskEvent.class))
                    .extracting(TaskEvent::taskUid)
                    .containsExactly("t", "u");
        }
    }

    @Test
    void afterAMessageAtWhichOneLaneFailedTheOthersGoOn() throws Exception {
        configuration.set(JobOptions.LANES, 2);
        try (OperatorOnTheBench failing = overflowing()) {
            failing.task("t", "a");
            failing.servePages(FILES);
            assertThat(failing.rejected()).hasSize(1);
            // When the metrics are read again.
            failing.pass(ScheduleMetrics.REFRESH_MILLIS);

            failing.task("u", "b", 1);

            assertThat(failing.sent(Outlets.PAGES, PageRequest.class)).hasSize(1);
        }
    }

    @Test
    void messagesThatAllFailStopTheJobInsteadOfBeingRejectedOneAfterTheOther() throws Exception {
        try (OperatorOnTheBench failing = overflowing()) {
            for (int i = 1; i < ScheduleFunction.MOST_FAILURES_IN_A_ROW; i++) {
                failing.task("t" + i, "a" + i);
                failing.servePages(FILES);
            }
            // Between them tasks were taken.
            assertThat(failing.rejected()).hasSize(ScheduleFunction.MOST_FAILURES_IN_A_ROW - 1);
            for (int i = 1; i <= ScheduleFunction.MOST_FAILURES_IN_A_ROW; i++) {
                failing.task("u" + i, "b" + i);
            }

            assertThatThrownBy(() -> failing.servePages(FILES)).hasMessageContaining("in a row");
            assertThat(failing.rejected()).hasSize(ScheduleFunction.MOST_FAILURES_IN_A_ROW - 1);
        }
    }

    @Test
    void messagesThatFailAgainAfterARestartDoNotStopTheOthersForEver() throws Exception {
        try (OperatorOnTheBench stopped = overflowing();
                OperatorOnTheBench restarted = stopped.restoredFrom(stopped.checkpoint())) {
            int failing = ScheduleFunction.MOST_FAILURES_IN_A_ROW * 2;
            for (int i = 1; i <= failing; i++) {
                restarted.task("t" + i, "a" + i);
            }
            restarted.servePages(FILES);
            assertThat(restarted.rejected()).hasSize(failing);

            restarted.task("good", "b");
            restarted.pass(Duration.ofMinutes(10).toMillis());
            for (int i = 1; i <= ScheduleFunction.MOST_FAILURES_IN_A_ROW; i++) {
                restarted.task("u" + i, "c" + i);
            }
            assertThatThrownBy(() -> restarted.servePages(FILES)).hasMessageContaining("in a row");
        }
    }

    private OperatorOnTheBench overflowing() throws Exception {
        Configuration fails = new Configuration(configuration);
        fails.set(SchedulingOptions.POLICY, "overflowing");
        return new OperatorOnTheBench(fails);
    }

    private static String body(Rejected rejected) {
        return new String(Base64.getDecoder().decode(rejected.bodyBase64()), StandardCharsets.UTF_8);
    }

    private void startTask() throws Exception {
        operator.task("t", "a");
        operator.servePages(FILES);
    }

    /** Runs whatever comes until nothing does. */
    private static List<Job> runAll(OperatorOnTheBench operator) throws Exception {
        List<Job> all = new ArrayList<>();
        for (List<Job> jobs = operator.jobs(); !jobs.isEmpty(); jobs = operator.jobs()) {
            for (Job job : jobs) {
                finish(operator, job);
            }
            all.addAll(jobs);
            operator.servePages(FILES);
        }
        return all;
    }

    private static void finish(OperatorOnTheBench operator, Job job) throws Exception {
        operator.report(status("p", job, Status.Phase.STARTING));
        operator.report(Lab.result("p", job, Result.Outcome.FINISHED, null));
    }

    private static Report status(String pilot, Job job, Status.Phase phase) {
        return new Status(pilot, "cpu", null, job.uid(), job.attempt(), job.route(), phase);
    }
}
