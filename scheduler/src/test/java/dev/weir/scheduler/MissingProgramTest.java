package dev.weir.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.protocol.ErrorType;
import dev.weir.protocol.Job;
import dev.weir.protocol.TaskRow;
import dev.weir.scheduler.options.PoolOptions;
import dev.weir.scheduler.options.SchedulerOptions;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A program that cannot be started is the fault of a node, or of its task. */
class MissingProgramTest {

    private static final int WINDOW = 8;
    private static final int FILES = 200;
    private static final long MINUTE = 60_000;
    private static final long HOUR = 60 * MINUTE;

    private final Lab lab = new Lab(
            SchedulerOptions.defaults().withPool("cpu", PoolOptions.defaults().withWindow(WINDOW)));

    private void begin() {
        lab.idle("a").idle("b").idle("c");
        lab.dataset("in", FILES).task(Lab.task("t", "in").retry(0).build());
    }

    /** Pilots take what comes for this time, the first of them twice as often as each other, unless it is set aside; at these the program is missing. */
    private void serve(long millis, List<String> pilots, List<String> missing) {
        for (long end = lab.now + millis;
                lab.now < end;
                lab.pass(Math.min(2_000, end - lab.now)).settle()) {
            for (int i = 0; i < WINDOW && !lab.queues.get("cpu").isEmpty(); i++) {
                Job job = lab.take();
                String pilot = pilots.get(i % pilots.size());
                if (lab.pilotRows.get(pilot).setAsideUntil() != null) {
                    pilot = "c";
                }
                lab.starting(pilot, job);
                if (missing.contains(pilot)) {
                    lab.failed(pilot, job, ErrorType.EXECUTABLE);
                } else {
                    lab.finished(pilot, job);
                }
            }
        }
    }

    private TaskRow row() {
        return lab.taskRows.get("t");
    }

    @Test
    void aNodeWithoutTheProgramIsSetAsideAndNoTaskIsTheWorseForIt() {
        begin();
        serve(MINUTE / 20, List.of("a"), List.of("a"));
        assertThat(lab.pilotRows.get("a").setAsideUntil()).isNotNull();

        serve(10 * MINUTE, List.of("a", "b", "c"), List.of("a"));

        assertThat(row().counts().finished()).isEqualTo(FILES);
        assertThat(row().counts().retries()).isZero();
    }

    @Test
    void aNodeWithoutTheProgramFailsNoFilesForGoodWhenTheirStorageWasAwayBefore() {
        begin();
        for (int i = 0; i < WINDOW; i++) {
            Job job = lab.take();
            lab.starting("b", job).failed("b", job, ErrorType.STAGE_IN);
        }
        serve(10 * MINUTE, List.of("a", "b", "c"), List.of("a"));

        assertThat(row().counts().finished()).isEqualTo(FILES);
        assertThat(row().counts().failed()).isZero();
    }

    @Test
    void aProgramThatRunsAtOneNodeIsNotTheTasksFaultAtAnother() {
        begin();
        lab.idle("d");
        Job running = lab.take();
        lab.starting("b", running).running("b", running);
        for (int i = 0; i < 40; i++) {
            Job job = lab.take();
            if (job != null) {
                lab.starting("a", job).failed("a", job, ErrorType.EXECUTABLE);
            }
            lab.alive("b", running).pass(5_000);
        }

        assertThat(row().counts().failed()).isZero();
        assertThat(lab.states("t")).doesNotContain("cancelled");
    }

    @Test
    void aTaskWhoseProgramIsNowhereIsCancelledWithinMinutes() {
        begin();
        serve(10 * MINUTE, List.of("a", "b", "c"), List.of("a", "b", "c"));

        assertThat(lab.states("t")).containsSubsequence("cancelled", "closed");
        assertThat(row().reason()).contains("cancelled by auto_cancel, as 10 jobs failed and 0 finished; executable");
    }

    @Test
    void aProgramThatGoesFromAllNodesIsWaitedFor() {
        begin();
        serve(MINUTE / 20, List.of("a", "b", "c"), List.of());
        assertThat(row().counts().finished()).isBetween(1L, FILES - 1L);

        serve(3 * HOUR, List.of("a", "b", "c"), List.of("a", "b", "c"));
        assertThat(row().counts().failed()).isZero();

        serve(HOUR, List.of("a", "b", "c"), List.of());
        assertThat(row().counts().finished()).isEqualTo(FILES);
    }
}
