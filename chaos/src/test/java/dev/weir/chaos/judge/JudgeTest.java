package dev.weir.chaos.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.protocol.JobCounts;
import dev.weir.protocol.TaskEvent;
import dev.weir.protocol.TaskState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;

/** Each test spoils one thing of a task that went well. */
class JudgeTest {

    private static final ExpectedTask EXPECTED =
            new ExpectedTask("t", Set.of("good-0", "good-2"), Set.of("bad-1"), true);

    private final List<TaskEvent> events = new ArrayList<>(List.of(event("t/3/closed", TaskState.CLOSED, 2, 1)));
    private final List<SeenTask.Job> jobs = new ArrayList<>(List.of(
            new SeenTask.Job("j0", "good-0", "Finished", 1, 0, null),
            new SeenTask.Job("j1", "bad-1", "Failed", 3, 0, "exit code 1"),
            new SeenTask.Job("j2", "good-2", "Finished", 1, 0, null)));
    private final List<SeenTask.Output> outputs =
            new ArrayList<>(List.of(new SeenTask.Output("j0", "a/0"), new SeenTask.Output("j2", "a/2")));
    private SeenTask.Dataset dataset = new SeenTask.Dataset("closed", 0L, 0L);

    private static TaskEvent event(String id, TaskState state, long finished, long failed) {
        JobCounts counts = new JobCounts(3L, 0L, 0, 0, 0, 0, finished, failed, 0, 0, 0, 0);
        return new TaskEvent(id, "t", state, counts, Instant.EPOCH, null);
    }

    private List<Tuple> violations() {
        return Judge.judge(EXPECTED, new SeenTask(events, jobs, outputs, dataset)).stream()
                .map(one -> Tuple.tuple(one.rule(), one.file()))
                .toList();
    }

    @Test
    void aTaskThatWentWellHasNoViolation() {
        assertThat(violations()).isEmpty();
    }

    @Test
    void aFileWithoutAnyOutcomeIsLost() {
        outputs.remove(1);

        assertThat(violations()).containsExactly(Tuple.tuple("lost", "good-2"));
    }

    @Test
    void aFileWithTwoOutputsHasTwoOutcomes() {
        outputs.add(new SeenTask.Output("j2", "a/2 again"));

        assertThat(violations()).containsExactly(Tuple.tuple("two outcomes", "good-2"));
    }

    @Test
    void aFileWithAnOutputAndAFailureHasTwoOutcomes() {
        outputs.add(new SeenTask.Output("j1", "a/1"));

        assertThat(violations()).containsExactly(Tuple.tuple("two outcomes", "bad-1"));
    }

    @Test
    void aFileThatFailsAlthoughItIsGoodHasTheWrongOutcome() {
        outputs.remove(0);
        jobs.set(0, new SeenTask.Job("j0", "good-0", "Failed", 3, 0, "exit code 1"));

        assertThat(violations()).containsExactly(Tuple.tuple("wrong outcome", "good-0"));
    }

    @Test
    void aCloseBeforeEveryFileHasItsOutcomeIsEarly() {
        events.set(0, event("t/3/closed", TaskState.CLOSED, 1, 1));

        assertThat(violations()).containsExactly(Tuple.tuple("closed early", null));
    }

    @Test
    void twoFinalEventsAreTwoCloses() {
        events.add(event("t/4/closed", TaskState.CLOSED, 2, 1));

        assertThat(violations()).containsExactly(Tuple.tuple("closed twice", null));
    }

    @Test
    void aTaskThatNeverEndsOrFailsIsNotClosed() {
        events.clear();
        assertThat(violations()).containsExactly(Tuple.tuple("not closed", null));

        events.add(event("t/3/failed", TaskState.FAILED, 2, 1));
        assertThat(violations()).containsExactly(Tuple.tuple("not closed", null));
    }

    @Test
    void aDatasetWithAnotherContentThanItsCheckListIsAViolation() {
        dataset = new SeenTask.Dataset("mismatch", 0L, 1L);
        assertThat(violations()).containsExactly(Tuple.tuple("dataset", null));

        dataset = null;
        assertThat(violations()).containsExactly(Tuple.tuple("dataset", null));
    }

    @Test
    void aLostAttemptOfALivingPilotIsAViolation() {
        jobs.set(0, new SeenTask.Job("j0", "good-0", "Finished", 2, 1, "pilot pilot-0 was not heard for 10 s"));

        assertThat(violations()).containsExactly(Tuple.tuple("lease", "good-0"));
    }

    @Test
    void aMirrorThatStaysBehindIsAViolation() {
        jobs.set(1, new SeenTask.Job("j1", "bad-1", "Running", 3, 0, null));

        assertThat(violations()).contains(Tuple.tuple("mirror", "bad-1"), Tuple.tuple("wrong outcome", "bad-1"));
    }

    @Test
    void anOutputOfAJobThatNobodyKnowsIsAViolation() {
        outputs.add(new SeenTask.Output("j9", "a/9"));

        assertThat(violations()).containsExactly(Tuple.tuple("unknown output", null));
    }
}
